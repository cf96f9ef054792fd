# CPUs come and go while a trace runs. What ran on them is shown, also what was read after they had gone.

cpu1=/sys/devices/system/cpu/cpu1/online
start() { ktrace probe "$@" >/tmp/out 2>/tmp/err & pid=$!; live $pid; }
reads_on() { taskset "$1" dd if=/dev/zero of=/dev/null bs=17 count="$2" 2>/dev/null; }
ends_with() {
	kill -INT $pid
	ended $pid
	same "status" $ended 0
	same "events" "$(lines /tmp/out 'count=17$')" "$1"
	same "on CPU 1" "$(lines /tmp/out ' \[001\] .*count=17$')" "$2"
	has /tmp/err "ktrace: $1 events, 0 lost, 0 missed"
}

comes() {
	echo 0 >$cpu1
	start --filter 'count == 17' 'vfs_read count'
	echo 1 >$cpu1
	reads_on 2 11
	reads_on 1 5
	ends_with 16 11
}
check cpu-comes comes

goes() {
	start --filter 'count == 17' 'vfs_read count'
	reads_on 2 13
	echo 0 >$cpu1
	reads_on 1 5
	echo 1 >$cpu1
	reads_on 2 7
	ends_with 25 20
}
check cpu-goes goes

goes_for_good() {
	start --filter 'count == 17' -i 60 'vfs_read count() sum(count)'
	reads_on 2 13
	echo 0 >$cpu1
	reads_on 1 5
	kill -INT $pid
	ended $pid
	same "status" $ended 0
	has /tmp/out '18 events, 0 lost, 0 missed'
	echo 1 >$cpu1
}
check cpu-goes-for-good goes_for_good
