# SPDX-License-Identifier: GPL-2.0-only
# Bash completion for ktrace: verbs and options; functions, lines of the function and variables of
# the place being typed, all asked of ktrace itself, with the -k, -m and -x of the command line.

_ktrace_sources() { # the -k, -m and -x given so far
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-k | -m | -x | --vmlinux | --module | --exec) printf '%s\n' "${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]}" ;;
		esac
	done
}

_ktrace_names() { sed -n 's/^{"name":"\([^"]*\)".*/\1/p'; }

_ktrace_spec() { # the spec as typed, without its quotes: places, then values
	local spec=$1 place last lines
	local -a sources
	mapfile -t sources < <(_ktrace_sources)
	last=${spec##* }
	place=${spec%% *}
	if [[ $spec == *' '* ]]; then
		place=${place#*=}
		ktrace vars "${sources[@]}" --json "$place" 2>/dev/null |
			grep -o '{"name":"[^"]*"' | _ktrace_names | sort -u |
			grep -- "^${last//[^A-Za-z0-9_]/}" | sed "s|^|${spec% *} |"
	elif [[ $spec == *:* ]]; then
		lines=$(ktrace lines "${sources[@]}" --json "${spec%:*}" 2>/dev/null |
			sed -n 's/^{"line":\([0-9]*\),.*/\1/p')
		printf '%s\n' $lines | sed "s|^|${spec%:*}:|"
	elif [[ ${#spec} -ge 2 ]]; then
		ktrace funcs "${sources[@]}" --json "$spec*" 2>/dev/null | _ktrace_names
	fi
}

_ktrace_events() { # SYSTEM: as typed, or SYSTEM:EVENT
	if [[ $1 == *:* ]]; then
		ktrace probe -n -e "${1%%:*}:*" 2>/dev/null
	else
		ktrace probe -n -e '*:*' 2>/dev/null | sed 's/:[^: ]*$/:/' | sort -u
	fi | sed -n 's/^Enabling event: //p'
}

_ktrace() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} line
	local IFS=$'\n'
	COMPREPLY=()
	if [[ ${COMP_LINE:0:COMP_POINT} =~ \ (-e|--event)[=\ ][\'\"]?([^\ ]*)$ ]]; then
		line=${BASH_REMATCH[2]}
		mapfile -t COMPREPLY < <(compgen -W "$(_ktrace_events "$line")" -- "$line")
		# what stands before the ':' is a word of its own to bash
		[[ $current == *:?* || $line != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${line%%:*}:"}")
		compopt -o nospace 2>/dev/null
		return
	fi
	case $previous in
	-k | --vmlinux | -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current") && return ;;
	-m | --module)
		mapfile -t COMPREPLY < <(compgen -f -W "$(cut -d' ' -f1 /proc/modules 2>/dev/null)" -- "$current")
		return
		;;
	-x | --exec)
		mapfile -t COMPREPLY < <(compgen -f -c -- "$current"; [[ $current != lib* ]] ||
			ldconfig -p 2>/dev/null | awk '{ print $1 }' | grep "^${current//[^A-Za-z0-9_.+-]/}")
		return
		;;
	-p | --pid) mapfile -t COMPREPLY < <(compgen -W "$(ls /proc | grep '^[0-9]')" -- "$current") && return ;;
	esac
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(ktrace --help | grep -o -- '--\?[a-zA-Z][a-z-]*' | sort -u)" -- "$current")
	elif [[ $COMP_CWORD == 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(ktrace --help | sed -n 's/^  \([a-z]\{4,\}\) .*/\1/p')" -- "$current")
	else
		# the whole word as typed: bash splits it at ':' and keeps an open quote
		line=${COMP_LINE:0:COMP_POINT}
		if [[ $line == *[\'\"]* && $current == [\'\"]* || $line =~ [\'\"][^\'\"]*$ ]]; then
			line=${line##*[\'\"]}
		else
			line=${line##* }
		fi
		mapfile -t COMPREPLY < <(compgen -W "$(_ktrace_spec "$line")" -- "$line")
		# what bash takes to be typed already must not come twice
		if [[ $line == *:* && $current != *:* ]]; then
			COMPREPLY=("${COMPREPLY[@]#"${line%"$current"}"}")
		fi
		compopt -o nospace 2>/dev/null
	fi
}

complete -F _ktrace ktrace
