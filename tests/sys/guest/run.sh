#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# run.sh [FILE [ONLY]]: the guest's script: every live test, or those of a file, of a name, as root, under busybox. Prints `ok NAME` or `not ok NAME -
# why`, and at its very end `end`, without which the run counts as failed. What is compared with
# the module's own report goes to /out, for the host.
mkdir -p /out /tmp
cd /tmp || exit 1
PART=${1:-all} ONLY=${2-}
LINE=$(uname -r | cut -d . -f 1,2)
. /tests/lib.sh
mount -t debugfs debugfs /sys/kernel/debug
mount | sed -n 's| on /usr/lib/debug .*||p' >/tmp/symbols
# A tracer's first event lengthens the top buffer for good (7 KB "expanded: 1408"): here, not in a test.
echo 1408 >$T/buffer_size_kb
insmod /tests/ktfrags.ko || { echo "not ok insmod - $?"; exit 1; }
# where `-m NAME` looks
mkdir -p "/lib/modules/$(uname -r)/extra"
ln -s /tests/ktfrags.ko "/lib/modules/$(uname -r)/extra/ktfrags.ko"
# To search 250 MB for a name that nobody has asked for takes seconds here, and for these at once no more.
ktrace -n vfs_read ksys_read vfs_write ksys_write rw_verify_area vfs_open do_sys_openat2 try_to_wake_up hash_ptr get_kprobe \
	write_null do_nanosleep tcp_sendmsg tcp_sendmsg_locked tcp_retransmit_skb tcp_rcv_established tcp_v4_rcv ip_rcv \
	shmem_write_end bpf_percpu_hash_copy security_inode_permission blk_mq_start_request blk_mq_end_request \
	do_int3 kprobe_page_fault type_show 'tcp_v4_*' \
	>/dev/null 2>&1 || echo "not ok names - $?"
echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
printf '#!/bin/sh\nexec dd if=/dev/zero of=/dev/null bs=17 count=$1 2>/dev/null\n' >/bin/reads_of
chmod +x /bin/reads_of

# Parts that prove something of ktrace alone: one kernel is enough for each.
one_of() { # PART
	case $1 in
	*/30-* | */50-* | */95-pairs*) echo 6.12 ;;
	*/80-* | */90-*) echo 6.1 ;;
	esac
}
for tests in /tests/[0-9]*.sh; do
	case $PART in
	all) ! enough "$(one_of "$tests")" || . "$tests" ;;
	*) case $tests in */"$PART"*) . "$tests" ;; esac ;;
	esac
done
echo end
