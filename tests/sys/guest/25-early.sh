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
	has /tmp/err "the module 'ktfrags' isn't loaded: its probes wait until it is"
	same "twins" "$(lines /tmp/out 'probe:twin: ')" "$(grep -c '^twin_a ' /proc/ktfrags)"
	same "steps" "$(lines /tmp/out 'probe:step: ')" "$(grep -c '^steps ' /proc/ktfrags)"
}
check module-before-it-is-loaded early_module

# Its per-CPU variables have no offset before; kt_own_cpu's value afterwards is the truth lane's.
early_per_cpu() {
	rmmod ktfrags
	! ktrace probe -c 1 -m /tests/ktfrags.ko 'kt_own_cpu kt_here' >/tmp/out 2>/tmp/err ||
		fault "it was accepted"
	insmod /tests/ktfrags.ko
	has /tmp/err "the module isn't loaded"
}
check module-per-cpu-before-it-is-loaded early_per_cpu
