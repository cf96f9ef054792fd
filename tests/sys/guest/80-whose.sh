# Whom a trace shows, and whose it is: commands, children, pid namespaces.

# Others read all the time; the command's reads are those of a child of its child.
command_only() {
	(while :; do reads 1; usleep 20000; done) & other=$!
	ktrace probe --filter 'count == 17' 'vfs_read count' 'done=vfs_read%return count $retval' -- \
		sh -c 'sh -c "reads_of 13; true"; true' >/tmp/out 2>/tmp/err || cat /tmp/err
	ktrace probe -a -c 3 --filter 'count == 17' 'vfs_read count' -- sleep 60 >/tmp/all 2>/tmp/err2
	kill $other
	same "of the command" "$(lines /tmp/out 'count=17$')" 13
	same "its returns" "$(lines /tmp/out 'count=17 retval=17$')" 13
	same "with -a" "$(lines /tmp/all 'count=17$')" 3
}
check command-only command_only

# What only the entry knows, and memory at a sum, come from companions, which follow too.
companions() {
	place=$(sed -n 's/^slots //p' /tests/places)
	ktrace probe -q --json -m ktfrags "$place pages slots" -- sh -c 'sh -c "echo 97 5 >/proc/ktfrags"' \
		>/tmp/out 2>/tmp/err
	truth=$(lines /proc/ktfrags '^slots ')
	[ "$truth" -gt 3 ] || fault "the workload has no such value"
	same "events" "$(grep -c '"args"' /tmp/out)" "$truth"
	ktrace probe -q -e syscalls:sys_enter_read --filter 'count == 17' -- sh -c 'reads_of 13; true' \
		>/tmp/out 2>/tmp/err
	same "of a tracepoint" "$(wc -l </tmp/out)" 13
}
check command-companions companions

status() {
	s=0
	ktrace probe -q 'vfs_read count' -- sh -c 'exit 7' >/tmp/out 2>/tmp/err || s=$?
	same "status" $s 7
}
check command-status status

# A process of several threads and children is covered on the host; here, that a child isn't shown.
no_children() {
	rm -f /tmp/gate
	mkfifo /tmp/gate
	sh -c 'read x </tmp/gate; reads_of 11; exec dd if=/dev/zero of=/dev/null bs=17 count=13' 2>/dev/null & mine=$!
	ktrace probe -p $mine --filter 'count == 17' 'vfs_read count' >/tmp/out 2>/tmp/err & pid=$!
	live $pid
	echo go >/tmp/gate
	wait $mine
	kill -INT $pid
	ended $pid
	same "of the process" "$(lines /tmp/out " $mine .*count=17$")" 13
	same "lines" "$(wc -l </tmp/out)" 13
}
check option-p-no-children no_children

in_group() {
	i=0
	until [ "$(cat "$T/instances/$1/events/$1/enable" 2>/dev/null)" = 1 ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fault "$1 is not live after 60 s: $(cat /tmp/err 2>/dev/null)"
		usleep 100000
	done
}

# Two whose pid is 1. Each mount of /proc is its own namespace's.
namespaces() {
	unshare -m true || fault "no namespaces: is the test right?"
	for i in 1 2; do
		unshare -m -p -f sh -c "mount -t proc proc /proc && exec ktrace probe --filter 'count == 17' 'vfs_read count'" \
			>/tmp/out$i 2>/tmp/err$i &
		eval "n$i=\$!"
		in_group "ktrace_1$([ $i = 1 ] || echo _2)"
	done
	ktrace clean >/tmp/cleaned 2>&1
	same "cleaned" "$(cat /tmp/cleaned)" "nothing was left behind"
	same "alive" "$(ktrace list --json | grep -c '"alive":true')" 2
	reads 13
	killall -INT ktrace
	wait $n1 || { dmesg | tail -n 20; fault "the first: status $?"; }
	wait $n2 || { dmesg | tail -n 20; fault "the second: status $?"; }
	same "the first" "$(lines /tmp/out1 'count=17$')" 13
	same "the second" "$(lines /tmp/out2 'count=17$')" 13
	unshare -m -p -f sh -c "mount -t proc proc /proc && exec ktrace probe -q --filter 'count == 17' 'vfs_read count' -- reads_of 7" \
		>/tmp/out 2>/tmp/err
	same "a command inside" "$(lines /tmp/out 'count=17$')" 7
	s=0
	unshare -m -p -f sh -c "mount -t proc proc /proc && ktrace probe -p 1 'vfs_read count'" >/tmp/out 2>/tmp/err || s=$?
	same "status of -p inside" $s 1
	has /tmp/err "-p 1 can't be traced from here"
}
check pid-namespaces namespaces

another_name() {
	ln -sf /bin/ktrace /tmp/kt
	/tmp/kt probe --filter 'count == 17' 'vfs_read count' >/tmp/out 2>/tmp/err & pid=$!
	live $pid
	ktrace clean >/tmp/cleaned 2>&1
	same "cleaned" "$(cat /tmp/cleaned)" "nothing was left behind"
	reads 13
	kill -INT $pid
	ended $pid
	same "events" "$(lines /tmp/out 'count=17$')" 13
}
check another-name another_name

no_module() {
	for spec in nosuch:vfs_read sched:sched_switch kprobe:vfs_read; do
		s=0
		ktrace probe -t 1 "$spec" >/tmp/out 2>/tmp/err || s=$?
		same "status of $spec" $s 1
	done
	ktrace probe sched:sched_switch >/tmp/out 2>/tmp/err || :
	has /tmp/err 'did you mean -e sched:sched_switch?'
	ktrace probe kprobe:vfs_read >/tmp/out 2>/tmp/err || :
	has /tmp/err "did you mean 'vfs_read'?"
}
check no-such-module no_module
