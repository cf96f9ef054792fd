# SPDX-License-Identifier: GPL-2.0-only
# Events that are there already (-e), by themselves and beside kprobes.

tp_writes() {
	ktrace probe --json -o /tmp/tp --filter 'count == 17' -e syscalls:sys_enter_write -- \
		dd if=/dev/zero of=/dev/null bs=17 count=1003 2>/tmp/err
	cat /tmp/err
	same "writes" "$(lines /tmp/tp '"event":"sys_enter_write".*"args":{"fd":1,"buf":"0x[0-9a-f]*","count":17}')" 1003
	same "names" "$(lines /tmp/tp '"comm":"dd"')" 1003
	has /tmp/err '1003 events, 0 lost, 0 missed'
}
check tracepoint-writes tp_writes 6.12

tp_lost() {
	ktrace probe -b 8K --json -o /tmp/tp --filter 'count == 1' -e syscalls:sys_enter_write -- \
		dd if=/dev/zero of=/dev/null bs=1 count=5003 2>/tmp/err
	cat /tmp/err
	seen=$(lines /tmp/tp '"args"')
	lost=$(sed -n 's/.*ktrace: [0-9]* events, \([0-9]*\) lost.*/\1/p' /tmp/err)
	[ "$lost" -gt 0 ] || fault "nothing was lost in a buffer of 8K: is the test right?"
	same "seen and lost" $((seen + lost)) 5003
	same "names" "$(lines /tmp/tp '"comm":"dd"')" "$seen"
}
check tracepoint-lost-are-counted tp_lost 6.12

tp_exec() {
	ktrace probe -q -e sched:sched_process_exec --filter 'filename ~ "*/reads_of"' -- \
		/bin/reads_of 3 >/tmp/tp 2>/tmp/err
	same "execs" "$(lines /tmp/tp 'reads_of .* sched:sched_process_exec: filename="/bin/reads_of" pid=')" 1
	same "all" "$(wc -l </tmp/tp)" 1
	ktrace probe -q -e syscalls:sys_enter_openat -- /bin/cat /etc/passwd >/tmp/tp 2>/tmp/err
	has /tmp/tp 'sys_enter_openat: dfd=-100 filename=0x'
}
check tracepoint-strings tp_exec

# The vfs_write of a write, and its system call, in the order of time.
tp_beside() {
	ktrace probe -q -o /tmp/tp --filter 'count == 19' 'vfs_write count' -e 'syscalls:sys_enter_writ[e]' -- \
		dd if=/dev/zero of=/dev/null bs=19 count=100 2>/tmp/err
	cat /tmp/err
	same "events" "$(wc -l </tmp/tp)" 200
	same "pairs" "$(sed -n 's/.*: \([a-z]*:[a-z_]*\):.*count=19$/\1/p' /tmp/tp | paste -s -d ' \n' - |
		sort -u)" "syscalls:sys_enter_write probe:vfs_write"
}
check tracepoint-beside-kprobe tp_beside 6.12

# Every event of every system is understood, on this kernel too.
tp_all() {
	ktrace probe -n -e '*:*' >/tmp/tp 2>/tmp/err
	same "events" "$(wc -l </tmp/tp)" "$(ls -d $T/events/*/*/enable | wc -l)"
	ktrace probe --json -o /tmp/tp -e 'sched:*' -e 'task:*' -e 'raw_syscalls:*' -- /bin/reads_of 200 2>/tmp/err
	same "faults" "$(lines /tmp/tp '"errors"')" 0
	[ "$(lines /tmp/tp '"group":"sched"')" -gt 3 ] || fault "no sched events"
	same "names" "$(lines /tmp/tp '"event":"task_rename",.*"oldcomm":"ktrace","newcomm":"reads_of"')" 1
}
check tracepoint-globs tp_all

tp_killed() {
	ktrace probe -q -o /tmp/tp -e 'sched:sched_w*' &
	pid=$!
	live $pid sched/sched_wakeup
	kill -9 $pid
	wait $pid || :
	ktrace probe -n -e sched:sched_switch >/dev/null
	[ -d $T/instances/ktrace_$pid ] || fault "no instance was left: is the test right?"
	ktrace list >/tmp/tp 2>&1
	ktrace clean >/tmp/tp 2>&1
	cat /tmp/tp
	same "instances" "$(find $T/instances -name 'ktrace_*' | wc -l)" 0
}
check tracepoint-killed tp_killed
