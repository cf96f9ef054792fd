# The kernel's own functions, under a workload that is known.

vfs_read_count() {
	ktrace probe -q --filter 'count == 17' 'vfs_read count' -- dd if=/dev/zero of=/dev/null \
		bs=17 count=13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out 'probe:vfs_read: (vfs_read+0x[0-9a-f]*) count=17$')" 13
	same "all lines" "$(wc -l </tmp/out)" 13
}
check stock-vfs-read vfs_read_count

vfs_read_return() {
	ktrace probe -q --json --filter 'retval == 17' 'vfs_read%return $retval:s64' -- dd if=/dev/zero \
		of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out '"args":{"retval":17}')" 13
}
check stock-vfs-read-return vfs_read_return

# 33345: O_WRONLY|O_CREAT|O_TRUNC and O_LARGEFILE; 32768: O_LARGEFILE
openat2() {
	ktrace probe -q 'do_sys_openat2 filename:ustring how->flags' -- \
		sh -c ': >/tmp/newfile; cat /etc/passwd >/tmp/copy' >/tmp/out 2>/tmp/err
	has /tmp/out 'filename="/tmp/newfile" flags=33345'
	has /tmp/out 'filename="/etc/passwd" flags=32768'
	has /tmp/out 'filename="/tmp/copy" flags=33345'
}
check stock-openat2 openat2

members() {
	ktrace probe -q --json --filter 'count == 17' \
		'vfs_read count file->f_path.dentry->d_name.name:string $comm' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out '"count":17,"name":"zero","comm":"dd"')" 13
}
check stock-members members


# a static of a name that others have, in a kernel that is somewhere else each time it starts
shared_static() {
	spec="type_show@net/core/net-sysfs.c show=dev_attr_type.show:symbol"
	spec="$spec what=dev_attr_type.attr.name:string"
	ktrace probe -D "$spec" >/tmp/out 2>/tmp/err
	has /tmp/out 'show=@_stext+'
	ktrace probe -q "$spec" -- cat /sys/class/net/lo/type >/tmp/out 2>/tmp/err
	cat /tmp/out /tmp/err
	same "events" "$(lines /tmp/out 'show=type_show+0x0 what="type"$')" 1
}
check stock-shared-static shared_static

# each CPU's own run queue says which CPU's it is, and the thread that runs is the event's
woken_by='"comm":"\([^"]*\)","pid":\([0-9]*\),"cpu":\([0-9]*\),.*"args":{"cpu":\3,"pid":\2,"who":"\1"}}$'
per_cpu() {
	ktrace probe -q --json 'try_to_wake_up runqueues.cpu $current->pid who=$current->comm' -- \
		sh -c 'for cpu in 1 2; do taskset $cpu sh -c "for i in 1 2 3; do echo x | cat; done"; done' \
		>/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	grep '"args"' /tmp/out | grep -v "$woken_by" >/tmp/wrong || :
	same "not the event's own" "$(head -n 1 /tmp/wrong)" ""
	for cpu in 0 1; do
		[ "$(lines /tmp/out "\"cpu\":$cpu,.*\"args\"")" -gt 0 ] || fault "nothing on CPU $cpu"
	done
}
check stock-per-cpu per_cpu

# an address that the kernel hides is not known, and nothing is shown for it
hidden() {
	echo 2 >/proc/sys/kernel/kptr_restrict
	s=0
	ktrace probe -m ktfrags 'kt_touch cell r' -- sh -c 'echo 7 77 >/proc/ktfrags' >/tmp/out \
		2>/tmp/err || s=$?
	echo 0 >/proc/sys/kernel/kptr_restrict
	cat /tmp/out /tmp/err
	same "status" $s 0
	same "events" "$(lines /tmp/out ' r=[0-9]*$')" 7
	same "made-up addresses" "$(lines /tmp/out 'cell=0')" 0
	has /tmp/err "'cell' is unavailable: /proc/kallsyms hides addresses"
}
check stock-hidden-addresses hidden 6.1

two_places_one_run() {
	ktrace probe -q --filter 'count == 17' 'vfs_read count' 'ksys_read count' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err
	same "vfs_read" "$(lines /tmp/out ' probe:vfs_read: .*count=17$')" 13
	same "ksys_read" "$(lines /tmp/out ' probe:ksys_read: .*count=17$')" 13
	# in time order, a call comes before what it calls
	same "order" "$(sed 's/.* probe:\([a-z_]*\):.*/\1/' /tmp/out | uniq | wc -l)" 26
	same "first" "$(head -n 1 /tmp/out | grep -c ksys_read)" 1
}
check stock-two-places two_places_one_run 6.1

ambiguous() {
	ktrace probe -D type_show >/tmp/out 2>/tmp/err
	[ "$(wc -l </tmp/out)" -gt 1 ] || fault "one definition for many functions of that name"
	same "by name" "$(lines /tmp/out ' type_show')" 0
	# not every kernel has the second; the command's status would be ktrace's
	ktrace probe -q type_show -- sh -c \
		'cat /sys/class/net/lo/type /sys/class/net/lo/queues/rx-0/uevent || :' \
		>/tmp/out 2>/tmp/err || { cat /tmp/err; fault "they cannot all be probed"; }
}
check stock-ambiguous ambiguous

resolved_spec() {
	hide_symbols
	s=0
	ktrace probe -q --filter 'n == 17' 'vfs_read+0 n=%dx:u64' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err || s=$?
	show_symbols
	cat /tmp/err
	same "status" $s 0
	same "events" "$(lines /tmp/out 'n=17$')" 13
}
check stock-without-debuginfo resolved_spec 6.1

text() {
	ktrace probe -q -c 1 --comm dd 'vfs_read count' -- reads_of 9 >/tmp/out 2>/tmp/err
	grep -Eq '^ {14}dd +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: probe:vfs_read: \(vfs_read\+0x[0-9a-f]+\) count=[0-9]+$' \
		/tmp/out || fault "$(head -n 1 /tmp/out)"
}
check stock-text-as-perf-script text 6.1

# a bare address, as /proc/kallsyms has it
raw_address() {
	at=$(grep -F ' vfs_read' /proc/kallsyms | sed -n 's/^\([0-9a-f]*\) . vfs_read$/0x\1/p')
	same "one vfs_read" "$(echo "$at" | wc -w)" 1
	ktrace probe -q --json --filter 'n == 17' "raw=$at n=%dx:u64" "again=$at n=count" -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	cat /tmp/err
	same "events" "$(lines /tmp/out '"event":"raw","symbol":"vfs_read","offset":[04],.*"args":{"n":17}')" 13
	same "with debug information" "$(lines /tmp/out '"event":"again".*"args":{"n":17}')" 13
}
check stock-address raw_address 6.12
