# Where the kernel takes no kprobe: its lists of functions, and its answer at places that the host chose
# (tests/sys/guest/limits), which compares them with what ktrace says from the image alone.
limits() {
	cp $T/available_filter_functions /out/traceable
	cp /sys/kernel/debug/kprobes/blacklist /out/blacklist
	while read -r place; do
		if echo "p:limits/one $place" 2>/dev/null >>$T/kprobe_events; then
			echo "taken $place"
			echo "-:limits/one" >>$T/kprobe_events
		else
			echo "refused $place"
		fi
	done </tests/limits.places >/out/limits
	same "places tried" "$(wc -l </out/limits)" "$(wc -l </tests/limits.places)"
}
check limits-tried limits
