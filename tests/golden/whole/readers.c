// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers VMLINUX: what ktrace reads by itself (names of files, rows, locations), compared with what libdw makes of
 * it, in one unit of STEP; and the symbol of an address by a pass over the table as by all symbols, read and
 * sorted. Prints how many of each were the same, differed, and were left to libdw.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/section_bytes.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/die.h"
#include "target/target.h"

#define STEP 5
#define TARGETS 100 /* each of which is asked for so many places at once */
#define PLACES 60

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

static bool same_row(struct line_rows *rows, const struct line_row *ours, Dwarf_Line *theirs)
{
	const char *file = row_file(rows, ours), *other = dwarf_linesrc(theirs, NULL, NULL);
	Dwarf_Addr address;
	bool is_stmt, is_end;
	int line, column;

	return !dwarf_lineaddr(theirs, &address) && !dwarf_lineno(theirs, &line) &&
	       !dwarf_linecol(theirs, &column) && !dwarf_linebeginstatement(theirs, &is_stmt) &&
	       !dwarf_lineendsequence(theirs, &is_end) && address == ours->address && line == (int)ours->line &&
	       column == ours->column && is_stmt == ours->is_stmt && is_end == ours->is_end && file && other &&
	       !strcmp(file, other);
}

static void compare_rows(struct dwarf_info *info, Dwarf_Die *unit, struct tally *tally)
{
	struct line_rows *rows = unit_rows(info, unit);
	Dwarf_Lines *lines;
	size_t total;

	if (dwarf_getsrclines(unit, &lines, &total))
		return;
	if (!rows || rows->files) {
		tally->left += total;
		return;
	}
	count(tally, rows->count == total);
	for (size_t i = 0; i < total && i < rows->count; i++)
		count(tally, same_row(rows, &rows->list[i], dwarf_onesrcline(lines, i)));
	for (size_t i = 1; i < total && i < rows->count; i++) {
		Dwarf_Addr before = rows->list[i - 1].address, at = rows->list[i].address;

		count(tally, row_follows(info, unit->cu, before + 1, at) == (before != at) &&
		      row_follows(info, unit->cu, at, at));
	}
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

/* FUNC:* asks for a function's rows at each of its lines: they are read once. */
static void ask_again(struct debuginfo *base, struct tally *tally)
{
	struct instance **instances;
	struct row *first, *again;
	unsigned count_all, nfirst, nagain;

	if (debuginfo_instances(base, "copy_process", &instances, &count_all) || !count_all)
		errx(2, "no copy_process");
	for (unsigned i = 0; i < count_all; i++)
		count(tally, !debuginfo_rows(base, instances[i], &first, &nfirst) &&
		      !debuginfo_rows(base, instances[i], &again, &nagain) && first == again &&
		      nfirst == nagain && nfirst > 1000);
}

/* At a symbol's borders, in it, and anywhere. */
static uint64_t some_address(const struct symbol *list, size_t count)
{
	const struct symbol *symbol = &list[(size_t)rand() % count];
	const uint64_t addresses[] = {symbol->address - 1, symbol->address, symbol->address + symbol->size / 2,
				      symbol->address + symbol->size - 1, symbol->address + symbol->size,
				      symbol->address ^ (uint64_t)rand() % (1 << 20)};

	return addresses[rand() % 6];
}

static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
	return !a || !b ? a == b : a->address == b->address && a->size == b->size && !strcmp(a->name, b->name);
}

static void compare_symbols(const char *path, struct tally *tally)
{
	struct target *whole, *asked;
	const struct symbol *list;
	struct arena arena;
	size_t nsymbols;

	arena_init(&arena);
	if (target_open_kernel(&arena, path, NULL, false, &whole))
		errx(2, "can't read it");
	list = target_symbols(whole, NULL, &nsymbols);
	for (unsigned i = 0; i < TARGETS; i++) {
		uint64_t places[PLACES];

		if (target_open_kernel(&arena, path, NULL, false, &asked))
			errx(2, "can't read it again");
		for (unsigned j = 0; j < PLACES; j++)
			places[j] = some_address(list, nsymbols);
		target_expect_places(asked, places, PLACES);
		for (unsigned j = 0; j < PLACES; j++)
			count(tally, same_symbol(target_symbol_at(asked, places[j], NULL),
						 target_symbol_at(whole, places[j], NULL)));
		target_close(asked);
	}
	target_close(whole);
	arena_deinit(&arena);
}

int main(int argc, char **argv)
{
	struct tally tallies[] = {
		{.what = "files"}, {.what = "rows"}, {.what = "locations"}, {.what = "symbols"},
	};
	struct arena arena, answers;
	struct debuginfo *base;
	struct target *target;
	struct dwarf_info *info;

	arena_init(&arena);
	arena_init(&answers);
	if (argc != 2 || target_open_kernel(&arena, argv[1], NULL, false, &target) ||
	    dwarf_open(&arena, target, NULL, NULL, 0, &base))
		errx(2, "can't read it");
	info = dwarf_info(base);
	for (size_t i = 0; i < info->nunits; i += STEP) {
		Dwarf_Die unit;

		base->ops->answer_in(base, &answers);
		base->ops->begin(base);
		if (!dwarf_offdie(info->dwarf, info->units[i].die, &unit))
			errx(2, "unit %zu", i);
		compare_files(info, &unit, &tallies[0]);
		compare_rows(info, &unit, &tallies[1]);
		compare_locations(info, &unit, &tallies[2]);
		base->ops->answer_in(base, &arena);
		arena_reset(&answers);
	}
	ask_again(base, &tallies[1]);
	compare_symbols(argv[1], &tallies[3]);
	for (size_t i = 0; i < 4; i++)
		printf("%s %zu %zu %zu\n", tallies[i].what, tallies[i].same, tallies[i].different,
		       tallies[i].left);
	base->ops->close(base);
	target_close(target);
	arena_deinit(&answers);
	arena_deinit(&arena);
	return 0;
}
