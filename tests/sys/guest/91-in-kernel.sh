# SPDX-License-Identifier: GPL-2.0-only
# --in-kernel: tables that a BPF program keeps, and the kernel's own histograms, beside ktrace's tables of the same run, and
# what dd was told to do.

# It says so when the probes are live; no event's `enable` tells. What an earlier one said is removed before: the shell
# empties the file in the background.
tracing() { # FILE
	i=0
	until grep -qs '^ktrace: tracing' "$1"; do
		i=$((i + 1))
		[ $i -lt 600 ] || fault "ktrace is not live after 60 s: $(cat "$1")"
		usleep 100000
	done
}

# dd writes a line about itself, too, of 30 to 36 bytes.
OWN='!(count >= 34 && count < 40)'
# A table without what differs from run to run.
table_of() { # FILE
	sed -e 's/"milliseconds":[0-9]*//' -e '/^{"end"/d' -e '/^{"host"/d' "$1" | sort
}

# each ENGINES ARG...: so many ktraces trace the same, to /tmp/ENGINE, in JSON; then work() runs. What a program
# counts is what ktrace counts, to the last number.
each() {
	engines=$1 running=
	shift
	for engine in $engines; do
		rm -f /tmp/err.$engine /tmp/$engine
		case $engine in
		kernel) option=--in-kernel=trigger ;;
		program) option=--in-kernel=program ;;
		own) option= ;;
		esac
		ktrace probe --json $option -o /tmp/$engine "$@" 2>/tmp/err.$engine & running="$running $!"
		tracing /tmp/err.$engine
	done
	work
	for process in $running; do
		kill -INT $process
		ended $process
	done
	for engine in $engines; do cat /tmp/err.$engine /tmp/$engine; done
	case $engines in
	*program*)
		table_of /tmp/program >/tmp/table.program
		table_of /tmp/own >/tmp/table.own
		cmp /tmp/table.program /tmp/table.own || fault "the program's table is not ktrace's: $*"
		grep -q '^{"row"' /tmp/table.own || fault "nothing was counted: $*" ;;
	esac
}

all() { each "kernel program own" "$@"; }
both() { each "kernel own" "$@"; }

SIZES="1 2 3 4 5 7 8 9 15 16 17 31 32 33 40"

work() {
	for size in $SIZES; do
		dd if=/dev/zero of=/dev/null bs=$size count=$((100 + size)) 2>/dev/null
	done
}

# "KEY hits sum" of a table's rows, whatever else is in them, sorted.
sums_of() { # FILE COLUMN
	sed -n 's/^{"row":{\([^}]*\)}*,"hits":\([0-9]*\),.*"'"$2"'":{"n":[0-9]*,"sum":\([0-9]*\)[,}].*/\1 \2 \3/p' "$1" | sort
}

counts_and_sums() {
	all --comm dd --filter "$OWN" 'vfs_write count count() sum(count) by comm'
	due=$(for size in $SIZES; do echo "$((100 + size)) $(((100 + size) * size))"; done |
		awk '{ n += $1; sum += $2 } END { print n, sum }')
	same "the kernel's" "$(sums_of /tmp/kernel 'sum(count)')" "\"comm\":\"dd\" $due"
	same "the program's" "$(sums_of /tmp/program 'sum(count)')" "\"comm\":\"dd\" $due"
	has /tmp/program "\"events\":${due% *},\"lost\":0,\"missed\":0}}"
	same "ktrace's" "$(sums_of /tmp/own 'sum(count)')" "\"comm\":\"dd\" $due"
	has /tmp/kernel "\"events\":${due% *},\"lost\":0,\"missed\":0}}"
}
check in-kernel-counts-and-sums counts_and_sums

# The other engine's buckets are exact below 64; the kernel's go from above 2^(n-1) to 2^n.
powers() {
	all --comm dd --filter "$OWN" 'vfs_write count hist(count)'
	sed -n 's/.*"buckets":\[\[\(.*\)\]\]}}$/\1/p' /tmp/own | sed 's/\],\[/\n/g' | tr , ' ' |
		awk '{ up = 1; while (up < $1) up *= 2; n[up] += $2 } END { for (up in n) print up, n[up] }' | sort -n >/tmp/due
	sed -n 's/.*"up_to":\[\[\(.*\)\]\]}}$/\1/p' /tmp/kernel | sed 's/\],\[/\n/g' | tr , ' ' | sort -n >/tmp/got
	same "powers" "$(cat /tmp/got)" "$(cat /tmp/due)"
	same "how many" "$(wc -l </tmp/got)" 7
	for size in $SIZES; do echo "$size $((100 + size))"; done |
		awk '{ up = 1; while (up < $1) up *= 2; n[up] += $2 } END { for (up in n) print up, n[up] }' | sort -n >/tmp/due
	same "what dd did" "$(cat /tmp/got)" "$(cat /tmp/due)"
}
check in-kernel-powers powers 6.1

steps() {
	both --comm dd -e 'syscalls:sys_enter_write count() hist(count,10) by fd'
	for file in kernel own; do
		sed -n 's/^{"row":{"fd":1},.*"steps":\[\[\(.*\)\]\].*/\1/p' /tmp/$file >/tmp/steps.$file
	done
	same "steps" "$(cat /tmp/steps.kernel)" "$(cat /tmp/steps.own)"
	same "what dd did" "$(cat /tmp/steps.kernel)" "0,$((101 + 102 + 103 + 104 + 105 + 107 + 108 + 109))],[10,$((115 +
		116 + 117))],[30,$((131 + 132 + 133))],[40,140"
}
check in-kernel-steps steps

full() { # OPTION...
	ktrace probe --json "$@" --keys 128 -o /tmp/kernel --filter 'copied == 1' 'shmem_write_end copied count() by pos' -- \
		dd if=/dev/zero of=/tmp/keys bs=1 count=200 2>/tmp/err
	cat /tmp/err
	counted=$(sed -n 's/^{"row":{"pos.*"hits":\([0-9]*\),.*/\1/p' /tmp/kernel | awk '{ n += $1 } END { print n + 0 }')
	dropped=$(sed -n 's/^{"end".*"dropped":\([0-9]*\).*/\1/p' /tmp/kernel)
	[ "${dropped:-0}" -gt 0 ] || fault "nothing was dropped"
	same "counted and dropped" $((counted + dropped)) 200
	has /tmp/err "dropped: the kernel's table was full"
}

# Each value a row; keys that are signed; a filter; more keys than room: what is dropped is said.
keys() {
	all --comm dd --filter 'count > 3 && count < 33' 'vfs_write count count() by count'
	for file in kernel own; do
		sed -n 's/^{"row":{"count":\([0-9]*\)},"hits":\([0-9]*\),.*/\1 \2/p' /tmp/$file | sort -n >/tmp/$file.rows
	done
	same "rows" "$(cat /tmp/kernel.rows)" "$(cat /tmp/own.rows)"
	same "how many" "$(wc -l </tmp/kernel.rows)" 10
	work() { dd if=/nothing 2>/dev/null || :; dd if=/dev/zero of=/dev/null bs=3 count=17 2>/dev/null; }
	both --comm dd -e 'raw_syscalls:sys_exit count() by ret'
	for file in kernel own; do
		sed -n 's/^{"row":{"ret":\([-0-9]*\)},"hits":\([0-9]*\),.*/\1 \2/p' /tmp/$file | sort -n >/tmp/$file.rows
	done
	grep -q '^-2 ' /tmp/kernel.rows || fault "no ENOENT"
	same "signed keys" "$(grep -e '^-2 ' -e '^3 ' /tmp/kernel.rows)" "$(grep -e '^-2 ' -e '^3 ' /tmp/own.rows)"
	full --in-kernel=trigger
	full --in-kernel=program -a --comm dd
}
check in-kernel-keys keys

# Its own line in a table of several places, and by what is known of the place.
places() {
	work() { dd if=/dev/zero of=/dev/null bs=1 count=503 2>/dev/null; }
	all --comm dd 'vfs_write count()' 'vfs_read count()'
	for file in kernel own; do
		sed -n 's/^\({"row":.*"hits":[0-9]*\).*/\1/p' /tmp/$file >/tmp/$file.rows
	done
	same "places" "$(cat /tmp/kernel.rows)" "$(cat /tmp/own.rows)"
	all --comm dd 'ksys_write:* count() by $line'
	for file in kernel own; do
		sed -n 's/^\({"row":.*"hits":[0-9]*\).*/\1/p' /tmp/$file | sort >/tmp/$file.rows
	done
	same "lines" "$(cat /tmp/kernel.rows)" "$(cat /tmp/own.rows)"
	[ "$(wc -l </tmp/kernel.rows)" -gt 5 ] || fault "few lines"
}
check in-kernel-places-and-lines places 6.1

# What triggers can't: signed numbers, bounds, percentiles, several values, faults, the process.
numbers() {
	work() {
		for size in $SIZES; do
			dd if=/dev/zero of=/dev/null bs=$size count=$((100 + size)) 2>/dev/null
		done
		dd if=/nothing 2>/dev/null || :
		dd if=/tmp of=/dev/null bs=1 count=1 2>/dev/null || :
	}
	program="program own"
	each "$program" 'vfs_read%return count() sum($retval) min($retval) max($retval) hist($retval:s32) by comm' \
		'vfs_write count sum(count) avg(count) min(pos) max(*pos) hist(file->f_mode) by count file->f_flags' \
		'vfs_write:1 at=+0(+8(%si)):u64 hist(at) count() by %cx:s8' --comm dd
	same "tables" "$(lines /tmp/program '^{"table"') $(lines /tmp/own '^{"table"')" "3 3"
	each "$program" 'vfs_read%return ret=$retval:s64 avg(ret) hist(ret,7) by pid tid cpu' --comm dd --comm sh
	each "$program" 'vfs_write count text=+u0(%si):s16 sum(text) far=+8(%dx):u32 sum(far) by far' --comm dd \
		--filter '!(count == 5 || text == 1)'
	grep -q '"error":"fault"' /tmp/program || fault "no fault"
	each "$program" 'vfs_write count pos=+0(%dx):u8 count() by comm' --filter 'count == 7 || count < -1 || pos != 3' --comm dd
	each "$program" 'vfs_write count count()' 'vfs_read count()' 'vfs_open count()' --filter 'comm == "dd" && pid > 1 && cpu < 64'
}
check in-kernel-numbers numbers 6.1

# While a map is read on a CPU, the kernel runs no program there. One ktrace reads its map time and again; the program of
# another one, at a function that this calls, is skipped. Those hits are told, and are what a reader has seen besides.
skipped() {
	rm -f /tmp/err.*
	ktrace probe --json --in-kernel=program -i 0.1 -o /tmp/maps 'vfs_write count count() by count' 2>/tmp/err.maps & maps=$!
	tracing /tmp/err.maps
	ktrace probe --json -o /tmp/own 'bpf_percpu_hash_copy+0 count()' 2>/tmp/err.own & own=$!
	tracing /tmp/err.own
	ktrace probe --json --in-kernel=program -o /tmp/program 'bpf_percpu_hash_copy+0 count()' 2>/tmp/err.program & program=$!
	tracing /tmp/err.program
	dd if=/dev/zero of=/dev/null bs=7 count=100 2>/dev/null
	shown /tmp/maps '"table"' $(($(lines /tmp/maps '"table"') + 10))
	kill -INT $maps
	ended $maps
	# its last reading of its own map is among what it skips, and the other must still be there
	kill -INT $program
	ended $program
	kill -INT $own
	ended $own
	cat /tmp/err.own /tmp/err.program /tmp/program
	skipped=$(sed -n 's/^{"end".*"missed":\([0-9]*\).*/\1/p' /tmp/program)
	[ "$skipped" -gt 0 ] || fault "nothing was skipped"
	same "counted" "$(sed -n 's/^{"end".*"events":\([0-9]*\).*/\1/p' /tmp/program)" 0
	has /tmp/err.program "bpf_percpu_hash_copy $skipped"
	seen=$(sed -n 's/^{"end".*"events":\([0-9]*\).*/\1/p' /tmp/own)
	[ "$seen" -ge "$skipped" ] || fault "skipped $skipped of $seen"
}
check in-kernel-skipped skipped

# The program is on all CPUs, and gone with ktrace, however it ends.
killed() {
	rm -f /tmp/err
	ktrace probe --in-kernel=program 'vfs_write count()' >/dev/null 2>/tmp/err & first=$!
	tracing /tmp/err
	grep . /sys/kernel/tracing/kprobe_events || fault "there is no probe"
	kill -KILL $first
	wait $first || :
	ktrace clean
	! grep . /sys/kernel/tracing/kprobe_events || fault "something is left"
}
check in-kernel-killed killed

refused() { # WORDS ARG...
	words=$1
	shift
	! ktrace probe -n --in-kernel=trigger "$@" >/tmp/out 2>/tmp/err || fault "not refused: $*"
	has /tmp/err "$words"
}

refusals() {
	refused "'max(count)': its histograms keep sums" 'vfs_write max(count)'
	refused "'retval': its histograms take every number for unsigned" 'vfs_write%return sum($retval)'
	refused "'duration': it is computed" 'vfs_write%return hist($duration)'
	refused "'pid': no record says" 'vfs_write count() by pid'
	refused "one text as a key, not two" -e 'sched:sched_switch count() by prev_comm next_comm'
	refused "'comm': the event doesn't record it" -e 'syscalls:sys_enter_write count() by $comm'
	refused "at most 3 keys" 'vfs_write hist(count) by comm tid cpu'
	refused "at most 2 values" 'vfs_write sum(count) sum(file) sum(buf)'
	refused "one hist() at a time" 'vfs_write hist(count) hist(buf)'
	refused "the kernel can't test the filter alone" 'vfs_write%return $duration count()' --filter 'duration > 10'
	ktrace probe -n --in-kernel=trigger 'vfs_write hist(count) sum(count) by tid' >/tmp/out
	has /tmp/out "hist:keys=count.log2,common_pid:vals=hitcount,count:size=8192"
}
check in-kernel-refusals refusals 6.1

# A function of many lines: what can't be probed loses only its lines. How long all of it takes beside one line is
# printed, not judged: that depends on the host.
many_lines() {
	ktrace probe -n 'tcp_sendmsg_locked:*' >/tmp/out
	number=$(sed -n 's/^\([0-9]*\) probes$/\1/p' /tmp/out)
	[ "$number" -gt 80 ] || fault "$number probes"
	read up _ </proc/uptime
	ktrace probe -q 'tcp_sendmsg_locked:3 count()' -- true >/dev/null
	read one _ </proc/uptime
	ktrace probe -q 'tcp_sendmsg_locked:* count() by $line' -- true >/dev/null
	read all _ </proc/uptime
	echo "one line, all $number lines: $up $one $all" | awk '{ print $0; print "seconds", $(NF-1) - $(NF-2), $NF - $(NF-1) }' | tee -a /tmp/figures
}
check lines-of-a-long-function many_lines 6.1
