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


two_places_one_run() {
	ktrace probe -q --filter 'count == 17' 'vfs_read count' 'ksys_read count' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err
	same "vfs_read" "$(lines /tmp/out ' probe:vfs_read: .*count=17$')" 13
	same "ksys_read" "$(lines /tmp/out ' probe:ksys_read: .*count=17$')" 13
	# in time order, a call comes before what it calls
	same "order" "$(sed 's/.* probe:\([a-z_]*\):.*/\1/' /tmp/out | uniq | wc -l)" 26
	same "first" "$(head -n 1 /tmp/out | grep -c ksys_read)" 1
}
check stock-two-places two_places_one_run

ambiguous() {
	ktrace probe -D type_show >/tmp/out 2>/tmp/err
	[ "$(wc -l </tmp/out)" -gt 1 ] || fault "one definition for many functions of that name"
	same "by name" "$(lines /tmp/out ' type_show')" 0
	ktrace probe -q type_show -- cat /sys/class/net/lo/type /sys/class/net/lo/queues/rx-0/uevent \
		>/tmp/out 2>/tmp/err || { cat /tmp/err; fault "they cannot all be probed"; }
}
check stock-ambiguous ambiguous

resolved_spec() {
	mount -o remount,ro /usr/lib/debug 2>/dev/null || :
	umount -l /usr/lib/debug
	s=0
	ktrace probe -q --filter 'n == 17' 'vfs_read+0 n=%dx:u64' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err || s=$?
	mount -t squashfs -o ro "$(cat /tmp/symbols)" /usr/lib/debug
	cat /tmp/err
	same "status" $s 0
	same "events" "$(lines /tmp/out 'n=17$')" 13
}
check stock-without-debuginfo resolved_spec

text() {
	ktrace probe -q -c 1 --comm dd 'vfs_read count' -- reads_of 9 >/tmp/out 2>/tmp/err
	grep -Eq '^ {14}dd +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: probe:vfs_read: \(vfs_read\+0x[0-9a-f]+\) count=[0-9]+$' \
		/tmp/out || fault "$(head -n 1 /tmp/out)"
}
check stock-text-as-perf-script text
