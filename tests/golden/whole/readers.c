// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers VMLINUX: what ktrace reads by itself (names of files, locations), compared with what libdw makes of
 * it, in one unit of STEP. Prints how many of each were the same, differed, and were left to libdw.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "debuginfo/bytes.h"
#include "debuginfo/die.h"
#include "target/target.h"

#define STEP 5

struct tally {
	const char *what;
	size_t same;
	size_t different;
	size_t left; /* to libdw */
};

static void count(struct tally *tally, bool is_same)
{
	tally->same += is_same;
	tally->different += !is_same;
}

static void compare_files(struct dwarf_info *info, Dwarf_Die *unit, struct tally *tally)
{
	Dwarf_Files *files;
	const char *name;
	size_t nfiles;

	if (dwarf_getsrcfiles(unit, &files, &nfiles))
		return;
	for (size_t i = 0; i < nfiles; i++) {
		if (file_name(info, unit, i, &name))
			count(tally, !strcmp(name, dwarf_filesrc(files, i, NULL, NULL) ?: ""));
		else
			tally->left++;
	}
	count(tally, !file_name(info, unit, nfiles, &name));
}

static bool same_operations(const Dwarf_Op *a, size_t na, const Dwarf_Op *b, size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++)
		if (a[i].atom != b[i].atom || a[i].number != b[i].number ||
		    a[i].number2 != b[i].number2 || a[i].offset != b[i].offset)
			return false;
	return true;
}

/* libdw's entries, one by one beside ours; those it can't read end it. */
static void compare_location(struct dwarf_info *info, Dwarf_Attribute *location, struct tally *tally)
{
	Dwarf_Addr base, start, end, our_start, our_end;
	struct location_list list;
	struct reader expression;
	ptrdiff_t offset = 0;
	size_t length, our_length;
	Dwarf_Op *ops, *ours;

	if (!location_list_open(info, location, &list)) {
		tally->left++;
		return;
	}
	while ((offset = dwarf_getlocations(location, offset, &base, &start, &end, &ops, &length)) > 0) {
		bool is_there = location_list_next(&list, &our_start, &our_end, &expression);

		/* of an expression for everywhere that is empty, there is no entry here */
		if (!is_there && !length)
			continue;
		if (is_there && read_operations(info->arena, expression, &ours, &our_length))
			tally->left++;
		else
			count(tally, is_there && start == our_start && end == our_end &&
			      same_operations(ops, length, ours, our_length));
	}
	if (!offset)
		count(tally, !location_list_next(&list, &our_start, &our_end, &expression) &&
		      !list.bytes.is_bad);
}

static void compare_locations(struct dwarf_info *info, Dwarf_Die *parent, struct tally *tally)
{
	Dwarf_Attribute location;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_attr(&die, DW_AT_location, &location))
			compare_location(info, &location, tally);
		compare_locations(info, &die, tally);
	} while (!dwarf_siblingof(&die, &die));
}

int main(int argc, char **argv)
{
	struct tally tallies[] = {{.what = "files"}, {.what = "locations"}};
	struct arena arena, answers;
	struct debuginfo *base;
	struct target *target;
	struct dwarf_info *info;

	arena_init(&arena);
	arena_init(&answers);
	if (argc != 2 || target_open_kernel(&arena, argv[1], &target) ||
	    dwarf_open(&arena, target, NULL, NULL, 0, &base))
		errx(2, "can't read it");
	info = dwarf_info(base);
	for (size_t i = 0; i < info->nunits; i += STEP) {
		Dwarf_Die unit;

		base->ops->answer_in(base, &answers);
		budget_begin(info);
		if (!dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			errx(2, "unit %zu", i);
		compare_files(info, &unit, &tallies[0]);
		compare_locations(info, &unit, &tallies[1]);
		base->ops->answer_in(base, &arena);
		arena_reset(&answers);
	}
	for (size_t i = 0; i < 2; i++)
		printf("%s %zu %zu %zu\n", tallies[i].what, tallies[i].same, tallies[i].different,
		       tallies[i].left);
	base->ops->close(base);
	target_close(target);
	arena_deinit(&answers);
	arena_deinit(&arena);
	return 0;
}
