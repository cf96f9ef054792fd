# SPDX-License-Identifier: GPL-2.0-only
# Calls that are followed. What the module notes of its own path and values, and what system calls returned, is
# left in /out for the host, which compares it (tests/sys/guest/followed).

# fo_traced NAME WORDS... -- COMMAND...
fo_traced() {
	name=$1
	shift
	ktrace follow --json -o "/out/follow-$name.json" "$@" 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	cp /tmp/err "/out/follow-$name.err"
	has /tmp/err ' 0 lost, 0 missed'
}

# Several tasks at once, each of which schedules in the middle.
fo_paths() {
	echo reset >/proc/ktfollow
	ktrace follow -n -m ktfrags --json "kf_$fo" >"/out/follow-$fo.plan"
	fo_traced "$fo" -m ktfrags "kf_$fo" -- sh -c 'for i in 1 2 3; do echo paths 11 >/proc/ktfollow & done; wait'
	cat /proc/ktfollow >"/out/follow-$fo.notes"
}
for fo in loops branches unwinds recurse around interrupted inlined; do
	check "follow-recorded-$fo" fo_paths 6.12
done

fo_within() {
	echo reset >/proc/ktfollow
	ktrace follow -n -m ktfrags --json --inlined kf_around >/out/follow-within.plan
	fo_traced within -m ktfrags --inlined kf_around -- sh -c 'echo paths 11 >/proc/ktfollow'
	cat /proc/ktfollow >/out/follow-within.notes
}
check follow-recorded-within fo_within 6.12

# A function that nobody may probe, and one that is inlined there and elsewhere.
fo_hidden() {
	status=0
	ktrace follow -m ktfrags kf_hidden >/tmp/out 2>/tmp/err || status=$?
	cat /tmp/err
	same "status" $status 1
	has /tmp/err "the kernel refused"
	echo reset >/proc/ktfollow
	ktrace follow -m ktfrags kf_inlined -- sh -c 'echo hidden 2 >/proc/ktfollow; echo paths 4 >/proc/ktfollow' >/tmp/out 2>/tmp/err
	cat /tmp/err
	has /tmp/err "not shown, as the kernel allows no probe there: kf_inlined in kf_hidden"
	same "calls" "$(lines /tmp/out '  kf_inlined(.*  inlined in kf_around')" 10 # 0 to 3 and 1, of each round
	same "and no other" "$(lines /tmp/out '  kf_inlined(')" 10
}
check follow-hidden fo_hidden 6.12

fo_many() {
	echo reset >/proc/ktfollow
	fo_traced many -m ktfrags --calls 'retval < 0' kf_many -- sh -c 'echo many 10000 >/proc/ktfollow'
	cat /proc/ktfollow
	has /tmp/err "9999 calls aren't shown: --calls doesn't hold"
	same "calls" "$(lines /out/follow-many.json '"function":"kf_many"')" 1
	same "the call" "$(lines /out/follow-many.json '"begin_seen":true,"args":{"id":[0-9]*,"number":7777},.*"name":"result","was":1,"is":-5.*"end":"returned","retval":-5,')" 1
	noted=$(sed -n 's/^[0-9]* \([0-9]*\) result.*/\1/p' /proc/ktfollow | tr '\n' ' ')
	for line in $noted; do has /out/follow-many.json "\"line\":$line,"; done
	same "lines noted" "$(echo "$noted" | wc -w)" 2
}
check follow-one-of-10000 fo_many 6.12

fo_duration() {
	echo reset >/proc/ktfollow
	echo release 0 >/proc/ktfollow
	fo_traced duration -m ktfrags --calls 'duration > 3500ms' kf_waits -- \
		sh -c 'echo wait 5 >/proc/ktfollow & until grep -q " got=5" /proc/ktfollow; do usleep 10000; done
			sleep 4; echo release 1 >/proc/ktfollow; wait; echo wait 6 >/proc/ktfollow'
	has /tmp/err "1 call isn't shown: --calls doesn't hold"
	same "the call that waited" "$(lines /out/follow-duration.json '"args":{"id":[0-9]*,"count":5},.*"retval":8,"duration":[0-9]\{10,\},')" 1
	same "calls" "$(lines /out/follow-duration.json '"function":"kf_waits"')" 1
}
check follow-duration fo_duration 6.12

# fo_waiter: a task in kf_waits
fo_waiter() {
	echo reset >/proc/ktfollow
	echo release 0 >/proc/ktfollow
	sh -c 'echo wait 5 >/proc/ktfollow' &
	waiter=$!
	shown /proc/ktfollow ' got=5' 1
}

# Its first call began before the trace, the next is whole, and the last doesn't end before the trace does.
fo_partial() {
	fo_waiter
	ktrace follow -m ktfrags --json -o /out/partial kf_waits 2>/tmp/err &
	pid=$!
	live $pid
	echo release 1 >/proc/ktfollow
	wait $waiter
	echo wait 6 >/proc/ktfollow
	fo_waiter
	kill -INT $pid
	ended $pid
	echo release 1 >/proc/ktfollow
	wait $waiter
	cat /out/partial /tmp/err
	same "the first" "$(lines /out/partial '"begin_seen":false,.*"end":"unseen","lines_passed"')" 1
	# A return's probe is set at the call.
	same "the second" "$(lines /out/partial '"begin_seen":true,.*"count":6.*"end":"returned","retval":9,"duration"')" 1
	same "the third" "$(lines /out/partial '"begin_seen":true,.*"count":5.*"end":"open","lines_passed"')" 1
	has /tmp/err "1 call was not seen from its beginning"
	has /tmp/err "1 call was not seen to end"
}
check follow-begun-before-and-open fo_partial 6.12

# A task is in the call as ktrace dies, and its return's probe with it.
fo_killed() {
	ktrace follow -m ktfrags kf_waits >/dev/null 2>/tmp/err &
	pid=$!
	live $pid
	fo_waiter
	kill -9 $pid
	wait $pid || :
	ktrace clean
	grep -c kf_waits $T/kprobe_events && fault "ktrace clean left probes"
	echo release 1 >/proc/ktfollow
	wait $waiter
	has /proc/ktfollow ' = 8'
}
check follow-killed fo_killed

# In the middle of calls by several tasks.
fo_killed_busy() {
	sh -c 'while :; do echo paths 5 >/proc/ktfollow; echo reset >/proc/ktfollow; done' &
	busy=$!
	ktrace follow -m ktfrags -o /tmp/killed kf_loops 2>/tmp/err &
	pid=$!
	shown /tmp/killed '  = ' 3
	kill -9 $pid
	wait $pid || :
	ktrace clean
	kill $busy
	wait $busy || :
}
check follow-killed-in-calls fo_killed_busy 6.12

for fo in reads:vfs_read opens:do_sys_openat2 sends:tcp_sendmsg_locked; do
	fo_stock() {
		echo release 1 >/proc/ktfollow
		fo_traced "${fo#*:}" "${fo#*:}" -- sh -c "/tests/calls ${fo%:*} >/out/follow-${fo#*:}.truth"
	}
	check "follow-recorded-${fo#*:}" fo_stock
done
