# SPDX-License-Identifier: GPL-2.0-only
# Trees of calls are the text of the kernel's own function_graph tracer of the same run: calls, nesting, order. The
# guest is ours, so its global settings may be set here; ktrace never does.

# gr_tracer begin | end, gr_tracer on ROOT DEPTH | off: the tracer patches all of the kernel's functions as it comes and as
# it goes, which takes long here: it comes once, and records only while a test asks it to.
gr_tracer() {
	case $1 in
	begin)
		gr_size=$(sed 's/ .*//' $T/buffer_size_kb)
		gr_tracer off
		echo 20000 >$T/buffer_size_kb
		echo 1 >$T/options/funcgraph-proc
		echo 0 >$T/options/funcgraph-irqs
		echo function_graph >$T/current_tracer
		echo >$T/trace
		;;
	on)
		echo "$2" >$T/set_graph_function
		echo "$3" >$T/max_graph_depth
		echo >$T/trace
		echo 1 >$T/tracing_on
		;;
	off)
		echo 0 >$T/tracing_on
		echo >$T/trace
		echo vfs_read >$T/set_graph_function
		;;
	end)
		echo nop >$T/current_tracer
		echo >$T/set_graph_function
		echo 0 >$T/max_graph_depth
		echo 0 >$T/options/funcgraph-proc
		echo 1 >$T/options/funcgraph-irqs
		echo >$T/trace
		echo "$gr_size" >$T/buffer_size_kb
		echo 1 >$T/tracing_on
		;;
	esac
}

# "DEPTH NAME" of each call of the command's, of the kernel's text. Only functions of /tmp/known that such functions
# call: what an interrupt, a page fault or a function called by pointer does in between isn't the tree's, even where it
# is a function that the tree has elsewhere.
gr_theirs() { # COMM
	awk -F'|' -v comm="$1" '
		NR == FNR { known[$1] = 1; next }
		index($2, comm "-") || index($1, comm "-") {
			text = $NF
			if (!match(text, /[^ ]/)) next
			depth = (RSTART - 3) / 2
			name = substr(text, RSTART)
			sub(/ \[[a-z]+\]/, "", name)
			if (name !~ /^[a-zA-Z_][a-zA-Z0-9_.]*\(/) next
			sub(/\(.*/, "", name)
			if (strange && depth > above) next
			strange = !(name in known)
			above = depth
			if (!strange) print depth, name
		}' /tmp/known /tmp/text
}

# The same of ours, which says itself what another function called: by whom. /tmp/hidden has functions that neither
# tracer may trace: what they call is shown by both, as deep as they themselves would be.
gr_ours() {
	awk '
		FILENAME == "/tmp/hidden" { hidden[$1] = 1; next }
		/^ *[^|]* \[[0-9]+\] *[0-9.]+:$/ { strange = 0; next }
		{
			at = index($0, "|  ")
			if (!at) next
			text = substr($0, at + 3)
			match(text, /[^ ]/)
			depth = (RSTART - 1) / 2
			name = substr(text, RSTART)
			if (name !~ /^[a-zA-Z_]/) next
			sub(/\(.*/, "", name)
			by = text
			if (!sub(/.*\/\* called by /, "", by)) by = ""
			sub(/ .*/, "", by)
			if (strange && depth > above) next
			strange = by != "" && !(by in hidden)
			above = depth
			if (!strange) print depth, name
		}' /tmp/hidden /tmp/gr
}

# gr_without LIST FILE: the lines of FILE that LIST doesn't have. (busybox's grep takes an empty LIST for all lines.)
gr_without() {
	awk -v list="$1" 'BEGIN { while ((getline line <list) > 0) has[line] = 1 } !($0 in has)' "$2"
}

gr_module=

# gr_run COMMAND...: both trace it. A run in which either of them lost records says so, and can't be compared.
gr_run() {
	for try in 1 2 3; do
		gr_tracer on "$root" "$depth"
		ktrace graph -v $gr_module -o /tmp/gr --depth "$depth" "$root" -- "$@" >/dev/null 2>/tmp/err || gr_status=$?
		echo 0 >$T/tracing_on
		cat $T/trace >/tmp/text
		gr_tracer off
		cat /tmp/err
		grep -q ' calls\{0,1\}, 0 lost, ' /tmp/err && ! grep -q 'LOST' /tmp/text && return
	done
	fault "records were lost three times"
}

# gr_same ROOT DEPTH LEAST COMMAND...: both trace the same run of it.
gr_same() {
	root=$1 depth=$2 gr_least=$3
	shift 3
	gr_run "$@"
	sed -n 's/^ktrace: left out, [^:]*: //p' /tmp/err | tr -d , | tr ' ' '\n' | sort -u >/tmp/refused
	# what ktrace would show was asked on the host (tests/vm/run), where that takes a thirtieth
	gr_without /tmp/refused "/tests/known/$root-$depth" >/tmp/known
	gr_without /tmp/traced /tmp/refused >/tmp/hidden
	gr_ours >/tmp/ours
	# the kernel has what the task did before it became the command, too
	gr_theirs "$1" | tail -n "$(wc -l </tmp/ours)" >/tmp/theirs
	wc -l /tmp/known /tmp/refused /tmp/hidden /tmp/ours /tmp/theirs
	diff /tmp/theirs /tmp/ours | head -n 30
	[ -s /tmp/known ] || fault "no function is known"
	[ "$(wc -l </tmp/ours)" -ge "$gr_least" ] || fault "hardly any call was seen"
	cmp -s /tmp/ours /tmp/theirs || fault "the kernel's own text of the calls is another"
}

gr_read() { gr_same vfs_read 2 106 dd if=/dev/zero of=/dev/null bs=17 count=53; }

gr_open() { gr_same do_sys_openat2 4 28 cat /tests/run.sh /tests/lib.sh; }

# The module is the same source in all guests, and its functions that are never inlined call each other alike. So one
# text is any kernel's tree; what the kernel's own functions do below is theirs.
gr_of_module() {
	gr_module="-m ktfrags"
	gr_same ktfrags_write 5 40 sh -c 'echo 2 77 >/proc/ktfrags'
	awk '$2 ~ /^kt_/ && $2 !~ /_(note|random)$/ { print $2 }' /tmp/ours >/tmp/tree
	tr '\n' ' ' </tmp/tree
	cmp /tests/graph-module /tmp/tree || fault "the module's tree is another than the other kernel's"
	ktrace graph -n -m ktfrags --depth 5 ktfrags_write >/tmp/out
	has /tmp/out "calls into other files aren't followed"
}

# Each tree in one guest: the tracer and the probes take long here.
if wanted graph-of-vfs_read || wanted graph-of-an-open || wanted graph-of-a-module; then
	cut -d ' ' -f 1 $T/available_filter_functions >/tmp/traced
	[ -e /tmp/before ] || state >/tmp/before 2>&1
	mv /tmp/before /tmp/before-tracer
	gr_tracer begin
	check graph-of-vfs_read gr_read 6.1
	gr_tracer off
	check graph-of-a-module gr_of_module 6.1
	gr_tracer off
	check graph-of-an-open gr_open 6.12
	gr_tracer off
	gr_tracer end
	mv /tmp/before-tracer /tmp/before # the next test must find what was before the tracer
fi

gr_values() {
	ktrace graph -q --json -o /tmp/gr 'vfs_read count $retval' 'rw_verify_area c=count $retval' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=53 2>/tmp/err
	cat /tmp/err
	tail -n 2 /tmp/gr
	same "reads with their values" "$(grep -c '"function":"vfs_read","end":"return",.*"args":{"count":17},"return":{"args":{"retval":17}}.*"function":"rw_verify_area","end":"return",.*"args":{"c":17},"return":{"args":{"retval":0}}' /tmp/gr)" 53
}
check graph-values gr_values 6.1

# Somebody's return probe, defined after ours, has put another return address in place of the one that tells who calls:
# such calls aren't shown, and are counted.
gr_unplaced() {
	ktrace graph --json vfs_read >/tmp/gr 2>/tmp/err & pid=$!
	live $pid
	echo 'r:mine/verify rw_verify_area' >>$T/kprobe_events
	echo 1 >$T/events/mine/verify/enable
	reads
	echo 0 >$T/events/mine/verify/enable
	echo '-:mine/verify' >>$T/kprobe_events
	echo >$T/trace
	kill -INT $pid
	ended $pid
	cat /tmp/err
	tail -n 1 /tmp/gr
	count=$(sed -n 's/^ktrace: vfs_read: calls left out, as their caller .* known: //p' /tmp/err)
	[ "${count:-0}" -ge 13 ] || fault "nothing says that calls were left out"
	has /tmp/gr "\"left_out_unplaced\":$count}" # a call that began before may be counted before it
}
check graph-unplaced gr_unplaced

gr_killed() {
	ktrace graph vfs_read >/dev/null 2>/tmp/err &
	pid=$!
	live $pid
	kill -9 $pid
	wait $pid || :
	ktrace clean
}
check graph-killed gr_killed 6.1
