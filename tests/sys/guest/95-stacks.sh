# SPDX-License-Identifier: GPL-2.0-only
# $kstack at kprobes is the kernel's own text of the stack, in another instance.

# The functions of the JSON's stacks, one stack a line.
stacks_of() {
	grep '"args"' "$1" | sed 's/.*"kstack":\[//; s/\]}.*//; s/{"function":"\([^"]*\)"[^}]*}/\1/g'
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
	echo 'count == 17' >$T/instances/mine/events/mine/stack/filter
	echo 1 >$T/instances/mine/events/mine/stack/enable
	ktrace probe -q --json -o /tmp/st --filter 'count == 17' "$1" -- \
		dd if=/dev/zero of=/dev/null bs=17 count=53 2>/tmp/err
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
	ktrace probe -q --folded --filter 'count == 17' 'vfs_write count() max(count) by $kstack' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=53 >/tmp/st 2>/tmp/err
	cat /tmp/st /tmp/err
	same "the sum" "$(sed 's/.* //' /tmp/st | paste -s -d + - | bc 2>/dev/null || sed 's/.* //' /tmp/st)" 53
	grep -q ';ksys_write;vfs_write 53$' /tmp/st || fault "the stack isn't there, outermost first"
}
check stack-folded st_table

st_user() {
	ktrace probe -q --json -o /tmp/st --filter 'count == 17' 'vfs_write count $ustack' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=53 2>/tmp/err
	cat /tmp/err
	tail -n 2 /tmp/st
	same "stacks" "$(grep -c '"ustack":\[{"function":' /tmp/st)" 53
}
check stack-of-the-user-at-a-kprobe st_user
