// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copy of a function in, the rows of the line table inside its code out. Statement or not makes
 * no difference here: which row to probe is resolve's to decide. libdw has them sorted by address,
 * rows of one address in their order.
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/internal.h"

/* Functions other than the instance's, of the same file and declared behind it, with code in the
 * same outer function: the rows of their lines are not the instance's. */
struct others {
	struct dwarf_info *info;
	const struct instance *instance;
	bool has_marks;
	uint64_t address; /* of the row before, and its view */
	unsigned view;
	struct other {
		unsigned line;
		uint64_t entry;
		struct range *ranges;
		unsigned nranges;
	} *list;
	unsigned count;
	struct copy {
		Dwarf_Off source;
		struct range *ranges;
		unsigned nranges;
	} *copies; /* the function's others in the same outer function, that one itself included */
	unsigned ncopies;
};

static void append_other(struct others *others, Dwarf_Die *die, unsigned line)
{
	struct other *other = &arena_append(others->info->arena, others->list, others->count);
	Dwarf_Addr entry;

	other->line = line;
	other->entry = dwarf_entrypc(die, &entry) ? 0 : entry + others->info->bias;
	die_ranges(others->info, die, &other->ranges, &other->nranges);
}

static void add_other(struct others *others, Dwarf_Die *die)
{
	const char *file;
	int line;

	if (dwarf_decl_line(die, &line) || line <= (int)others->instance->function->line)
		return;
	file = declared_file(others->info, die);
	if (!file || strcmp(file, others->instance->function->file))
		return;
	append_other(others, die, (unsigned)line);
}

/* A function that calls itself, inlined into itself: the rows of the inner call are its own. */
static void find_inner(struct others *others, Dwarf_Die *scope, Dwarf_Off inside)
{
	Dwarf_Off function = others->instance->function->source;
	Dwarf_Die die;

	if (die_child(others->info, scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		Dwarf_Off origin = inside;

		if (tag == DW_TAG_inlined_subroutine) {
			origin = die_origin(&die);
			if (origin == function && !is_split_half(&die, inside)) {
				append_other(others, &die, others->instance->function->line);
				continue;
			}
		}
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			find_inner(others, &die, origin);
	} while (!die_sibling(others->info, &die, &die));
}

static void append_copy(struct others *others, Dwarf_Die *die)
{
	struct copy *copy = &arena_append(others->info->arena, others->copies, others->ncopies);

	copy->source = dwarf_dieoffset(die);
	die_ranges(others->info, die, &copy->ranges, &copy->nranges);
}

/* inside: the origin of the function that scope is a part of. */
static void find_copies(struct others *others, Dwarf_Die *scope, Dwarf_Off inside)
{
	int tag = dwarf_tag(scope);
	Dwarf_Off origin = inside;
	Dwarf_Die die;

	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
		origin = die_origin(scope);
		if (origin == others->instance->function->source &&
		    dwarf_dieoffset(scope) != others->instance->source &&
		    !is_split_half(scope, inside))
			append_copy(others, scope);
	} else if (tag != DW_TAG_lexical_block) {
		return;
	}
	if (die_child(others->info, scope, &die))
		return;
	do {
		find_copies(others, &die, origin);
	} while (!die_sibling(others->info, &die, &die));
}

static void find_others(struct others *others, Dwarf_Die *scope)
{
	int tag = dwarf_tag(scope);
	Dwarf_Die die;

	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
		add_other(others, scope);
	else if (tag != DW_TAG_lexical_block)
		return;
	if (die_child(others->info, scope, &die))
		return;
	do {
		find_others(others, &die);
	} while (!die_sibling(others->info, &die, &die));
}

/* The line is that of another function with code at this address. */
static bool is_anothers(const struct others *others, uint64_t address, unsigned line)
{
	for (unsigned i = 0; i < others->count && budget_take(others->info, 1); i++) {
		const struct other *other = &others->list[i];

		if (other->line <= line &&
		    (other->entry == address ||
		     ranges_contain(other->ranges, other->nranges, address)))
			return true;
	}
	return false;
}

static bool ranges_end(const struct range *ranges, unsigned count, uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (ranges[i].end == address)
			return true;
	return false;
}

/* The last line of an inlined copy may begin where its code ends: `return n;` is then the first
 * instruction after it. Not where another copy of the function has that instruction, the one around
 * included: the row is then that one's. Of copies that end together, it is the innermost's. */
static bool is_just_behind(const struct others *others, uint64_t address)
{
	const struct instance *instance = others->instance;

	if (!instance->inlined ||
	    !ranges_contain(instance->outer_ranges, instance->nouter_ranges, address) ||
	    !ranges_end(instance->ranges, instance->nranges, address))
		return false;
	for (unsigned i = 0; i < others->ncopies; i++) {
		const struct copy *copy = &others->copies[i];

		if (ranges_contain(copy->ranges, copy->nranges, address) ||
		    (copy->source > instance->source &&
		     ranges_end(copy->ranges, copy->nranges, address)))
			return false;
	}
	return true;
}

/* A copy without instructions still has the rows at its entry. */
static bool is_inside(const struct others *others, const struct row *row)
{
	const struct instance *instance = others->instance;
	bool is_own = row->line >= instance->function->line &&
		      !strcmp(row->file, instance->function->file);
	bool is_within = instance->nranges ?
		ranges_contain(instance->ranges, instance->nranges, row->address) :
		row->address == instance->entry;

	if (!is_within && !(is_own && is_just_behind(others, row->address)))
		return false;
	return !is_own || !is_anothers(others, row->address, row->line);
}

/* Rows of one address are its views, in order (DWARF proposal 170427.1). */
static void number_view(struct others *others, struct row *row)
{
	others->view = row->address == others->address ? others->view + 1 : 0;
	others->address = row->address;
	row->view = others->view;
}

static bool read_row(struct others *others, Dwarf_Line *line, struct row *row)
{
	Dwarf_Addr address;
	bool end;
	int number;

	if (dwarf_lineaddr(line, &address) || dwarf_lineendsequence(line, &end) || end ||
	    dwarf_lineno(line, &number))
		return false;
	row->address = address + others->info->bias;
	number_view(others, row);
	row->line = (unsigned)number;
	row->file = short_path(dwarf_linesrc(line, NULL, NULL)) ?: "";
	if (number <= 0 || !is_inside(others, row))
		return false;
	if (dwarf_linebeginstatement(line, &row->is_stmt))
		return false;
	row->is_mark = row->is_stmt && others->has_marks;
	return true;
}

/* The first row at the address or behind it. */
static size_t first_row(const struct dwarf_info *info, Dwarf_Lines *lines, size_t count,
			uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		Dwarf_Addr at;

		if (!dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) &&
		    at + info->bias < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int range_compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

#define ROW_STEPS 32

struct rows {
	struct row *list;
	unsigned count;
};

/* Only rows from a range's start to just behind its end can be inside. */
static void read_rows(struct others *others, Dwarf_Lines *lines, size_t total, struct rows *rows)
{
	const struct instance *instance = others->instance;
	struct arena *arena = others->info->arena;
	struct range empty = {instance->entry, instance->entry};
	unsigned count = instance->nranges ? instance->nranges : 1;
	struct range *sorted = arena_grow(arena, instance->nranges ? instance->ranges : &empty,
					  count * sizeof(*sorted), count * sizeof(*sorted));
	struct row row;

	qsort(sorted, count, sizeof(*sorted), range_compare);
	for (size_t i = 0, at = 0; i < count; i++) {
		size_t first = first_row(others->info, lines, total, sorted[i].start);
		Dwarf_Addr address;

		for (at = first > at ? first : at; at < total && budget_take(others->info, ROW_STEPS); at++) {
			Dwarf_Line *line = dwarf_onesrcline(lines, at);

			if (!dwarf_lineaddr(line, &address) &&
			    address + others->info->bias > sorted[i].end)
				break;
			if (read_row(others, line, &row))
				arena_append(arena, rows->list, rows->count) = row;
		}
	}
}

/* A function that was compiled without -O has no marks, whatever its unit was compiled with. */
static void drop_marks(struct rows *rows)
{
	for (unsigned i = 0; i < rows->count; i++)
		if (!rows->list[i].is_stmt)
			return;
	for (unsigned i = 0; i < rows->count; i++)
		rows->list[i].is_mark = false;
}

/* Whether rows begin a statement where gcc has put a marker into the program, before it optimised
 * (-gstatement-frontiers): who executes a statement twice passes two. A compiler that calls each change
 * of line a statement, as others do and gcc does without -O, says nothing of how often. */
static bool has_marks(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
	const char *level = NULL;

	if (!producer || strncmp(producer, "GNU C", 5) || strstr(producer, "-gno-statement-frontiers"))
		return false;
	for (const char *at = producer; (at = strstr(at, " -O")); at += 3)
		level = at + 3;
	producer = strchr(producer + 5, ' '); /* "GNU C17 12.2.0" */
	return producer && strtoul(producer, NULL, 10) >= 8 && level && *level != '0';
}

struct error *dwarf_rows(struct debuginfo *base, const struct instance *instance, struct row **ret,
			 unsigned *count)
{
	struct dwarf_info *info = dwarf_info(base);
	struct others others = {.info = info, .instance = instance, .address = ~(uint64_t)0};
	Dwarf_Die die, unit, outer;
	Dwarf_Lines *lines;
	struct rows rows = {0};
	size_t total;

	*ret = NULL;
	*count = 0;
	if (!die_at(info, instance->source, &die) ||
	    !die_at(info, instance->outer_source, &outer) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL))
		return dwarf_error(info, "function");
	if (dwarf_getsrclines(&unit, &lines, &total))
		return dwarf_error(info, "line table");
	others.has_marks = has_marks(&unit);
	find_others(&others, &outer);
	find_inner(&others, &die, die_origin(&die));
	if (instance->inlined)
		find_copies(&others, &outer, 0);
	read_rows(&others, lines, total, &rows);
	drop_marks(&rows);
	*ret = rows.list;
	*count = rows.count;
	return NULL;
}
