# SPDX-License-Identifier: GPL-2.0-only
# Tables of kprobes: what the module's own report and dd say, added up by awk.

# "KEY count n sum max" of a table's rows with one key, sorted. FAULT stands for what can't be read.
rows_of() { # FILE COLUMN
	sed -n 's/^{"row":{"[^"]*":\([^}]*\)}*,"hits":\([0-9]*\),.*"'"$2"'":{"n":\([0-9]*\),"sum":\(-*[0-9]*\)[^}]*}.*/\1 \2 \3 \4/p' \
		"$1" | sed 's/^{"error":"fault"/FAULT/' | sort
}

# The same of the report's lines `look`: by prio, of t2.
report_of() {
	sed -n 's/^look .*prio=\([^ ]*\) t2=\([^ ]*\) .*/\1 \2/p' /proc/ktfrags | awk '
		{ count[$1]++ }
		$2 != "FAULT" { n[$1]++; sum[$1] += $2 }
		END { for (key in count) printf "%s %d %d %.0f\n", key, count[key], n[key], sum[key] }' | sort
}

by_member() {
	ktrace probe -m ktfrags --json -o /tmp/table 'kt_look count() sum(o->table[2]) by prio=o->flags.prio' -- \
		sh -c 'echo 211 77 >/proc/ktfrags' 2>/tmp/err
	cat /tmp/err
	rows_of /tmp/table 'sum(o->table\[2\])' >/tmp/got
	report_of >/tmp/due
	cat /tmp/table
	[ "$(wc -l </tmp/due)" -gt 3 ] || fault "few keys: is the test right?"
	same "rows" "$(cat /tmp/got)" "$(cat /tmp/due)"
	same "faults" "$(sed -n 's/^{"table.*"faults":\([0-9]*\).*/\1/p' /tmp/table)" "$(lines /proc/ktfrags '^look.*t2=FAULT')"
}
check table-by-a-member by_member

writes() {
	ktrace probe --json -o /tmp/table --filter 'count == 17' 'vfs_write count() sum(count) hist(count) by comm' -- \
		dd if=/dev/zero of=/dev/null bs=17 count=1003 2>/tmp/err
	cat /tmp/err /tmp/table
	has /tmp/table '{"row":{"comm":"dd"},"hits":1003,"count()":1003,"sum(count)":{"n":1003,"sum":17051,"min":17,"max":17},"hist(count)":{"n":1003,"sum":17051,"min":17,"max":17,"p50":17,"p90":17,"p99":17,"buckets":[[17,1003]]}}'
	same "rows" "$(lines /tmp/table '^{"row"')" 1
}
check table-of-writes writes

returned() {
	ktrace probe --json -o /tmp/table 'vfs_read%return count() hist($retval) max($duration) by comm' \
		'vfs_read count()' -- dd if=/dev/zero of=/dev/null bs=13 count=701 2>/tmp/err
	cat /tmp/err /tmp/table
	sed -n 's/.*"buckets":\[\(.*\)\]}.*/\1/p' /tmp/table | grep -q '\[13,701\]' || fault "701 reads returned 13"
	same "tables" "$(lines /tmp/table '^{"table"')" 2
}
check table-of-returns returned

# Two places in one table; more keys than room.
share() {
	ktrace probe --json -o /tmp/table --filter 'count == 1' 'vfs_write count count()' 'vfs_read count count()' -- \
		dd if=/dev/zero of=/dev/null bs=1 count=503 2>/tmp/err
	cat /tmp/err /tmp/table
	has /tmp/table '{"row":{"place":"vfs_write"},"hits":503,'
	has /tmp/table '{"row":{"place":"vfs_read"},"hits":503,'
	ktrace probe -m ktfrags --json --keys 1 -o /tmp/table 'kt_look count() by n' -- \
		sh -c 'echo 211 77 >/proc/ktfrags' 2>/tmp/err
	cat /tmp/table
	same "rows" "$(lines /tmp/table '^{"row"')" 2
	same "hits" "$(sed -n 's/^{"row.*"hits":\([0-9]*\),.*/\1/p' /tmp/table | paste -s -d + - | sed 's/.*/echo $((&))/' | sh)" \
		"$(lines /proc/ktfrags '^look ')"
}
check table-places-and-others share

lost() {
	ktrace probe -b 8K --json --filter 'count == 1' -o /tmp/table 'vfs_read count count() by comm' -- \
		dd if=/dev/zero of=/dev/null bs=1 count=20011 2>/tmp/err
	cat /tmp/err
	seen=$(sed -n 's/^{"row":{"comm":"dd"},"hits":\([0-9]*\),.*/\1/p' /tmp/table)
	lost=$(sed -n 's/^{"end":{.*"events":[0-9]*,"lost":\([0-9]*\),"missed":0}}$/\1/p' /tmp/table)
	[ "$lost" -gt 0 ] || fault "nothing was lost in a buffer of 8K: is the test right?"
	same "counted and lost" $((seen + lost)) 20011
}
check table-and-what-was-lost lost
