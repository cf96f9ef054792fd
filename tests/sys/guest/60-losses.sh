# Nothing lost goes unsaid: delivered and lost together are what happened.

overrun() {
	ktrace probe -b 8K --json --filter 'count == 1' -o /tmp/many 'vfs_read count' -- \
		dd if=/dev/zero of=/dev/null bs=1 count=5003 >/dev/null 2>/tmp/err
	seen=$(lines /tmp/many '"args"')
	lost=$(sed -n 's/.*ktrace: [0-9]* events, \([0-9]*\) lost.*/\1/p' /tmp/err)
	cat /tmp/err
	[ "$lost" -gt 0 ] || fault "nothing was lost in a buffer of 8K: is the test right?"
	same "seen and lost" $((seen + lost)) 5003
	has /tmp/many "\"events\":$seen,\"lost\":$lost,\"missed\":0}}"
	has /tmp/err '-b'
}
check lost-are-counted overrun

# Of two dd at once, by the kernel's own count. Nobody else writes to /dev/null meanwhile.
by_profile() {
	ktrace probe -b 8K -o /tmp/many 'write_null count' 2>/tmp/err & pid=$!
	live $pid
	dd if=/dev/zero of=/dev/null bs=1 count=5003 2>/tmp/dd1 & one=$!
	dd if=/dev/zero of=/dev/null bs=1 count=5003 2>/tmp/dd2 & two=$!
	wait $one
	wait $two
	hits=$(awk '$1 == "write_null" { print $2 }' $T/kprobe_profile)
	kill -INT $pid
	ended $pid
	lost=$(sed -n 's/.*ktrace: [0-9]* events, \([0-9]*\) lost, 0 missed$/\1/p' /tmp/err)
	cat /tmp/err
	same "hits" "$hits" 10006
	[ "$lost" -gt 0 ] || fault "nothing was lost in a buffer of 8K: is the test right?"
	same "seen and lost" $(($(lines /tmp/many 'count=1$') + lost)) "$hits"
}
check lost-by-the-kernels-count by_profile

none_lost() {
	ktrace probe --filter 'count == 1' -o /tmp/many 'vfs_read count' -- \
		dd if=/dev/zero of=/dev/null bs=1 count=20011 >/dev/null 2>/tmp/err
	same "events" "$(lines /tmp/many 'count=1$')" 20011
	has /tmp/err '20011 events, 0 lost, 0 missed'
}
check default-buffer-loses-none none_lost

# A return probe can follow only so many calls at once; 40 sleepers are more.
missed() {
	ktrace probe -o /tmp/slept 'do_nanosleep%return' -- sh -c \
		'for i in $(seq 40); do sleep 600 & all="$all $!"; done
		for p in $all; do until grep -q ") S" /proc/$p/stat; do usleep 50000; done; done
		kill $all; wait; true' >/dev/null 2>/tmp/err
	seen=$(wc -l </tmp/slept)
	cat /tmp/err
	n=$(sed -n 's/^ktrace: .* \([0-9]*\) missed.*/\1/p' /tmp/err)
	[ "$n" -gt 0 ] || fault "nothing was missed"
	same "seen and missed" $((seen + n)) 40
	has /tmp/err "missed $n: calls beyond the number of returns that can be waited for at once"
	same "reasons that are not it" "$(lines /tmp/err 'busy on that CPU')" 0
}
check missed-are-counted missed

# A switch for everybody: the kernel enables a probe as ever, and neither hits it nor counts that.
switched_off() {
	echo 0 >"$1"
	status=0
	ktrace probe 'vfs_read count' -- true 2>/tmp/err || status=$?
	echo 1 >"$1"
	same "status" $status 1
	has /tmp/err "switched off on this machine: '$1' is 0"
	ktrace probe --json 'vfs_read count' >/tmp/many 2>/tmp/err & pid=$!
	live $pid
	echo 0 >"$1"
	kill -INT $pid
	ended $pid
	echo 1 >"$1"
	same "status, switched off later" "$ended" 1
	has /tmp/many '"missed":null'
}
kprobes_off() { switched_off /sys/kernel/debug/kprobes/enabled; }
ftrace_off() {
	switched_off /proc/sys/kernel/ftrace_enabled
	echo 0 >/proc/sys/kernel/ftrace_enabled # lines are not ftrace's
	ktrace probe 'vfs_read:12 count' --filter 'count == 17' -o /tmp/many -- dd if=/dev/zero of=/dev/null bs=17 count=7 2>/tmp/err || :
	echo 1 >/proc/sys/kernel/ftrace_enabled
	has /tmp/err '7 events, 0 lost, 0 missed'
}
check kprobes-switched-off kprobes_off
check ftrace-switched-off ftrace_off
