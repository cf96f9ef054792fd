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

# All rows in one trace: an event of one place is not to be taken for another's.
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
	check "recorded-$tag" alone
done </tmp/truth
check recorded-together together
