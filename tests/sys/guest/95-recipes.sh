# SPDX-License-Identifier: GPL-2.0-only
# The commands of docs/recipes.md that probe the kernel's functions, live, beside work that they must see.

recipe_work() {
	dd if=/dev/zero of=/dev/null bs=300 count=100 2>/dev/null
	cat /nothing 2>/dev/null || :
	nc -l -p 5000 </dev/null >/dev/null 2>&1 & server=$!
	usleep 100000
	head -c 300000 /dev/zero | nc 127.0.0.1 5000 || :
	kill $server 2>/dev/null || :
	wait $server || :
}

# The shell may have waited for it already, beside another child: then nothing is left of it in /proc.
recipe_ended() { [ ! -e "/proc/$pid" ] || grep -q ') Z' "/proc/$pid/stat"; }

# The probes of some are enabled in an instance, those of others (--in-kernel) elsewhere, of which a message tells.
recipe_live() {
	i=0
	until grep -qs '^ktrace: tracing' /tmp/err || recipe_ended ||
		[ "$(cat "$T/instances/ktrace_$pid/events/ktrace_$pid/enable" 2>/dev/null)" = 1 ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fault "ktrace is not live after 60 s: $(cat /tmp/err)"
		usleep 100000
	done
}

recipe() {
	mkdir -p /etc
	echo guest >/etc/hostname
	ifconfig lo up
	eval "set -- $command"
	verb=$2
	shift 2
	due='^[1-9][0-9,]* events*, '
	[ "$verb" != graph ] || due='|  }'
	[ "$verb" != follow ] || due='^  = -2 '
	for rounds in 1 5 20; do # the listener may be late
		rm -f /tmp/err # the shell empties it in the background, and an earlier one has said that it traces
		ktrace "$verb" "$@" >/tmp/out 2>/tmp/err & pid=$!
		recipe_live
		while [ $rounds -gt 0 ] && ! recipe_ended; do
			recipe_work
			rounds=$((rounds - 1))
		done
		kill -INT $pid 2>/dev/null || :
		ended $pid
		[ $ended = 0 ] && ! grep -q "$due" /tmp/out || break
	done
	cat /tmp/out /tmp/err
	same "status" $ended 0
	grep -q "$due" /tmp/out || fault "no event"
}

# A disk of its own: no other task reads it. Its own count of what was completed: reads, writes.
disk=$(grep -lsx out /sys/block/vd*/serial | cut -d / -f 4)
completed() { awk '{ print $1 + $5 }' "/sys/block/$disk/stat"; }

# rows_by FILE: "KEY HITS" of a table with one key.
rows_by() { sed -n 's/^{"row":{"[^"]*":"\([^"]*\)"},"hits":\([0-9]*\),.*/\1 \2/p' "$1"; }

# $command while 97 blocks are read, all tasks: /tmp/out, and $completed.
trace_blocks() {
	eval "set -- $command"
	shift 2
	completed=$(completed)
	ktrace probe -q --json -o /tmp/out -a "$@" -- sh -c "$(cat /tmp/blocks)" 2>/tmp/err
	completed=$(($(completed) - completed))
	cat /tmp/out /tmp/err
}

recipe_of_disks() {
	trace_blocks
	[ $completed -ge 97 ] || fault "the disk itself counts $completed only"
	rows_by /tmp/out | grep -qx "$disk $completed" || fault "the disk has completed $completed"
}
echo "dd if=/dev/$disk of=/dev/null bs=4k count=97 iflag=direct" >/tmp/blocks

# Packets to an address that nobody has: the kernel itself counts what it sends again.
sent_again() { awk '/^Tcp:/ { n++; if (n == 1) for (i = 1; i <= NF; i++) if ($i == "RetransSegs") at = i; if (n == 2) print $at }' /proc/net/snmp; }

recipe_of_retransmits() {
	eval "set -- $command"
	shift 2
	ifconfig lo up
	ip route add 10.9.9.0/24 dev lo
	before=$(sent_again)
	ktrace probe -q --json -o /tmp/out -a "$@" -- timeout 5 nc 10.9.9.9 80 </dev/null 2>/tmp/err || :
	after=$(sent_again)
	ip route del 10.9.9.0/24 dev lo
	cat /tmp/out /tmp/err
	[ $((after - before)) -ge 2 ] || fault "nothing was sent again"
	same "rows" "$(rows_by /tmp/out)" "10.9.9.9 $((after - before))"
}

# A file system of its own, on a disk in memory. Slow or not: each write of a file, by its name.
recipe_of_files() {
	mke2fs /dev/ram0 >/dev/null 2>&1
	mkdir -p /tmp/files
	mount -t ext4 /dev/ram0 /tmp/files
	eval "set -- $command"
	shift 2
	status=0
	ktrace probe "$@" -- dd if=/dev/zero of=/tmp/files/slow bs=1k count=3 >/tmp/out 2>/tmp/err || status=$?
	same "the recipe's status" $status 0
	ktrace probe -q --json -o /tmp/out "$1" -- sh -c 'dd if=/dev/zero of=/tmp/files/first bs=1k count=53
		dd if=/tmp/files/first of=/dev/null bs=1k; dd if=/dev/zero of=/tmp/files/second bs=1k count=7' 2>/tmp/err
	umount /tmp/files
	cat /tmp/out /tmp/err
	sed -n 's/.*"event":"\([^"]*\)__return".*name":"\([^"]*\)".*/\1 \2/p' /tmp/out | sort | uniq -c |
		awk '{ print $1, $2, $3 }' >/tmp/got
	# dd reads once more, for the end
	printf '%s\n' '54 ext4_file_read_iter first' '53 ext4_file_write_iter first' '7 ext4_file_write_iter second' >/tmp/due
	cmp /tmp/got /tmp/due || fault "other calls: $(cat /tmp/got)"
}

number=0
sed -n 's/^    # \(ktrace .*\)$/\1/p' /tests/recipes.md | grep -v -e ' -e ' -e ' -x ' >/tmp/recipes
while IFS= read -r command; do
	number=$((number + 1))
	case $command in
	*xen_netfront*) ;;
	*disk_name*) check "recipe-$number-disks" recipe_of_disks ;;
	*'tcp_retransmit_skb count()'*) check "recipe-$number-retransmits" recipe_of_retransmits ;;
	*tcp_retransmit*) ;;
	*ext4_*) check "recipe-$number-files" recipe_of_files ;;
	*) check "recipe-$number" recipe ;;
	esac
done </tmp/recipes

# The recipe of events counts what the disk counts, too.
command=$(sed -n 's/^    # \(ktrace .*block:block_rq_issue.*\)$/\1/p' /tests/recipes.md)
recipe_of_requests() {
	trace_blocks
	rows_by /tmp/out | grep -qx "$(cat "/sys/block/$disk/dev") $completed" || fault "the disk has completed $completed"
}
check recipe-requests recipe_of_requests
