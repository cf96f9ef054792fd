# Modules that are loaded and whose files aren't at hand: their BTF from /sys/kernel/btf, and nothing else.

export XDG_CACHE_HOME=/tmp/cache

# "module:function+offset name=fetch": each argument of a definition in a line of its own
by_argument() {
	sed -n 's/^p:[^ ]* \([^ ]*\) \(.*\)/\1 \2/p' | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort -u
}
for module in virtio_blk squashfs; do
	debug=$(find "/usr/lib/debug/lib/modules/$(uname -r)" -name "$module.ko*")
	ktrace probe -D -m "$debug" '* $params' 2>/tmp/dwarf-$module.err | by_argument >/tmp/dwarf-$module
	cut -d ' ' -f 1 /tmp/dwarf-$module | sort -u >/tmp/places-$module
done
hide_symbols

# what both know of the entries is the same: a difference is a name that BTF or DWARF has twice
loaded_same() {
	ktrace probe -v -D -m $module '* $params' 2>/tmp/err | by_argument >/tmp/btf || { cat /tmp/err; fault "status $?"; }
	has /tmp/err "'/sys/kernel/btf/$module': debug information from btf"
	awk 'NR == FNR { known[$1] = 1; next } $1 in known' /tmp/places-$module /tmp/btf >/tmp/both
	awk 'NR == FNR { true[$0] = 1; next } !($0 in true)' /tmp/dwarf-$module /tmp/both >/tmp/differ
	echo "$module: $(wc -l </tmp/btf) parameters, $(wc -l </tmp/both) known to DWARF, differ: $(wc -l </tmp/differ)"
	cat /tmp/differ
	same "differences" "$(wc -l </tmp/differ)" 0
	[ "$(wc -l </tmp/both)" -ge "$1" ] || fault "only $(wc -l </tmp/both) parameters that both know: is the test right?"
}
loaded_virtio_blk() { module=virtio_blk; loaded_same 10; }
loaded_squashfs() { module=squashfs; loaded_same 50; }
check btf-loaded-virtio-blk loaded_virtio_blk
check btf-loaded-squashfs loaded_squashfs

# 6.12 hands over requests in lists
queue=virtio_queue_rqs length='rqlist->head->__data_len'
case $(uname -r) in 6.1.*) queue=virtio_queue_rq length='bd->rq->__data_len' ;; esac

# as many bytes as dd asks the disk for
loaded_values() {
	disk=$(cat /tmp/symbols)
	ktrace probe -q --json -m virtio_blk "$queue sum($length) by comm" --filter 'comm == "dd"' -- \
		dd if="$disk" of=/dev/null bs=8192 count=23 iflag=direct >/tmp/out 2>/tmp/err || { cat /tmp/err; fault "status $?"; }
	cat /tmp/out
	same "bytes" "$(sed -n 's/^{"row":{"comm":"dd"}.*"sum":\([0-9]*\).*/\1/p' /tmp/out)" $((23 * 8192))
}
check btf-loaded-values loaded_values

loaded_refused() {
	ktrace probe -m virtio_blk 'virtio_queue_rq:3 bd' >/tmp/out 2>/tmp/err && fault "a line is accepted"
	has /tmp/err 'BTF has neither lines nor locals'
	ktrace probe -m no_such_module f >/tmp/out 2>/tmp/err && fault "a module that isn't there is accepted"
	has /tmp/err "no module 'no_such_module'"
}
check btf-loaded-refused loaded_refused 6.12

# a plan of it is for this build, and runs
loaded_plan() {
	ktrace plan -q -m virtio_blk "$queue n=$length" >/tmp/plan
	has /tmp/plan "module $(od -An -v -tx1 /sys/module/virtio_blk/notes/.note.gnu.build-id | tr -d ' \n' | sed 's/.*474e5500//') name=virtio_blk"
	ktrace run -q -c 3 /tmp/plan -- dd if="$(cat /tmp/symbols)" of=/dev/null bs=4096 count=3 iflag=direct >/tmp/out 2>/tmp/err ||
		{ cat /tmp/err; fault "status $?"; }
	same "events" "$(lines /tmp/out ' n=4096$')" 3
}
check btf-loaded-plan loaded_plan

show_symbols
unset XDG_CACHE_HOME
