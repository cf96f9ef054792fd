# What the options promise; and what is somebody else's stays theirs.

count() {
	ktrace probe -c 7 --filter 'count == 17' 'vfs_read count' -- reads_of 13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out 'count=17$')" 7
	has /tmp/err '7 events'
}
check option-c count

seconds() {
	before=$(cut -d. -f1 /proc/uptime)
	timeout 120 ktrace probe -t 2 'vfs_read count' >/tmp/out 2>/tmp/err
	took=$(($(cut -d. -f1 /proc/uptime) - before))
	[ $took -ge 2 ] || fault "it took $took s"
}
check option-t seconds

pid_only() {
	rm -f /tmp/gate
	mkfifo /tmp/gate
	(while :; do reads 1; usleep 50000; done) & other=$!
	sh -c 'read x </tmp/gate; exec dd if=/dev/zero of=/dev/null bs=19 count=13' 2>/dev/null & mine=$!
	ktrace probe -p $mine 'vfs_read count' >/tmp/out 2>/tmp/err & pid=$!
	live $pid
	echo go >/tmp/gate
	wait $mine
	kill -INT $pid
	ended $pid
	kill $other
	same "of the process" "$(lines /tmp/out " $mine .*count=19$")" 13
	same "of any other" "$(grep -cv " $mine " /tmp/out)" 0
}
check option-p pid_only

comm_only() {
	ktrace probe -q --comm nobody_has_it 'vfs_read count' -- reads_of 13 >/tmp/out 2>/tmp/err
	same "of nobody" "$(wc -l </tmp/out)" 0
	ktrace probe -q --comm dd --filter 'count == 17' 'vfs_read count' -- reads_of 13 \
		>/tmp/out 2>/tmp/err
	same "of dd" "$(lines /tmp/out '^ *dd .*count=17$')" 13
}
check option-comm comm_only

# In the kernel where it has the field, in ktrace where the value is computed.
filters() {
	ktrace probe -q --filter 'count > 16 && count < 18' 'vfs_read count' -- \
		sh -c 'reads_of 13; dd if=/dev/zero of=/dev/null bs=18 count=5' >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out 'count=17$')" 13
	same "lines" "$(wc -l </tmp/out)" 13
	ktrace probe -q --filter 'name == "zero" && count == 17' \
		'vfs_read count file->f_path.dentry->d_name.name:string' -- \
		sh -c 'reads_of 13; head -c 17 /etc/passwd' >/tmp/out 2>/tmp/err
	same "by string" "$(lines /tmp/out 'count=17 name="zero"$')" 13
}
check option-filter filters

filter_of_finished() {
	place=$(sed -n 's/^slots //p' /tests/places)
	ktrace probe -q --json -m ktfrags --filter 'pages == 3' "$place pages slots" -- \
		sh -c 'echo 211 77 >/proc/ktfrags' >/tmp/out 2>/tmp/err
	truth=$(lines /proc/ktfrags '^slots pages=3 ')
	[ "$truth" -gt 3 ] || fault "the workload has no such value"
	same "events" "$(lines /tmp/out '"pages":3,')" "$truth"
	same "lines" "$(grep -c '"args"' /tmp/out)" "$truth"
}
check option-filter-computed filter_of_finished

to_file() {
	echo old >/tmp/result
	ktrace probe -o /tmp/result --filter 'count == 17' 'vfs_read count' -- reads_of 13 \
		>/tmp/out 2>/tmp/err
	same "bytes on stdout" "$(wc -c </tmp/out)" 0
	same "events" "$(lines /tmp/result 'count=17$')" 13
}
check option-o to_file

quiet() {
	ktrace probe -q --filter 'count == 17' 'vfs_read count' -- reads_of 13 >/tmp/out 2>/tmp/err
	same "bytes on stderr" "$(wc -c </tmp/err)" 0
}
check option-q quiet

# The command's first read is seen: it starts when the probes are live. Its end ends the trace.
command() {
	ktrace probe 'do_sys_openat2 filename:ustring' -- cat /etc/passwd >/tmp/out 2>/tmp/err
	has /tmp/out 'filename="/etc/passwd"'
	s=0
	ktrace probe 'vfs_read count' -- /nosuch/command >/tmp/out 2>/tmp/err || s=$?
	same "status of a command that is not there" $s 1
	has /tmp/err "can't run '/nosuch/command': No such file or directory"
	s=0
	ktrace probe 'vfs_read count' -- nosuchprogram >/tmp/out 2>/tmp/err || s=$?
	same "status of a program that is not there" $s 1
	has /tmp/err "can't run 'nosuchprogram': No such file or directory"
}
check option-command command

json() {
	ktrace probe --json --filter 'count == 17' 'vfs_read count' -- reads_of 13 >/tmp/out 2>/tmp/err
	same "events" "$(lines /tmp/out '^{.*"event":"vfs_read".*"args":{"count":17}}$')" 13
	same "the end" "$(tail -n 1 /tmp/out | sed 's/:{"host":"guest".*},/:{/')" '{"end":{"events":13,"lost":0,"missed":0}}'
}
check option-json json

not_itself() {
	ktrace probe -t 3 'vfs_read count' 'vfs_write count' >/tmp/out 2>/tmp/err
	same "events of ktrace" "$(lines /tmp/out '^ *ktrace ')" 0
}
check keeps-itself-out not_itself

no_counts() { state | grep -v '^kprobe_profile:'; }

# Somebody's probe and instance, at work all the time: both see all of it, before, during, after.
somebody_else() {
	echo 'p:theirs/read vfs_read count=%dx:u64' >>$T/kprobe_events
	mkdir $T/instances/theirs
	echo 'count == 17' >$T/instances/theirs/events/theirs/read/filter
	echo 1 >$T/instances/theirs/events/theirs/read/enable
	no_counts >/tmp/theirs.before
	cat $T/instances/theirs/events/theirs/read/* 2>/dev/null | grep -v hist >/tmp/files.before || :
	reads 5
	ktrace probe -q --filter 'count == 17' 'vfs_read count' -- reads_of 7 >/tmp/out 2>/tmp/err
	ktrace probe 'vfs_read count' >/tmp/out2 2>/tmp/err & pid=$!
	live $pid
	kill -9 $pid
	wait $pid || :
	ktrace clean >/dev/null 2>&1
	s=0
	ktrace probe 'vfs_read a=@no_such_symbol_here' >/dev/null 2>&1 || s=$?
	same "status" $s 1
	reads 11
	ktrace list >/tmp/list 2>&1
	has /tmp/list 'theirs:read'
	no_counts >/tmp/theirs.after
	cat $T/instances/theirs/events/theirs/read/* 2>/dev/null | grep -v hist >/tmp/files.after || :
	theirs=$(lines $T/instances/theirs/trace 'count=17$')
	echo 0 >$T/instances/theirs/events/theirs/read/enable
	rmdir $T/instances/theirs
	echo '-:theirs/read' >>$T/kprobe_events
	same "ours" "$(lines /tmp/out 'count=17$')" 7
	same "theirs" "$theirs" 23
	cmp /tmp/theirs.before /tmp/theirs.after || fault "what is theirs was changed"
	cmp /tmp/files.before /tmp/files.after || fault "their event's files were changed"
}
check somebody-elses-probes somebody_else

two_at_once() {
	ktrace probe --filter 'count == 17' 'vfs_read count' >/tmp/out1 2>/tmp/err & one=$!
	live $one
	ktrace probe --filter 'count == 17' 'vfs_read count' >/tmp/out2 2>/tmp/err & two=$!
	live $two
	reads 13
	kill -INT $one
	ended $one
	reads 5
	kill -INT $two
	ended $two
	same "the first" "$(lines /tmp/out1 'count=17$')" 13
	same "the second" "$(lines /tmp/out2 'count=17$')" 18
}
check two-at-once two_at_once
