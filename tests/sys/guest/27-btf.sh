# No debug information on the machine: BTF, the image in /boot, /proc/kallsyms, and a module that has BTF too.

hide_symbols
BTF_MODULE=/tests/ktfrags_btf.ko
export XDG_CACHE_HOME=/tmp/cache

btf_read() {
	ktrace probe -v --filter 'count == 17' 'vfs_read count file->f_path.dentry->d_name.name:string' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	has /tmp/err 'debug information from btf'
	same "events" "$(lines /tmp/out 'count=17 name="zero"$')" 13
}
check btf-vfs-read btf_read

# made by the first test; its code is known, so that no probe is set inside an instruction
btf_kept() {
	same "kernels kept" "$(find /tmp/cache/ktrace/vmlinux -type f | wc -l)" 1
	ktrace probe -n 'vfs_read+1 $params' >/tmp/out 2>/tmp/err && fault "a probe inside an instruction"
	has /tmp/err 'lies inside an instruction'
}
check btf-kept btf_kept

btf_return() {
	ktrace probe -q --json --filter 'retval == 17' 'vfs_read%return count $retval' -- dd if=/dev/zero \
		of=/dev/null bs=17 count=13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out '"args":{"count":17,"retval":17}')" 13
}
check btf-return btf_return

btf_openat2() {
	ktrace probe -q 'do_sys_openat2 filename:ustring how->flags $current->comm' -- \
		sh -c 'cat /etc/passwd >/tmp/copy' >/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	has /tmp/out 'filename="/etc/passwd" flags=32768 comm="cat"'
	has /tmp/out 'filename="/tmp/copy" flags=33345 comm="sh"'
}
check btf-openat2 btf_openat2

btf_tcp() {
	ifconfig lo 127.0.0.1 up
	nc -l -p 99 </dev/null >/dev/null &
	server=$!
	until netstat -ltn | grep -q ':99 '; do usleep 100000; done
	ktrace probe -q --comm nc 'tcp_sendmsg size sk->__sk_common.skc_family sk->__sk_common.skc_dport' -- \
		sh -c 'echo seventeen_letters | nc 127.0.0.1 99' >/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	kill $server 2>/dev/null || :
	cat /tmp/out
	# 99 in the network's order
	same "events" "$(lines /tmp/out 'size=18 skc_family=2 skc_dport=25344$')" 1
}
check btf-tcp-sendmsg btf_tcp

btf_refused() {
	for spec in 'tcp_sendmsg:3 size' 't_start m' 't_start no_such_name' 'net/ipv4/tcp.c:100'; do
		ktrace probe "$spec" -c 1 >/tmp/out 2>/tmp/err && fault "'$spec' is accepted"
		grep BTF /tmp/err || { cat /tmp/err; fault "'$spec': no word of BTF"; }
	done
	ktrace probe -n -m /tests/ktfrags.ko --debuginfo btf kt_look >/tmp/out 2>/tmp/err && fault "a module without BTF"
	has /tmp/err 'no BTF in'
}
check btf-refused btf_refused 6.12

# the module says itself what is true, as in 10-truth.sh
btf_row() {
	ktrace probe -v -m $BTF_MODULE --json -o "/out/btf-$tag.json" "$place $arguments" -- \
		sh -c "echo 211 77 >/proc/ktfrags" 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	cat /proc/ktfrags >"/out/btf-$tag.report"
	has /tmp/err "ktfrags_btf.ko': debug information from btf"
	has /tmp/err ' 0 lost, 0 missed'
}
sed '/^[^#]/!d' /tests/table_btf | while read -r tag place arguments; do
	check "btf-recorded-$tag" btf_row 6.12
done

show_symbols
unset XDG_CACHE_HOME
