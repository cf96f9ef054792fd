# SPDX-License-Identifier: GPL-2.0-only
# What the lanes in shell share (sh, bash, the guest's busybox): tests by name, and their sums. ONLY is what
# `tests/run -k LANE/ONLY` gives: a pattern of test names. A lane ends with lane_ends, whose line is what
# tests/run counts.
passed=0 failed=0 skipped=0

wanted() { # NAME
	case $1 in
	${ONLY:-*} | *${ONLY:-*}*) ;;
	*) return 1 ;;
	esac
}

ok() { # NAME
	wanted "$1" || return 0
	passed=$((passed + 1))
	echo "ok $1"
}

not_ok() { # NAME [WHY]
	wanted "$1" || return 0
	failed=$((failed + 1))
	echo "not ok $1"
	[ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/  /'
}

skip() { # NAME REASON
	wanted "$1" || return 0
	skipped=$((skipped + 1))
	echo "skip $1: $2"
}

# same NAME GOT WANTED
same() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "'$2', not '$3'"; fi
}

# add NAME COMMAND...: a program whose last line is that of a lane. One that ends otherwise has failed.
add() {
	what=$1
	shift
	status=0
	printed=$("$@" 2>&1) || status=$?
	last=$(printf '%s\n' "$printed" | tail -n 1)
	# shellcheck disable=SC2046
	set -- $(printf '%s\n' "$last" |
		sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p')
	printf '%s\n' "$printed" | sed '$d'
	if [ $# -lt 2 ]; then
		failed=$((failed + 1))
		echo "not ok $what: it died, status $status: $last"
		return
	fi
	echo "# $what: $last"
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + ${3:-0}))
	if [ $status != 0 ] && [ "$2" = 0 ] && [ -z "${ONLY-}" ]; then
		failed=$((failed + 1))
		echo "not ok $what: all passed, yet its status is $status"
	elif [ $(($1 + $2 + ${3:-0})) = 0 ] && [ -z "${ONLY-}" ]; then
		failed=$((failed + 1))
		echo "not ok $what: it tested nothing"
	fi
}

# Leaves, with the sums. A lane that tested nothing has failed.
lane_ends() {
	[ $skipped = 0 ] && last= || last=", $skipped skipped"
	echo "$passed passed, $failed failed$last"
	[ $failed = 0 ] && [ $((passed + skipped)) != 0 ]
	exit
}
