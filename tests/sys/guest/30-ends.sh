# However a trace ends, tracefs is what it was (check compares) and the status says how.

start() { ktrace probe "$@" >/tmp/out 2>/tmp/err & pid=$!; live $pid; }

by_signal() {
	start --filter 'count == 17' 'vfs_read count'
	reads 13
	shown /tmp/out 'count=17$' 13
	kill "-$1" $pid
	ended $pid
	same "status" $ended 0
	same "events" "$(lines /tmp/out 'count=17$')" 13
	has /tmp/err 'ktrace: 13 events, 0 lost, 0 missed'
}
sigint() { by_signal INT; }
sigterm() { by_signal TERM; }
sighup() { by_signal HUP; }
check end-sigint sigint
check end-sigterm sigterm
check end-sighup sighup

# Events still in the buffer when the signal comes are printed too.
last_events() {
	start --filter 'count == 17' 'vfs_read count'
	reads 1009
	kill -INT $pid
	ended $pid
	same "events" "$(lines /tmp/out 'count=17$')" 1009
}
check end-last-events last_events

closed_after() { # that many events
	rm -f /tmp/pipe
	mkfifo /tmp/pipe
	(head -n 3 >/tmp/out) </tmp/pipe &
	ktrace probe --filter 'count == 17' 'vfs_read count' >/tmp/pipe 2>/tmp/err & pid=$!
	live $pid
	reads "$1"
	ended $pid
	same "lines" "$(wc -l </tmp/out)" 3
}
closed_pipe() { closed_after 13; }
check end-closed-pipe closed_pipe

# Nothing more to write, so nothing tells but the pipe itself.
closed_idle_pipe() { closed_after 3; }
check end-closed-idle-pipe closed_idle_pipe

full_disk() {
	s=0
	ktrace probe --filter 'count == 17' -o /full/out 'vfs_read count' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=10007 >/tmp/out 2>/tmp/err || s=$?
	rm -f /full/out
	same "status" $s 1
	has /tmp/err 'No space left on device'
}
check end-full-disk full_disk

full_stdout() {
	s=0
	ktrace probe --filter 'count == 17' 'vfs_read count' -- reads_of 10007 >/full/out 2>/tmp/err || s=$?
	rm -f /full/out
	same "status" $s 1
	has /tmp/err 'No space left on device'
}
check end-full-stdout full_stdout

dev_full() {
	s=0
	ktrace probe -D 'vfs_read count' >/dev/full 2>/tmp/err || s=$?
	same "status" $s 1
	has /tmp/err 'No space left on device'
}
check end-dry-run-full dev_full

killed() {
	start 'vfs_read count' 'vfs_write%return $retval'
	dead=$pid
	kill -9 $pid
	wait $pid || :
	grep -q "ktrace_$dead/" $T/kprobe_events || fault "kill -9 left nothing: is the test right?"
	[ -d $T/instances/ktrace_$dead ] || fault "kill -9 left no instance: is the test right?"
	ktrace list >/tmp/list 2>&1
	has /tmp/list "dead ktrace $dead"
	ktrace probe -c 1 --filter 'count == 17' 'vfs_read count' -- reads_of 3 >/tmp/out 2>/tmp/err
	has /tmp/err 'ktrace clean'
	has /tmp/err "$dead"
	# a living one stays when the dead are cleaned
	start --filter 'count == 17' 'vfs_read count'
	ktrace clean >/tmp/cleaned 2>&1
	has /tmp/cleaned "$dead"
	[ -d $T/instances/ktrace_$pid ] || fault "clean removed a living ktrace's instance"
	reads 13
	kill -INT $pid
	ended $pid
	same "events of the living" "$(lines /tmp/out 'count=17$')" 13
	ktrace clean >/tmp/cleaned 2>&1 || fault "clean with nothing to do fails"
}
check end-kill-9-and-clean killed

# A stop between the first write and the live trace: by a signal that comes early.
early() {
	for delay in 100000 300000 500000 800000 1200000; do
		ktrace probe 'vfs_read count' 'vfs_write count' 'do_sys_openat2 filename:ustring' \
			>/tmp/out 2>/tmp/err & pid=$!
		usleep $delay
		kill -TERM $pid
		ended $pid
		case $ended in
		0 | 143) ;;
		*) fault "after $delay us: status $ended" ;;
		esac
	done
}
check end-early-signals early
