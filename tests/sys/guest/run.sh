#!/bin/sh
# Runs in the guest, as root, under busybox: every live test, each between two looks at tracefs,
# which must be the same byte for byte. Prints `ok NAME` or `not ok NAME - why`. What is compared
# with the module's own report goes to /out, for the host.
T=/sys/kernel/tracing
HITS=211 # a prime
mkdir -p /out /tmp
cd /tmp || exit 1

look() { # all that a tracer could leave changed
	for file in kprobe_events uprobe_events set_event buffer_size_kb tracing_on current_tracer \
		trace_clock set_event_pid set_event_notrace_pid events/enable; do
		echo "$file: $(cat $T/$file 2>/dev/null)"
	done
	ls $T/instances
	cat $T/kprobe_profile
}

begin() {
	name=$1 why=
	look >before
}

# Fails the test; the first reason counts.
fail() { why=${why:-$*}; }

finish() {
	look >after
	cmp -s before after || fail "tracefs has changed: $(diff before after | tr '\n' ' ')"
	if [ -n "$why" ]; then
		echo "not ok $name - $why"
		sed 's/^/#  /' err 2>/dev/null | head -n 6
	else
		echo "ok $name"
	fi
}

status() { # WANTED GOT
	[ "$1" = "$2" ] || fail "exit status $2, not $1"
}

has() { # FILE TEXT
	grep -qF -- "$2" "$1" || fail "'$2' is not in $1: $(head -n 3 "$1" | tr '\n' '|')"
}

# Waits until a ktrace in the background has its probes live.
wait_live() {
	i=0
	while ! cat $T/instances/ktrace_*/events/ktrace_*/enable 2>/dev/null | grep -q 1; do
		sleep 0.2
		i=$((i + 1))
		[ $i -lt 150 ] || { fail "never live"; return; }
	done
	sleep 0.5
}

reads() { dd if=/dev/zero of=/dev/null bs="$1" count="$2" 2>/dev/null; }

# TAG SPEC...: the module's run under trace, its report beside.
truth() {
	tag=$1
	shift
	begin "truth $tag: recorded"
	ktrace probe -m /ktfrags.ko --json -q -o "/out/$tag.json" "$@" -- \
		sh -c "echo $HITS 77 >/proc/ktfrags" 2>err
	status 0 $?
	cp /proc/ktfrags "/out/$tag.report"
	finish
}

module_truth() {
	insmod /ktfrags.ko || { echo "not ok insmod - $?"; return; }
	while read -r tag place; do
		case $tag in
		mask) truth mask "$place size slots frag" ;;
		pages) truth pages "$place size offset slots" ;;
		slots) truth slots "$place pages slots" ;;
		esac
	done </places
	truth args 'kt_classify kind ok a b big c d'
	truth members 'kt_classify urgent=o->flags.urgent prio=o->flags.prio delta=o->flags.delta len=o->flags.len wide=o->flags.wide depth=o->in->depth port=o->in->addr.port mac2=o->own.addr.mac[2] mac5=o->own.addr.mac[5] t0=o->table[0] t3=o->table[3] next_big=o->next->big'
	truth strings 'kt_classify name=o->name label=o->in->label:string'
	truth fold 'kt_fold acc add'
	truth twin 'kt_twin x'
	truth steps 'kt_steps:8 acc step signed_step n'
}

stock_functions() {
	begin 'vfs_read count: as many and as large as dd says'
	ktrace probe --json -q --comm dd 'vfs_read count' -o out -- \
		dd if=/dev/zero of=/dev/null bs=777 count=101 2>err
	status 0 $?
	[ "$(grep -c '"count":777}' out)" = 101 ] || fail "$(grep -c '"count":777}' out) hits, not 101"
	finish

	begin 'do_sys_openat2 filename:ustring how->flags'
	echo hello >/tmp/a-name-of-ours
	ktrace probe -q --json 'do_sys_openat2 filename:ustring how->flags' -o out -- \
		cat /tmp/a-name-of-ours >cat.out 2>err
	status 0 $?
	[ "$(grep -c '"filename":"/tmp/a-name-of-ours","flags":32768}' out)" = 1 ] ||
		fail "$(grep a-name out | head -n 1)"
	finish

	begin 'vfs_read%return $retval:s64'
	ktrace probe -q --json --comm dd 'vfs_read%return r=$retval:s64' -o out -- \
		dd if=/dev/zero of=/dev/null bs=333 count=53 2>err
	status 0 $?
	[ "$(grep -c '"r":333}' out)" = 53 ] || fail "$(grep -c '"r":333}' out) hits, not 53"
	finish

	begin 'text looks as perf script does'
	ktrace probe -q -c 1 --comm dd 'vfs_read count' -- dd if=/dev/zero of=/dev/null bs=7 count=9 >out 2>err
	status 0 $?
	grep -Eq '^ *dd +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: probe:vfs_read: \(vfs_read\+0x[0-9a-f]+\) count=[0-9]+$' out ||
		fail "$(head -n 1 out)"
	finish
}

options() {
	begin '-c ends after N events'
	(sleep 6; reads 10 40) &
	ktrace probe -c 7 --comm dd 'vfs_read count' >out 2>err
	status 0 $?
	[ "$(wc -l <out)" = 7 ] || fail "$(wc -l <out) lines"
	has err '7 events'
	wait
	finish

	begin '-t ends after the time'
	ktrace probe -t 1 'vfs_fsync_range' >out 2>err
	status 0 $?
	has err '0 lost'
	finish

	begin '--filter in the kernel'
	ktrace probe -q --json --filter 'count > 100 && comm == "dd"' 'vfs_read count' -o out -- \
		sh -c 'dd if=/dev/zero of=/dev/null bs=50 count=20; dd if=/dev/zero of=/dev/null bs=500 count=31' 2>err
	status 0 $?
	[ "$(grep -c '"count":500}' out)" = 31 ] || fail "$(grep -c '"count":500}' out) of 31"
	! grep -q '"count":50}' out || fail 'the filter lets others through'
	finish

	begin '-p follows one process'
	sh -c 'sleep 8; read x </proc/version; exec dd if=/dev/zero of=/dev/null bs=99 count=17 2>/dev/null' &
	pid=$!
	ktrace probe -q --json -t 12 -p $pid 'vfs_read count' >out 2>err
	status 0 $?
	[ "$(grep -c '"count":99}' out)" = 17 ] || fail "$(grep -c '"count":99}' out) of 17"
	! grep '"args"' out | grep -qv "\"pid\":$pid," || fail 'other processes too'
	wait
	finish

	begin '-- COMMAND that does not exist'
	ktrace probe 'vfs_read' -- /no/such/command >out 2>err
	status 1 $?
	finish

	begin 'two specs, one stream, in order of time'
	ktrace probe -q --json --comm dd 'vfs_read count' 'vfs_read%return $retval:s64' -o out -- \
		dd if=/dev/zero of=/dev/null bs=5 count=29 2>err
	status 0 $?
	sed -n 's/^{"time_ns":\([0-9]*\),.*/\1/p' out >times
	sort -n times | cmp -s - times || fail 'out of order'
	[ "$(grep -c '"count":5}' out)" = 29 ] && [ "$(grep -c '"retval":5}' out)" = 29 ] ||
		fail 'not 29 of each'
	finish
}

endings() {
	for signal in INT TERM HUP; do
		begin "SIG$signal ends it cleanly"
		ktrace probe 'vfs_read count' >out 2>err &
		pid=$!
		wait_live
		kill -$signal $pid
		wait $pid
		status 0 $?
		has err 'events'
		finish
	done

	begin 'a closed pipe ends it cleanly'
	(while :; do reads 10 5; sleep 0.1; done) &
	feeder=$!
	ktrace probe --comm dd 'vfs_read count' 2>err | head -n 2 >out
	[ "$(wc -l <out)" = 2 ] || fail "$(wc -l <out) lines"
	kill $feeder
	wait
	finish

	begin 'a full disk is said, and undone'
	ktrace probe --comm dd 'vfs_read count' -o /full/out -- \
		dd if=/dev/zero of=/dev/null bs=1 count=20000 >out 2>err
	status 1 $?
	has err 'No space left on device'
	rm -f /full/out
	finish

	begin 'kill -9, the next ktrace says so, clean removes it'
	ktrace probe 'vfs_read count' >/dev/null 2>&1 &
	pid=$!
	wait_live
	kill -9 $pid
	wait $pid
	ktrace probe -t 0.2 'vfs_fsync_range' >out 2>err
	status 0 $?
	has err "(pid $pid)"
	ktrace clean >out 2>err
	status 0 $?
	has out "ktrace $pid"
	finish

	begin 'lost events are counted to the event'
	ktrace probe -b 64K --json --comm dd 'vfs_read count' -o out -- \
		dd if=/dev/zero of=/dev/null bs=1 count=50000 2>err
	status 0 $?
	shown=$(grep -c '"count":1}' out)
	lost=$(sed -n 's/.*"lost":\([0-9]*\).*/\1/p' out)
	other=$(grep '"args"' out | grep -cv '"count":1}')
	[ $((shown + lost + other)) -ge 50000 ] && [ $((shown + lost + other)) -le 50040 ] ||
		fail "$shown shown + $lost lost + $other others, of 50000"
	finish
}

others_untouched() {
	echo 'p:mine/theirs vfs_fsync_range' >>$T/kprobe_events
	mkdir $T/instances/theirs
	echo 1 >$T/instances/theirs/events/mine/theirs/enable
	begin 'probes, instance and buffer of others stay'
	ktrace probe -c 3 --comm dd 'vfs_read count' -- dd if=/dev/zero of=/dev/null bs=1 count=9 >out 2>err
	status 0 $?
	ktrace list >out 2>err
	has out 'mine:theirs'
	finish
	echo 0 >$T/instances/theirs/events/mine/theirs/enable
	rmdir $T/instances/theirs
	echo '-:mine/theirs' >>$T/kprobe_events
}

# SPEC STATUS TEXT: what bad input gets.
bad() {
	begin "bad input: $1"
	ktrace probe -t 1 "$1" >out 2>err
	status "$2" $?
	has err "$3"
	[ ! -s out ] || fail 'something on standard output'
	finish
}

bad_input() {
	bad 'vfs_raed count' 1 'vfs_read'
	bad 'vfs_read cuont' 1 "did you mean 'count'"
	bad 'vfs_read:5000' 1 'nearest lines'
	bad 'vfs_read count count' 1 'used twice'
	bad 'vfs_read file->f_moed' 1 'f_mode'
	bad 'do_int3' 1 'blacklisted'
	bad 'vfs_read+3 %di' 1 'instruction boundary'
	bad 'type_show_no_such %di' 1 'type_show_no_such'
	bad 'vfs_read x=%zz' 1 'zz'
	bad 'vfs_read+' 1 '^'
	begin 'bad input: all or nothing'
	ktrace probe -t 1 'vfs_read count' 'vfs_write count' 'do_int3' >out 2>err
	status 1 $?
	finish
	begin 'a name that several functions share'
	ktrace probe -t 0.3 'type_show' >out 2>err
	status 0 $?
	finish
}

# The kernel itself lengthens the top buffer when tracing is first used after boot (some do so only
# for the instance). That is the one thing that may change, and it must end as the kernel meant it.
first_use() {
	begin 'the first use after boot leaves the top buffer as any tracer does'
	meant=$(sed -n 's/.*expanded: \([0-9]*\).*/\1/p' $T/buffer_size_kb)
	size=$(cat $T/buffer_size_kb)
	ktrace probe -t 0.2 'vfs_fsync_range' >out 2>err
	status 0 $?
	case $(cat $T/buffer_size_kb) in
	"$size" | "$meant") ;;
	*) fail "$size became $(cat $T/buffer_size_kb)" ;;
	esac
	sed -i '/^buffer_size_kb/d' before
	look | sed '/^buffer_size_kb/d' >after
	cmp -s before after || fail "tracefs has changed: $(diff before after | tr '\n' ' ')"
	look >before
	finish
}

first_use
module_truth
stock_functions
options
endings
others_untouched
bad_input
