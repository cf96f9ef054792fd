# SPDX-License-Identifier: GPL-2.0-only
# Bash completion for ktrace: verbs and options; functions, lines of the function and variables of
# the place being typed, all asked of ktrace itself, with the -k, -m and -x of the command line.
# Names come out of programs that anybody may have made, and the line will be run by a shell: so no
# name is ever expanded here, and only those are offered that stay words where they are put.

# The line up to the cursor, as the shell will split it: _words, with their quotes taken off; of the last
# one, which is being typed, the quote that is open (or none).
_ktrace_split() {
	local line=${COMP_LINE:0:COMP_POINT} c
	local -i i
	_words=("") _quote=
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [[ -n $_quote ]]; then
			[[ $c == "$_quote" ]] && _quote= || _words[-1]+=$c
		elif [[ $c == [\'\"] ]]; then
			_quote=$c
		elif [[ $c == \\ ]]; then
			i+=1
			_words[-1]+=${line:i:1}
		elif [[ $c == [[:blank:]] ]]; then
			[[ -z ${_words[-1]} ]] || _words+=("")
		else
			_words[-1]+=$c
		fi
	done
}

# Lines in; those that begin as the word does and stay one word in its quotes, in COMPREPLY. What readline
# takes to be typed already, up to a ':' or '=', must not come twice.
_ktrace_offer() {
	local word=$1 typed='' bad='[^A-Za-z0-9_.,:@+%=/~*-]' line
	case $_quote in
	\') bad=[$'\'\\\001'-$'\037\177'] ;;
	\") bad=[$'"$`!\\\001'-$'\037\177'] ;;
	*) [[ $word != *[:=]* ]] || typed=${word%"${word##*[:=]}"} ;;
	esac
	while IFS= read -r line; do
		[[ $line == "$word"* && ! $line =~ $bad ]] && COMPREPLY+=("${line#"$typed"}")
	done
}

_ktrace_names() { sed -n 's/^{"name":"\([^"\\]*\)".*/\1/p'; }

_ktrace_prefixed() { # lines in, each behind the text
	local line
	while IFS= read -r line; do printf '%s%s\n' "$1" "$line"; done
}

# A place ends at the first blank, but for those between the brackets of a template.
_ktrace_place() {
	local -i i depth=0
	for ((i = 0; i < ${#1}; i++)); do
		case ${1:i:1} in
		'<') depth+=1 ;;
		'>') depth+=-1 ;;
		' ') ((depth > 0)) || break ;;
		esac
	done
	if ((depth > 0)); then
		printf %s "${1%% *}" # operator<
	else
		printf %s "${1:0:i}"
	fi
}

# The -k, -m, -x and --pack given so far, in `sources`. The shell has yet to put the home directory in.
_ktrace_sources() {
	local word value
	local -i i
	for ((i = 1; i < ${#_words[@]} - 1; i++)); do
		word=${_words[i]}
		case $word in
		-k | -m | -x | --vmlinux | --module | --exec | --pack)
			value=${_words[i + 1]}
			[[ $value != '~/'* ]] || value=$HOME/${value:2}
			sources+=("$word" "$value")
			;;
		-[kmx]?* | --vmlinux=* | --module=* | --exec=* | --pack=*) sources+=("$word") ;;
		esac
	done
}

_ktrace_spec() { # the spec as typed, without its quotes: places, then values
	local spec=$1 whole place
	local -a sources
	_ktrace_sources
	whole=$(_ktrace_place "$spec")
	place=${whole#*=}
	if [[ $place == -* ]]; then
		return # an option, to ktrace
	elif [[ $spec == "$whole "* ]]; then
		ktrace vars "${sources[@]}" --json "$place" 2>/dev/null |
			grep -o '{"name":"[^"]*"' | _ktrace_names | sort -u | _ktrace_prefixed "${spec% *} "
	elif [[ $spec == *:* && ${spec%:*} != *: ]]; then # else it is in a name, behind a '::'
		ktrace lines "${sources[@]}" --json "${spec%:*}" 2>/dev/null |
			sed -n 's/^{"line":\([0-9]*\),.*/\1/p' | _ktrace_prefixed "${spec%:*}:"
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

# To readline, a name that is the only one is the end of the argument: it would close the quote. So the
# same comes with the blank that values follow.
_ktrace_stay_open() {
	[[ -z $_quote || ${#COMPREPLY[@]} != 1 ]] || COMPREPLY+=("${COMPREPLY[0]} ")
	compopt -o nospace 2>/dev/null
}

_ktrace_files() { # compgen's options: names of files get their quotes from readline
	local line
	compopt -o filenames 2>/dev/null
	while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}

_ktrace_command() { # behind --
	local -i i
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || break
	done
	if declare -F _command_offset >/dev/null; then
		_command_offset $((i + 1))
	elif [[ $COMP_CWORD == $((i + 1)) ]]; then
		_ktrace_files -c -- "$1"
	else
		_ktrace_files -f -- "$1"
	fi
}

_ktrace() {
	local -a _words
	local _quote word previous
	local -i i
	COMPREPLY=()
	_ktrace_split
	word=${_words[-1]} previous=
	[[ ${#_words[@]} -lt 2 ]] || previous=${_words[-2]}
	for ((i = 1; i < ${#_words[@]} - 1; i++)); do
		[[ ${_words[i]} != -- ]] || { _ktrace_command "$word"; return; }
	done
	if [[ $word == --event=* ]]; then
		word=${word#*=} previous=-e
	fi
	case $previous in
	-e | --event)
		_ktrace_offer "$word" < <(_ktrace_events "$word")
		compopt -o nospace 2>/dev/null
		return
		;;
	-k | --vmlinux | -o | --output | --flame | --pack) _ktrace_files -f -- "$word"; return ;;
	-s | --source) _ktrace_files -d -- "$word"; return ;;
	-m | --module)
		_ktrace_files -f -- "$word"
		_ktrace_offer "$word" < <(cut -d' ' -f1 /proc/modules 2>/dev/null)
		return
		;;
	-x | --exec)
		_ktrace_files -f -c -- "$word"
		[[ $word != lib* ]] || _ktrace_offer "$word" < <(ldconfig -p 2>/dev/null | awk '{ print $1 }')
		return
		;;
	--debuginfo) _ktrace_offer "$word" < <(printf '%s\n' dwarf btf symbols); return ;;
	-p | --pid) _ktrace_offer "$word" < <(cd /proc && printf '%s\n' [0-9]*); return ;;
	--calls | --comm | --filter | -c | --count | -t | --time | -b | --buffer-size | --cpus | --depth | -i | --interval | --keys | --only | --open | --sort | --text | --top) return ;;
	esac
	if [[ $word == -* ]]; then
		_ktrace_offer "$word" < <(ktrace --help | sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1\n\2/p
			s/^  *\(--[a-z-]*\).*/\1/p' | sort -u)
	elif [[ ${#_words[@]} == 2 ]]; then
		_ktrace_offer "$word" < <(ktrace --help | sed -n 's/^  \([a-z]\{3,\}\) .*/\1/p')
	elif [[ ${_words[1]} == run || ${_words[1]} == merge || ${_words[1]} == pack ]]; then
		_ktrace_files -f -- "$word"
	else
		_ktrace_offer "$word" < <(_ktrace_spec "$word")
		_ktrace_stay_open
	fi
}

complete -F _ktrace ktrace
