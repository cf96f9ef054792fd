# The lane itself: the kernel's kprobes see what the workload does, and `check` sees a change.

raw_kprobe() {
	echo 'p:lane/read vfs_read count=%dx:u64' >>$T/kprobe_events
	mkdir $T/instances/lane
	echo 'count == 17' >$T/instances/lane/events/lane/read/filter
	echo 1 >$T/instances/lane/events/lane/read/enable
	reads 13
	n=$(lines $T/instances/lane/trace 'count=17$')
	rmdir $T/instances/lane
	echo '-:lane/read' >>$T/kprobe_events
	same "hits in the trace" "$n" 13
}
check lane-raw-kprobe raw_kprobe

leaves_probe() { echo 'p:lane/left vfs_read' >>$T/kprobe_events; }
leaves_instance() { mkdir $T/instances/left; }
leaves_tracing_off() { echo 0 >$T/tracing_on; }
fails() { false; true; }
for lapse in leaves_probe leaves_instance leaves_tracing_off fails; do
	wanted "lane-sees-$lapse" && enough 6.1 || continue
	seen=$(ONLY=; check lapse $lapse | head -n 1)
	case $seen in
	"not ok"*) ok "lane-sees-$lapse" ;;
	*) not_ok "lane-sees-$lapse" "check said '$seen'" ;;
	esac
	mend
done
