# SPDX-License-Identifier: GPL-2.0-only
# The commands of docs/recipes.md that probe the kernel's functions, live, beside work that they must see.

recipe_work() {
	ifconfig lo up
	while [ ! -e /tmp/recipe.ended ]; do
		dd if=/dev/zero of=/dev/null bs=300 count=100 2>/dev/null
		nc -l -p 5000 </dev/null >/dev/null 2>&1 & server=$!
		usleep 100000
		head -c 300000 /dev/zero | nc 127.0.0.1 5000 || :
		kill $server 2>/dev/null || :
		wait $server || :
	done
}

# The guest has no ext4 file and loses no packet: these are only defined. Nor has it a Xen network.
is_idle() {
	case $1 in *ext4_* | *tcp_retransmit*) return 0 ;; esac
	return 1
}

recipe() {
	rm -f /tmp/recipe.ended
	recipe_work & busy=$!
	eval "set -- $command"
	verb=$2
	shift 2
	status=0
	ktrace "$verb" -t 4 "$@" >/tmp/out 2>/tmp/err || status=$?
	: >/tmp/recipe.ended
	wait $busy || :
	cat /tmp/out /tmp/err
	same "status" $status 0
	is_idle "$command" && return 0
	[ "$verb" != graph ] || { has /tmp/out '|  }'; return; }
	grep -q '^[1-9][0-9,]* events*, ' /tmp/out || fault "no event"
}

number=0
sed -n 's/^    # \(ktrace .*\)$/\1/p' /tests/recipes.md | grep -v ' -e ' >/tmp/recipes
while IFS= read -r command; do
	number=$((number + 1))
	case $command in *xen_netfront*) continue ;; esac
	check "recipe-$number" recipe
done </tmp/recipes
