# Probes of a module that isn't loaded yet: the kernel arms them when it comes.

early_module() {
	rmmod ktfrags
	ktrace probe -m /tests/ktfrags.ko 'twin=kt_twin@twin_a.c x' 'step=kt_steps:8 acc step' \
		>/tmp/out 2>/tmp/err & pid=$!
	live $pid
	insmod /tests/ktfrags.ko
	echo 13 77 >/proc/ktfrags
	kill -INT $pid
	ended $pid
	same "twins" "$(lines /tmp/out 'probe:twin: ')" "$(grep -c '^twin_a ' /proc/ktfrags)"
	same "steps" "$(lines /tmp/out 'probe:step: ')" "$(grep -c '^steps ' /proc/ktfrags)"
}
check module-before-it-is-loaded early_module
