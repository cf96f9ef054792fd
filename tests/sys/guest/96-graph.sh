# SPDX-License-Identifier: GPL-2.0-only
# Trees of calls are the text of the kernel's own function_graph tracer of the same run: calls, nesting, order. The
# guest is ours, so its global settings may be set here; ktrace never does.

# gr_tracer on ROOT DEPTH | off
gr_tracer() {
	case $1 in
	on)
		echo "$2" >$T/set_graph_function
		echo "$3" >$T/max_graph_depth
		echo 20000 >$T/buffer_size_kb
		echo 1 >$T/options/funcgraph-proc
		echo 0 >$T/options/funcgraph-irqs
		echo function_graph >$T/current_tracer
		echo >$T/trace
		;;
	off)
		echo nop >$T/current_tracer
		echo >$T/set_graph_function
		echo 0 >$T/max_graph_depth
		echo 0 >$T/options/funcgraph-proc
		echo 1 >$T/options/funcgraph-irqs
		echo >$T/trace
		echo "$gr_size" >$T/buffer_size_kb
		;;
	esac
}

# "DEPTH NAME" of each call of the command's, of the kernel's text; only functions of /tmp/known.
gr_theirs() { # COMM
	awk -F'|' -v comm="$1" '
		NR == FNR { known[$1] = 1; next }
		index($2, comm "-") || index($1, comm "-") {
			text = $NF
			if (!match(text, /[^ ]/)) next
			depth = (RSTART - 3) / 2
			name = substr(text, RSTART)
			if (name !~ /^[a-zA-Z_][a-zA-Z0-9_.]*\(/) next
			sub(/\(.*/, "", name)
			if (name in known) print depth, name
		}' /tmp/known /tmp/text
}

# The same of ours.
gr_ours() {
	awk '
		/^ *[^|]* \[[0-9]+\] *[0-9.]+:$/ { next }
		{
			at = index($0, "|  ")
			if (!at) next
			text = substr($0, at + 3)
			match(text, /[^ ]/)
			depth = (RSTART - 1) / 2
			name = substr(text, RSTART)
			if (name !~ /^[a-zA-Z_]/) next
			sub(/\(.*/, "", name)
			print depth, name
		}' /tmp/gr
}

# Without what such functions call, of which ktrace says by whom they are called, as nobody may probe that one: ktrace
# counts a level for it, and the kernel's text, which doesn't have it, none.
gr_plain() {
	sed -n 's/^[^|]*|  *\([a-zA-Z0-9_.]*\)(.*called by .*/\1/p' /tmp/gr | sort -u >/tmp/via
	awk 'FILENAME == "/tmp/via" { via[$1] = 1; next }
		below && $1 > depth { next }
		{ below = $2 in via; depth = $1; print }' /tmp/via -
}

# gr_same ROOT DEPTH LEAST COMMAND...: both trace the same run of it.
gr_same() {
	root=$1 depth=$2 gr_least=$3
	shift 3
	gr_size=$(sed 's/ .*//' $T/buffer_size_kb)
	ktrace graph -D --depth "$depth" "$root" | sed -n 's/^p:[^ ]* \([^ +]*\)+0 .*/\1/p' | sort -u >/tmp/known
	gr_tracer on "$root" "$depth"
	ktrace graph -v -o /tmp/gr --depth "$depth" "$root" -- "$@" >/dev/null 2>/tmp/err || gr_status=$?
	echo 0 >$T/tracing_on
	cat $T/trace >/tmp/text
	gr_tracer off
	echo 1 >$T/tracing_on
	cat /tmp/err
	tr ' ' '\n' </tmp/err | sed 's/,$//' | sort -u >/tmp/words # functions that are left out are said
	grep -vxFf /tmp/words /tmp/known >/tmp/left || :
	mv /tmp/left /tmp/known
	gr_ours | gr_plain >/tmp/ours
	# the kernel has what the task did before it became the command, too
	gr_theirs "$1" | gr_plain | tail -n "$(wc -l </tmp/ours)" >/tmp/theirs
	wc -l /tmp/known /tmp/ours /tmp/theirs
	diff /tmp/theirs /tmp/ours | head -n 30
	[ "$(wc -l </tmp/ours)" -ge "$gr_least" ] || fault "hardly any call was seen"
	cmp -s /tmp/ours /tmp/theirs || fault "the kernel's own text of the calls is another"
}

gr_read() { gr_same vfs_read 2 106 dd if=/dev/zero of=/dev/null bs=17 count=53; }
check graph-of-vfs_read gr_read

gr_open() { gr_same do_sys_openat2 3 16 cat /tests/run.sh /tests/lib.sh; }
check graph-of-an-open gr_open

gr_deep() { gr_same do_sys_openat2 5 40 cat /tests/run.sh /tests/lib.sh; }
check graph-of-an-open-5-levels gr_deep

gr_values() {
	ktrace graph -q --json -o /tmp/gr 'vfs_read count $retval' 'rw_verify_area c=count $retval' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=53 2>/tmp/err
	cat /tmp/err
	tail -n 2 /tmp/gr
	same "reads with their values" "$(grep -c '"function":"vfs_read","end":"return",.*"args":{"count":17},"return":{"args":{"retval":17}}.*"function":"rw_verify_area","end":"return",.*"args":{"c":17},"return":{"args":{"retval":0}}' /tmp/gr)" 53
}
check graph-values gr_values

gr_killed() {
	ktrace graph vfs_read >/dev/null 2>/tmp/err &
	pid=$!
	live $pid
	kill -9 $pid
	wait $pid || :
	ktrace clean
}
check graph-killed gr_killed
