# SPDX-License-Identifier: GPL-2.0-only
# $kstack at kprobes is the kernel's own text of the stack, in another instance.

# The functions of the JSON's stacks, one stack a line; the kernel's text has none that are inlined.
stacks_of() {
	grep '"args"' "$1" | sed 's/{"function":"[^"]*","offset":0,"file":[^,]*,"line":[^,]*,"inlined":true,"module":[^}]*},//g; s/.*"kstack":\[//; s/\]}.*//; s/{"function":"\([^"]*\)"[^}]*}/\1/g'
}

# The same of a trace's text.
kernel_text() {
	sed -n 's/^ => \([^ ]*\).*/\1/p; s/.*<stack trace>.*/-/p' "$1" | tr '\n' ',' | sed 's/-,/\n/g' |
		sed 's/,$//' | sed '/^$/d'
}

st_kprobe() { # PLACE DEFINITION
	echo "$2" >>$T/kprobe_events
	mkdir $T/instances/mine
	echo 1 >$T/instances/mine/options/stacktrace
	echo 'count == 237' >$T/instances/mine/events/mine/stack/filter
	echo 1 >$T/instances/mine/events/mine/stack/enable
	ktrace probe -q --json -o /tmp/st --filter 'count == 237' "$1" -- \
		dd if=/dev/zero of=/dev/null bs=237 count=53 2>/tmp/err
	echo 0 >$T/instances/mine/events/mine/stack/enable
	cat $T/instances/mine/trace >/tmp/text
	rmdir $T/instances/mine
	echo '-:mine/stack' >>$T/kprobe_events
	cat /tmp/err
	stacks_of /tmp/st | sort | uniq -c >/tmp/ours
	kernel_text /tmp/text | sort | uniq -c >/tmp/theirs
	cat /tmp/ours /tmp/theirs
	same "events" "$(grep -c '"args"' /tmp/st)" 53
	cmp -s /tmp/ours /tmp/theirs || fault "the kernel's own text of the stacks is another"
}

st_entry() {
	st_kprobe 'vfs_write count $kstack' 'p:mine/stack vfs_write count=%dx:u64'
	same "the place is first" "$(grep -c '"kstack":\[{"function":"vfs_write","offset":[0-4],' /tmp/st)" 53
}
check stack-at-a-kprobe st_entry

st_table() {
	ktrace probe -q --folded --filter 'count == 237' 'vfs_write count() max(count) by $kstack' -- \
		dd if=/dev/zero of=/dev/null bs=237 count=53 >/tmp/st 2>/tmp/err
	cat /tmp/st /tmp/err
	same "the sum" "$(sed 's/.* //' /tmp/st | paste -s -d + - | bc 2>/dev/null || sed 's/.* //' /tmp/st)" 53
	grep -q ';ksys_write;vfs_write 53$' /tmp/st || fault "the stack isn't there, outermost first"
}
check stack-folded st_table 6.1

st_user() {
	ktrace probe -q --json -o /tmp/st --filter 'count == 237' 'vfs_write count $ustack' -- \
		dd if=/dev/zero of=/dev/null bs=237 count=53 2>/tmp/err
	cat /tmp/err
	tail -n 2 /tmp/st
	same "stacks" "$(grep -c '"ustack":\[{"function":' /tmp/st)" 53
}
check stack-of-the-user-at-a-kprobe st_user 6.1

# What is inlined, files and lines: the host asks addr2line (tests/sys/guest/frames) about the kernel's own addresses.
# lines_of NAME EVENTS COMMAND: $@ is ktrace's specs. EVENTS are enabled in another instance, too.
lines_of() {
	name=$1 events=$2 work=$3
	shift 3
	mkdir $T/instances/mine
	for option in stacktrace sym-offset sym-addr; do echo 1 >$T/instances/mine/options/$option; done
	for event in $events; do echo 1 >$T/instances/mine/events/$event/enable; done
	ktrace probe -q --json -o /out/frames-$name.json "$@" -- sh -c "{ $work; } 2>/dev/null" \
		>/dev/null 2>/tmp/err || fault "status $?"
	for event in $events; do echo 0 >$T/instances/mine/events/$event/enable; done
	cat $T/instances/mine/trace >/out/frames-$name.text
	rmdir $T/instances/mine
	[ ! -s /tmp/err ] || fault "$(cat /tmp/err)"
	grep -q '"inlined":true' /out/frames-$name.json || fault "no inlined frame"
}

st_lines_kernel() {
	grep -m 1 ' _stext$' /proc/kallsyms >/out/frames-base
	(cd /sys/module && grep -H . */sections/.text) >/out/frames-modules
	echo 'p:mine/write vfs_write' >>$T/kprobe_events
	echo 'p:mine/path security_inode_permission' >>$T/kprobe_events
	lines_of kprobes "mine/write mine/path" 'dd if=/dev/zero of=/dev/null bs=237 count=20; ls -lR /proc/self /tmp' \
		'vfs_write $kstack' 'security_inode_permission $kstack'
	echo '-:mine/write' >>$T/kprobe_events
	echo '-:mine/path' >>$T/kprobe_events
}
check stack-lines-at-kprobes st_lines_kernel

st_lines_events() {
	[ -s /out/frames-base ] || st_lines_kernel
	lines_of events "sched/sched_switch kmem/kmalloc timer/hrtimer_expire_entry" \
		'for i in 1 2 3 4 5; do usleep 1000; ls -l /proc/1/fd; sync; done | cat' \
		-k "$(echo /usr/lib/debug/boot/vmlinux-*)" -e 'sched:sched_switch $kstack' -e 'kmem:kmalloc $kstack' -e 'timer:hrtimer_expire_entry $kstack'
}
check stack-lines-at-tracepoints st_lines_events 6.1

# kt_twin is two functions of the module.
st_lines_module() {
	[ -s /out/frames-base ] || st_lines_kernel
	grep -F ' kt_twin' /proc/kallsyms | sed -n 's/^\([0-9a-f]*\) t kt_twin\t.*/p:mine\/twin_\1 0x\1/p' >>$T/kprobe_events
	echo 'p:mine/note ktfrags:kt_note' >>$T/kprobe_events
	lines_of module "$(sed -n 's/^p:\(mine.[^ ]*\).*/\1/p' $T/kprobe_events)" 'echo 7 77 >/proc/ktfrags' \
		-m ktfrags 'kt_note $kstack' 'kt_twin $kstack'
	sed -n 's/^p:\(mine[^ ]*\).*/-:\1/p' $T/kprobe_events >/tmp/gone
	while read -r line; do echo "$line" >>$T/kprobe_events; done </tmp/gone
	same "both twins" "$(grep -o '^.*"event":"kt_twin.*"file":"[^"]*twin_[ab]' /out/frames-module.json |
		grep -o 'twin_[ab]$' | sort -u | tr '\n' ' ')" "twin_a twin_b "
}
check stack-lines-in-a-module st_lines_module 6.12
