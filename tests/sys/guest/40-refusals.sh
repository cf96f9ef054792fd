# Bad input: one cause, a caret under the user's words, exit 1 (2 for the command line), nothing
# on stdout and nothing changed.

# refused NAME STATUS TEXT ARGUMENT...: stderr must hold TEXT.
refused() {
	name=$1 wanted=$2 text=$3
	shift 3
	: >/tmp/args
	for a; do printf '%s\n' "$a" >>/tmp/args; done
	check "refused-$name" refusal
}
refusal() {
	set --
	while read -r a; do set -- "$@" "$a"; done </tmp/args
	s=0
	timeout 300 ktrace "$@" >/tmp/out 2>/tmp/err || s=$?
	cat /tmp/err
	same "status" $s "$wanted"
	same "bytes on stdout" "$(wc -c </tmp/out)" 0
	has /tmp/err "$text"
	has /tmp/err 'ktrace: '
	[ "$wanted" = 2 ] || [ -n "${no_caret-}" ] || has /tmp/err '^'
}

# These end before the kernel is asked anything, so one kernel is enough; lane peers asks both kernels' debug information.
refused_before_the_kernel() {
	refused function 1 'vfs_read' probe 'vfs_raed count'
	refused variable 1 'In scope: ' probe 'vfs_read cuont'
	refused member 1 'f_mode' probe 'vfs_read file->f_moed'
	refused member-of-number 1 'count' probe 'vfs_read count->x'
	refused line 1 'the nearest lines' probe 'vfs_read:9999 count'
	refused name-twice 1 'used twice' probe 'vfs_read count count'
	refused register 1 'zz' probe 'vfs_read %zz'
	refused boundary 1 'instruction boundary' probe 'vfs_read+3 %di'
	refused no-offset 1 'vfs_read+' probe 'vfs_read+'
	refused filter-name 1 'cuont' probe --filter 'cuont > 1' 'vfs_read count'
	refused long-event-name 1 '63' probe "$(printf 'e%.0s' $(seq 64))=vfs_read"
	no_caret=1
	refused module 1 'nosuchmodule' probe -m nosuchmodule 'f'
	refused vmlinux 1 '/nosuch' probe -k /nosuch 'vfs_read'
	refused option 2 'nonsense' probe --nonsense 'vfs_read'
	refused nothing 2 'operand' probe
	refused verb 2 'prboe' prboe 'vfs_read'
	refused count 2 '' probe -c x 'vfs_read'
	no_caret=
}
case $(uname -r) in 6.1.*) refused_before_the_kernel ;; esac

# the kernel's words, and the caret at ours
refused notrace 1 'Failed to register probe event' probe do_int3
refused kernel-symbol 1 'Invalid probed address or symbol' probe 'vfs_read a=@no_such_symbol_here'
refused all-or-nothing 1 'no_such_symbol_here' probe 'vfs_write count' 'vfs_read a=@no_such_symbol_here'

# the mark is under the argument, though the kernel's own points at the place
marks_argument() {
	s=0
	ktrace probe 'vfs_read count a=@no_such_symbol_here b=@jiffies' >/tmp/out 2>/tmp/err || s=$?
	cat /tmp/err
	same "status" $s 1
	has /tmp/err 'vfs_read count a=@no_such_symbol_here b=@jiffies'
	same "the mark" "$(sed -n '3s/ *$//p' /tmp/err)" "                 $(echo a=@no_such_symbol_here | tr -c '\n' '^')"
}
check refused-symbol-marked marks_argument

# One of two dozen places is in a function that may not be probed: the others are traced.
one_place() {
	ktrace -n --json hash_ptr >/tmp/places.json
	all=$(wc -l </tmp/places.json)
	forbidden=$(lines /tmp/places.json '"symbol":"get_kprobe"')
	same "places in get_kprobe" "$forbidden" 1
	event=$(sed -n 's/.*"event":"\([^"]*\)".*"symbol":"get_kprobe".*/\1/p' /tmp/places.json)
	ktrace probe -v 'hash_ptr ptr' >/tmp/out 2>/tmp/err & pid=$!
	live $pid
	defined=$(lines $T/kprobe_events ":ktrace_$pid/hash_ptr")
	in_it=$(lines $T/kprobe_events "get_kprobe+")
	cat /sys/kernel/notes >/dev/null
	kill -INT $pid
	ended $pid
	cat /tmp/err
	same "status" $ended 0
	same "probes in get_kprobe" "$in_it" 0
	skipped=$(lines /tmp/err 'is skipped: the kernel refused')
	has /tmp/err "ktrace: $event is skipped: the kernel refused 'get_kprobe+"
	same "probes" "$defined" $((all - skipped))
	has /tmp/err "tracing $defined probes..."
	[ "$(lines /tmp/out 'kernfs_fop_open+')" -gt 0 ] || fault "nothing of the other places"
	has /tmp/err ", 0 missed"
}
check refused-one-place-of-many one_place

# Who may not be probed is marked where functions are listed: the kernel's own list says who.
marks_forbidden() {
	[ "$(lines /sys/kernel/debug/kprobes/blacklist '	get_kprobe$')" = 1 ] || fault "get_kprobe may be probed"
	same "vfs_read in the list" "$(lines /sys/kernel/debug/kprobes/blacklist '	vfs_read$')" 0
	ktrace funcs --json get_kprobe >/tmp/out
	has /tmp/out '"blacklisted":true'
	ktrace funcs --json vfs_read >/tmp/out
	has /tmp/out '"blacklisted":false'
	has /tmp/out '"notrace":false'
	same "__schedule in ftrace's list" "$(lines /sys/kernel/tracing/available_filter_functions '^__schedule$')" 0
	ktrace funcs --json __schedule >/tmp/out
	has /tmp/out '"notrace":true'
	ktrace probe __schedule >/tmp/out 2>/tmp/err && fault "__schedule was probed"
	has /tmp/err 'ktrace funcs __schedule'
	ktrace funcs __schedule >/tmp/out
	has /tmp/out '[notrace]'
}
check funcs-marks-forbidden marks_forbidden 6.12

# All of them: an error. A fault of the user's own: an error too, whatever places there are.
refused every-place 1 'Failed to register probe event' probe 'kprobe_page_fault'
refused one-place-and-a-fault 1 'no_such_symbol_here' probe 'hash_ptr a=@no_such_symbol_here'

build_id() {
	mine=$(hexdump -ve '1/1 "%02x"' /sys/kernel/notes | sed -n 's/.*03000000474e5500\(.\{40\}\).*/\1/p')
	same "length of the running kernel's build-id" ${#mine} 40
	s=0
	ktrace probe -k /tests/other 'vfs_read count' >/tmp/out 2>/tmp/err || s=$?
	cat /tmp/err
	same "status" $s 1
	same "bytes on stdout" "$(wc -c </tmp/out)" 0
	has /tmp/err "$mine"
	has /tmp/err 0123456789abcdef0123456789abcdef01234567
	ktrace -D -k /tests/other 'vfs_read count' >/tmp/out 2>/tmp/err || fault "its offline answer is no"
	has /tmp/out 'p:probe/vfs_read vfs_read+0 count=%dx:u64'
}
check refused-other-build build_id 6.12

no_root() {
	s=0
	chmod 755 /tmp
	su -s /bin/sh nobody -c "ktrace probe 'vfs_read+0'" >/tmp/out 2>/tmp/err || s=$?
	cat /tmp/err
	same "status" $s 1
	has /tmp/err 'root'
}
check refused-no-root no_root 6.12

unmounted() {
	umount $T
	s=0
	ktrace probe 'vfs_read+0' >/tmp/out 2>/tmp/err || s=$?
	mount -t tracefs tracefs $T
	cat /tmp/err
	same "status" $s 1
	has /tmp/err 'mount'
}
check refused-tracefs-unmounted unmounted 6.12

no_debuginfo() {
	hide_symbols
	s=0
	ktrace probe --debuginfo dwarf 'vfs_read count' >/tmp/out 2>/tmp/err || s=$?
	show_symbols
	cat /tmp/err
	same "status" $s 1
	has /tmp/err '-k VMLINUX'
}
check refused-no-debuginfo no_debuginfo 6.12
