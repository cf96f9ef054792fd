# SPDX-License-Identifier: GPL-2.0-only
# Pairs of kprobes and tracepoints: what the module's own report, the kernel's own counters and sleeping programs say.

# The counts of the only pair: "starts ends pairs unpaired_starts ..."
counts_of() {
	sed -n 's/.*"pairs":\[{"pair":"[^"]*",\([^}]*\)}\]}}$/\1/p' "$1" | sed 's/"[a-z_]*"://g; s/,/ /g'
}

# A function that calls itself, and its return: the report tells of each call at its end.
recursion() {
	ktrace probe -m ktfrags --json -o /tmp/pairs 'kt_dead x tag depth -> kt_dead%return r=$retval' -- \
		sh -c 'echo 211 77 >/proc/ktfrags' 2>/tmp/err
	cat /tmp/err
	sed -n 's/.*"args":{"x":\([0-9]*\),"tag":\([0-9]*\),"depth":\([0-9]*\),.*/dead x=\1 tag=\2 depth=\3/p' /tmp/pairs >/tmp/got
	grep '^dead ' /proc/ktfrags >/tmp/due
	n=$(wc -l </tmp/due)
	[ "$n" -gt 3 ] || fault "few calls: is the test right?"
	same "calls" "$(cat /tmp/got)" "$(cat /tmp/due)"
	same "counts" "$(counts_of /tmp/pairs)" "$n $n $n 0 0 0 0 0"
}
check pair-recursion recursion

# Two lines of one call: the loop's, pass by pass.
passes() {
	ktrace probe -m ktfrags --json -o /tmp/pairs 'kt_classify a -> kt_classify%return $retval' -- \
		sh -c 'echo 97 3 >/proc/ktfrags' 2>/tmp/err
	cat /tmp/err
	set -- $(counts_of /tmp/pairs)
	[ "$1" -gt 10 ] || fault "few calls: is the test right?"
	same "starts, ends, pairs" "$1 $2 $3" "$1 $1 $1"
	same "lines" "$(lines /tmp/pairs '"args"')" "$1"
}
check pair-whole-calls passes

# The kernel counts the segments that it receives; each was an IP packet first.
segments() {
	ifconfig lo 127.0.0.1 up
	in_segments() { awk '$1 == "Tcp:" && $2 ~ /^[0-9]/ { print $11 }' /proc/net/snmp; }
	line=$(uname -r | sed 's/^6\.1\..*/12/; s/^6\.12\..*/13/') # of the same statement
	before=$(in_segments)
	ktrace probe -a --json -o /tmp/pairs "ip_rcv:6 skb -> tcp_v4_rcv:$line skb"' count() hist($duration) on skb' -- \
		sh -c 'nc -l -p 7778 >/dev/null & until cat /proc/net/tcp* | grep -q ":1E62 .* 0A "; do usleep 20000; done; dd if=/dev/zero bs=1000 count=200 2>/dev/null | nc 127.0.0.1 7778; wait' 2>/tmp/err
	cat /tmp/err /tmp/pairs
	seen=$(sed -n 's/^{"row":{},"hits":\([0-9]*\),.*/\1/p' /tmp/pairs)
	same "segments" "$seen" $(($(in_segments) - before))
	[ "$seen" -gt 5 ] || fault "few segments: is the test right?"
}
check pair-segments segments

# A program that sleeps five times is off the CPU as often, from soon after it has set its timer on.
off_cpu() {
	ktrace probe -a --json -o /tmp/pairs -e 'sched:sched_switch pid=prev_pid -> sched:sched_switch pid=next_pid on pid count() sum($duration) by comm' -- \
		sh -c 'for i in 1 2 3 4 5; do usleep 200000; done' 2>/tmp/err
	cat /tmp/err
	grep -F '"comm":"usleep"' /tmp/pairs || { cat /tmp/pairs; fault "usleep is in no row"; }
	n=$(sed -n 's/^{"row":{"comm":"usleep"},"hits":\([0-9]*\),.*/\1/p' /tmp/pairs)
	ns=$(sed -n 's/^{"row":{"comm":"usleep"}.*"sum":\([0-9]*\),.*/\1/p' /tmp/pairs)
	[ "$n" -ge 5 ] || fault "off the CPU $n times"
	[ "$ns" -ge 500000000 ] || fault "off the CPU for $ns ns"
	rows=$(sed -n 's/^{"row":.*"hits":\([0-9]*\),.*/\1/p' /tmp/pairs | paste -s -d + - | sed 's/.*/echo $((&))/' | sh)
	set -- $(counts_of /tmp/pairs)
	same "the sum of the table" "$rows" "$3"
	same "starts" "$1" $(($3 + $4 + $6 + $7 + $8))
	same "ends" "$2" $(($3 + $5))
}
check pair-off-cpu off_cpu

# What a small buffer loses takes no wrong pair with it: the count of the start is that of the same call.
lost() {
	ktrace probe -b 8K --json --filter 'n == 1' -o /tmp/pairs 'vfs_read n=count -> vfs_read%return m=count r=$retval' -- \
		dd if=/dev/zero of=/dev/null bs=1 count=20011 2>/tmp/err
	cat /tmp/err
	set -- $(counts_of /tmp/pairs)
	same "starts" "$1" $(($3 + $4 + $6 + $7 + $8))
	same "ends" "$2" $(($3 + $5))
	# what the entry alone knew of m may be lost; it is said then
	grep '"args"' /tmp/pairs | grep -v '"args":{"n":1,"m":1,"r":1,' | grep -v '"args":{"n":1,"m":null,"r":1,.*"errors":{"m":"entry not seen"}' >/tmp/wrong || :
	same "pairs of two calls" "$(head -n 3 /tmp/wrong)" ""
}
check pair-lost lost
