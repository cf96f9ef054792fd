# SPDX-License-Identifier: GPL-2.0-only
# What the guest's tests share. A test is a function; `check` runs it between two looks at
# everything of tracefs that a tracer could leave changed, and prints `ok` or `not ok`. What the one test left as it was
# is what the next one finds: the first look at it is the last one of the test before.

T=/sys/kernel/tracing
trace_files="kprobe_events uprobe_events dynamic_events set_event set_event_pid
set_event_notrace_pid set_ftrace_filter set_ftrace_notrace set_graph_function tracing_on
current_tracer trace_options trace_clock buffer_size_kb saved_cmdlines_size tracing_cpumask
events/enable trace kprobe_profile"

# Two processes: each that the guest starts takes a hundredth of a second and more.
state() {
	(cd "$T" && grep -H '' $trace_files; echo instances/*)
	cut -d ' ' -f 3- /sys/kernel/debug/kprobes/list	# the first is an address
}

. /tests/lane.sh

# enough LINE: whether a test runs here that proves something of ktrace, not of a kernel, so that one kernel's guest is
# enough. One that is asked for by its name, or by its part's, runs on any.
enough() {
	case $1,$LINE in
	,* | 6.1,6.1 | 6.12,6.12) ;;
	6.1,6.12 | 6.12,6.1) [ -n "$ONLY" ] || [ "$PART" != all ] ;;
	*) not_ok "enough '$1'" "no guest of that line, in this of '$LINE'" ;;
	esac
}

# check NAME FUNCTION [LINE]: a subshell, so that a test leaves no variable behind and ends at its
# first fault. With LINE, one kernel's guest is enough.
check() {
	wanted "$1" && enough "${3-}" || return 0
	[ -e /tmp/before ] || state >/tmp/before 2>&1
	(trap - INT TERM; set -e; "$2") >/tmp/log 2>&1
	status=$?
	state >/tmp/after 2>&1
	why=
	if [ $status != 0 ]; then
		why=$(sed -n 's/^fault: //p' /tmp/log | head -n 1)
		why=${why:-"its last command's status was $status"}
	elif ! cmp -s /tmp/before /tmp/after; then
		why="tracefs was changed"
		diff /tmp/before /tmp/after >>/tmp/log
	fi
	if [ -z "$why" ]; then
		ok "$1"
	else
		not_ok "$1" "$why
$(tail -n 40 /tmp/log)"
		mend
	fi
}

# After a failure: what it left must not make the next tests fail too.
mend() {
	killall -9 ktrace 2>/dev/null
	ktrace clean >/dev/null 2>&1
	for d in "$T"/instances/*/; do [ ! -d "$d" ] || rmdir "$d" 2>/dev/null; done
	echo 0 >$T/events/enable
	sed -n 's/^[pr][0-9]*:\([^ ]*\).*/-:\1/p' $T/kprobe_events | while read -r line; do
		echo "$line" >>$T/kprobe_events
	done
	echo 1 >$T/tracing_on
	echo >$T/trace
	rm -f /tmp/before
}

# Hidden, not unmounted: mounted anew, hundreds of megabytes would be read and searched anew.
hide_symbols() { mount -t tmpfs hidden /usr/lib/debug; }
show_symbols() { umount -l /usr/lib/debug; }

fault() { echo "fault: $*"; exit 1; }

# same WHAT GOT WANTED
same() { [ "$2" = "$3" ] || fault "$1: '$2', not '$3'"; }

# has FILE TEXT: FILE holds that text.
has() { grep -qF -- "$2" "$1" || { cat "$1"; fault "nothing says '$2'"; }; }

# lines FILE PATTERN: how many lines match; no match is an answer, not a fault.
lines() { grep -c -- "$2" "$1" || :; }

# shown FILE PATTERN N: waits until that many lines match.
shown() {
	i=0
	until [ "$(lines "$1" "$2")" -ge "$3" ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fault "no $3 lines of '$2' after 60 s"
		usleep 100000
	done
}

# live PID [EVENT]: waits until that ktrace traces: its own probes, or an event that is there already.
live() {
	i=0
	until [ "$(cat "$T/instances/ktrace_$1/events/${2:-ktrace_$1}/enable" 2>/dev/null)" = 1 ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fault "ktrace $1 is not live after 60 s: $(cat /tmp/err 2>/dev/null)"
		[ -d "/proc/$1" ] || fault "ktrace $1 ended early: $(cat /tmp/err 2>/dev/null)"
		usleep 100000
	done
}

# ended PID: its status in $ended, within 120 s.
ended() {
	rm -f /tmp/stuck
	(sleep 120; cat "/proc/$1/stack" $T/kprobe_events >/tmp/stuck; kill -9 "$1") 2>/dev/null &
	watch=$!
	ended=0
	wait "$1" || ended=$?
	kill $watch 2>/dev/null || :
	[ "$ended" != 137 ] || fault "ktrace did not end within 120 s: $(cat /tmp/stuck)"
}

# 13 reads of 17 bytes, which nothing else in the guest makes.
reads() { dd if=/dev/zero of=/dev/null bs=17 count="${1:-13}" 2>/dev/null; }
