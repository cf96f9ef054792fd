// SPDX-License-Identifier: GPL-2.0-only
/*
 * siblings_test FILE...: for each DIE of each file, the sibling is the one that libdw finds, with the tag
 * that libdw reads there; the last of a list has none.
 */
#include <dwarf.h>
#include <err.h>

#include "base/arena.h"
#include "base/error.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "target/target.h"

static unsigned passed, failed;

static void check(const char *name, const char *file, bool holds)
{
	printf("%s %s: %s\n", holds ? "ok" : "not ok", name, strrchr(file, '/') ? strrchr(file, '/') + 1 : file);
	passed += holds;
	failed += !holds;
}

struct walk {
	struct dwarf_info *info;
	unsigned long dies;
	unsigned long others; /* that libdw says otherwise of */
};

static bool is_same(struct walk *walk, Dwarf_Die *die, Dwarf_Die *theirs)
{
	Dwarf_Die ours = {0}, plain = {.addr = die->addr, .cu = die->cu};
	int end = sibling_of(walk->info, die, &ours), their_end = dwarf_siblingof(&plain, theirs);

	if (end != their_end || ours.addr != theirs->addr)
		return false;
	return end || (dwarf_tag(&ours) == dwarf_tag(theirs) &&
		       dwarf_haschildren(&ours) == dwarf_haschildren(theirs));
}

static void walk_list(struct walk *walk, Dwarf_Die *parent)
{
	Dwarf_Die die, next, child;
	bool is_last = dwarf_child(parent, &die);

	for (; !is_last; die = next) {
		next = (Dwarf_Die){0};
		walk->dies++;
		walk->others += !is_same(walk, &die, &next);
		if (!dwarf_child(&die, &child))
			walk_list(walk, &die);
		is_last = !next.cu;
	}
}

static void walk_file(const char *path)
{
	struct arena arena;
	struct target *target;
	struct debuginfo *base;
	struct error *error;
	struct walk walk = {0};

	arena_init(&arena);
	error = strstr(path, "vmlinux") ? target_open_kernel(&arena, path, NULL, false, &target) :
					  target_open_program(&arena, path, NULL, &target);
	if (!error)
		error = dwarf_open(&arena, target, NULL, NULL, 0, &base);
	if (error)
		errx(2, "%s: %s", path, error->message);
	walk.info = dwarf_info(base);
	for (size_t i = 0; i < walk.info->nunits; i++) {
		Dwarf_Die unit;

		if (!die_at(walk.info, walk.info->units[i].die, &unit))
			errx(2, "%s: no unit at %#lx", path, walk.info->units[i].die);
		walk_list(&walk, &unit);
	}
	printf("# %lu DIEs, %lu others\n", walk.dies, walk.others);
	check("siblings are libdw's", path, walk.dies && !walk.others);
	base->ops->close(base);
	target_close(target);
	arena_deinit(&arena);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		walk_file(argv[i]);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
