# SPDX-License-Identifier: GPL-2.0-only
# What the lanes in shell share (sh, bash, the guest's busybox): tests by name, and their sums. ONLY is what
# `tests/run -k LANE/ONLY` gives: a pattern of test names. A lane ends with lane_ends, whose line is what
# tests/run counts.
passed=0 failed=0 skipped=0
export CMOCKA_MESSAGE_OUTPUT=tap # which has lines `ok`

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

# add NAME COMMAND...: counts the tests of a program whose last line is that of a lane. One that ends otherwise
# has failed. With ONLY, its tests are told by its lines `ok NAME`.
add() {
	what=$1 status=0
	shift
	printed=$("$@" 2>&1) || status=$?
	last=$(printf '%s\n' "$printed" | tail -n 1)
	# shellcheck disable=SC2046
	set -- $(printf '%s\n' "$last" |
		sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p')
	if [ $# -lt 2 ]; then
		printf '%s\n' "$printed"
		set -- 0 1
		echo "not ok $what: it died, status $status"
	elif [ -n "${ONLY-}" ]; then
		printed=$(printf '%s\n' "$printed" | grep -E '^(ok|not ok|skip) ' |
			while read -r line; do ! wanted "${line#*ok }" || printf '%s\n' "$line"; done)
		set -- "$(told '^ok ')" "$(told '^not ok ')" "$(told '^skip ')"
		[ -z "$printed" ] || printf '%s\n' "$printed"
	else
		printf '%s\n' "$printed" | sed '$d'
		[ $status = 0 ] || [ "$2" != 0 ] || {
			set -- "$1" 1
			echo "not ok $what: all passed, yet its status is $status"
		}
		[ $(($1 + $2 + ${3:-0})) != 0 ] || {
			set -- 0 1
			echo "not ok $what: it tested nothing"
		}
	fi
	echo "# $what: $1 passed, $2 failed"
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + ${3:-0}))
}
told() { printf '%s\n' "$printed" | grep -c "$1" || :; }

# Leaves, with the sums. A lane that tested nothing has failed.
lane_ends() {
	[ $skipped = 0 ] && last= || last=", $skipped skipped"
	echo "$passed passed, $failed failed$last"
	[ $failed = 0 ] && [ $((passed + skipped)) != 0 ]
	exit
}
