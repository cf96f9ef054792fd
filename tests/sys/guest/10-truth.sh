# The module's run under trace, for each row of the table (tests/fixtures/kmod/truth); its own
# report beside. The host compares the two (tests/sys/guest/truth).

HITS=211 # a prime

# traced ROW SPEC...
traced() {
	row=$1
	shift
	ktrace probe -m ktfrags --json -o "/out/$row.json" "$@" -- \
		sh -c "echo $HITS 77 >/proc/ktfrags" 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	cat /proc/ktfrags >"/out/$row.report"
	has /tmp/err ' 0 lost, 0 missed'
}

alone() { traced "$tag" "$place $arguments"; }

# All rows in one trace: an event of one place is not to be taken for another's. That each is true by itself, one
# kernel's guest shows: the module is the same source, by the same compiler.
together() {
	set --
	while read -r tag place arguments; do
		set -- "$@" "$tag=$place $arguments"
	done </tmp/truth
	traced together "$@"
}

# @ is the place of the mark that has the row's tag
sed -n 's/?//g;/^[^#]/p' /tests/table | while read -r tag place arguments; do
	[ "$place" != @ ] || place=$(sed -n "s/^$tag //p" /tests/places)
	echo "$tag $place $arguments"
done >/tmp/truth
while read -r tag place arguments; do
	if wanted "recorded-$tag" || wanted "truth-$tag"; then
		(enough 6.1 && { ONLY=; check "recorded-$tag" alone; })
	fi
done </tmp/truth
case $ONLY in
truth*) (ONLY=; check recorded-together together) ;; # truth-TAG-among-others
*) check recorded-together together ;;
esac

# What guards take off what they read is drawn for each trace, and a hit that has no room in a record is counted
# in the profile only: each of five draws, in each of two kernels, must record all hits.
five_draws() {
	for draw in 1 2 3 4 5; do
		ktrace probe -m ktfrags --json -o /tmp/draw.json "$place $arguments" -- sh -c \
			"echo $HITS 77 >/proc/ktfrags; cat $T/kprobe_profile >/tmp/profile" 2>/tmp/err
		same "draw $draw, the profile" "$(tr -s ' ' </tmp/profile)" \
			" kt_look $(grep -c '^look ' /proc/ktfrags) 0"
		same "draw $draw, events" "$(lines /tmp/draw.json '"args"')" "$(grep -c '^look ' /proc/ktfrags)"
	done
}
while read -r tag place arguments; do
	[ "$tag" != look ] || check recorded-look-five-draws five_draws
done </tmp/truth

# Memory at a sum needs a chain of events and triggers; a killed ktrace leaves all of it.
chain_of() {
	ktrace probe -m ktfrags "chain=$(sed -n 's/^mask //p' /tests/places) frags" >/tmp/out 2>/tmp/err &
	pid=$!
	# the shown event is enabled last
	until [ "$(cat "$T/instances/ktrace_$pid/events/ktrace_$pid/chain/enable" 2>/dev/null)" = 1 ]; do
		[ -d "/proc/$pid" ] || fault "ktrace ended early: $(cat /tmp/err)"
		usleep 100000
	done
}
chain_killed() {
	chain_of
	kill -9 $pid
	wait $pid || :
	grep -q "^e:ktrace_$pid/" $T/dynamic_events || fault "no event probe left: is the test right?"
	grep -q "^s:synthetic/ktrace_${pid}_" $T/dynamic_events || fault "no synthetic event left"
	ktrace clean >/tmp/cleaned 2>&1 || fault "clean: $(cat /tmp/cleaned)"
}
check chain-kill-9-and-clean chain_killed

# What the finish gives is tested by ktrace; all other hits are counted as filtered.
chain_filter() {
	ktrace probe -m ktfrags --filter 'frags == 3' --json -o /tmp/json \
		"$(sed -n 's/^mask //p' /tests/places) frags" -- \
		sh -c "echo $HITS 77 >/proc/ktfrags" 2>/tmp/err || fault "it ended with $?: $(cat /tmp/err)"
	[ -s /tmp/json ] || fault "no event at all"
	same "others" "$(grep '"args"' /tmp/json | grep -vc '"frags":3[,}]' || :)" 0
	same "events" "$(lines /tmp/json '"args"')" \
		"$(ktfrags_lines mask frags=3)"
	has /tmp/err ' filtered'
}
ktfrags_lines() { grep "^$1 " /proc/ktfrags | grep -c " $2 "; }
check chain-filter chain_filter
