// SPDX-License-Identifier: GPL-2.0-only
/*
 * A copy of a function and a line in, the addresses to probe out: one hit for one pass. Rows that
 * begin a statement come first; where a line has none (a `return -EINVAL` moved elsewhere), any row
 * will do. Of several rows, one that others always come before is left out.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

struct candidates {
	uint64_t *addresses;
	unsigned count;
};

static bool is_of_line(const struct instance *instance, const struct row *row, unsigned line)
{
	return row->line == line && !strcmp(row->file, instance->function->file);
}

static bool has_address(const struct candidates *list, uint64_t address)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->addresses[i] == address)
			return true;
	return false;
}

/* Without marks, a row that begins no statement is only one that stands behind another row of its line. */
static bool has_marks(const struct row *rows, unsigned nrows)
{
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_mark)
			return true;
	return false;
}

/* Distinct addresses of the line's rows, ascending. */
static void collect(struct resolver *resolver, const struct instance *instance, unsigned line,
		    const struct row *rows, unsigned nrows, bool only_stmt, struct candidates *ret)
{
	ret->addresses = arena_array(resolver->arena, uint64_t, nrows + 1);
	ret->count = 0;
	for (unsigned i = 0; i < nrows; i++)
		if (is_of_line(instance, &rows[i], line) && (rows[i].is_stmt || !only_stmt) &&
		    !has_address(ret, rows[i].address))
			ret->addresses[ret->count++] = rows[i].address;
}

/* What the rows say of the order in which lines are executed. */
struct breaks {
	bool has_marks; /* the line; else any row of another line counts */
	struct candidates others;  /* where another line is begun */
	struct candidates left;    /* behind which another line is being executed */
	struct candidates entered; /* where the line begins right after another one */
};

static bool is_break(const struct instance *instance, const struct row *row, bool has_marks)
{
	return (row->is_mark || !has_marks) && row->line >= instance->function->line &&
	       !strcmp(row->file, instance->function->file);
}

static void collect_breaks(struct resolver *resolver, const struct instance *instance, unsigned line,
			   const struct row *rows, unsigned nrows, struct breaks *ret)
{
	const struct row *before = NULL; /* the break before, of the same address */
	struct candidates *lists[] = {&ret->others, &ret->left, &ret->entered};

	for (unsigned i = 0; i < 3; i++)
		*lists[i] = (struct candidates){arena_array(resolver->arena, uint64_t, nrows + 1), 0};
	ret->has_marks = false;
	for (unsigned i = 0; i < nrows; i++)
		ret->has_marks |= rows[i].is_mark && is_of_line(instance, &rows[i], line);
	for (unsigned i = 0; i < nrows; i++) {
		uint64_t address = rows[i].address;

		if (!is_break(instance, &rows[i], ret->has_marks))
			continue;
		if (before && before->address != address)
			before = NULL;
		if (before && before->line != line)
			ret->left.count--; /* it isn't the last one there */
		if (before && before->line != line && rows[i].line == line)
			ret->entered.addresses[ret->entered.count++] = address;
		if (rows[i].line != line) {
			ret->left.addresses[ret->left.count++] = address;
			ret->others.addresses[ret->others.count++] = address;
		}
		before = &rows[i];
	}
}

static void drop(struct candidates *list, unsigned i)
{
	memmove(&list->addresses[i], &list->addresses[i + 1],
		(list->count - i - 1) * sizeof(*list->addresses));
	list->count--;
}

/* What is only reached through another one is the same pass, unless a mark tells that it isn't. Later
 * ones first, so that of two that guard each other the first stays. */
static void drop_continued(const struct flow *flow, const struct breaks *breaks,
			   struct candidates *list)
{
	for (unsigned i = list->count; i-- > 0 && list->count > 1;) {
		uint64_t address = list->addresses[i];

		if ((breaks->has_marks && has_address(&breaks->entered, address)) ||
		    flow_reaches(flow, address, list->addresses, list->count) ||
		    flow_reaches_from(flow, &address, 1, address, list->addresses, list->count) ||
		    (breaks->has_marks &&
		     flow_reaches_from(flow, breaks->left.addresses, breaks->left.count, address,
				       list->addresses, list->count)))
			continue;
		drop(list, i);
	}
}

/* Those that go on with the line where it was: not those where another line is begun first. */
static void collect_goals(struct resolver *resolver, const struct breaks *breaks,
			  const struct candidates *list, struct candidates *ret)
{
	*ret = (struct candidates){arena_array(resolver->arena, uint64_t, list->count + 1), 0};
	for (unsigned i = 0; i < list->count; i++)
		if (!has_address(&breaks->entered, list->addresses[i]))
			ret->addresses[ret->count++] = list->addresses[i];
}

/* What always leads to another one, no other line between, is the beginning of that one's pass: the jump to a
 * loop's condition. */
static void drop_leading(struct resolver *resolver, const struct flow *flow,
			 const struct breaks *breaks, struct candidates *list)
{
	struct candidates goals;

	for (unsigned i = 0; i < list->count;) {
		collect_goals(resolver, breaks, list, &goals);
		if (list->count > 1 && !has_address(&breaks->left, list->addresses[i]) &&
		    flow_always_meets(flow, list->addresses[i], goals.addresses, goals.count,
				      breaks->others.addresses, breaks->others.count))
			drop(list, i);
		else
			i++;
	}
}

/* Where a mark of another line follows at the same address, the statement has no instruction: if another
 * one may lead there, it is the end of that one's pass, whoever jumps to the instruction besides. */
static void drop_empty(const struct flow *flow, const struct breaks *breaks,
		       struct candidates *list)
{
	for (unsigned i = list->count; breaks->has_marks && i-- > 0;) {
		uint64_t address = list->addresses[i];

		if (!has_address(&breaks->left, address) || has_address(&breaks->entered, address))
			continue;
		for (unsigned j = 0; j < list->count; j++)
			if (j != i && !has_address(&breaks->left, list->addresses[j]) &&
			    flow_always_meets(flow, list->addresses[j], &address, 1,
					      breaks->others.addresses, breaks->others.count)) {
				drop(list, i);
				break;
			}
	}
}

static void prune(struct resolver *resolver, const struct instance *instance, unsigned line,
		  const struct row *rows, unsigned nrows, const struct flow *flow,
		  struct candidates *list)
{
	struct breaks breaks;

	collect_breaks(resolver, instance, line, rows, nrows, &breaks);
	drop_continued(flow, &breaks, list);
	drop_empty(flow, &breaks, list);
	drop_leading(resolver, flow, &breaks, list);
}

/* Without the code itself: addresses with no other line of the function between them are one. */
static void prune_blind(const struct instance *instance, unsigned line, const struct row *rows,
			unsigned nrows, struct candidates *list)
{
	unsigned kept = 0;
	bool apart = true;

	for (unsigned i = 0; i < nrows; i++) {
		if (strcmp(rows[i].file, instance->function->file))
			continue;
		if (rows[i].line != line)
			apart = true;
		else if (apart && has_address(list, rows[i].address)) {
			if (!kept || list->addresses[kept - 1] != rows[i].address)
				list->addresses[kept++] = rows[i].address;
			apart = false;
		}
	}
	list->count = kept;
}

/* Of several rows of the line at one address, the first that begins a statement, else the first. */
static struct position position_of(const struct instance *instance, const struct flow *flow,
				   unsigned line, const struct row *rows, unsigned nrows,
				   uint64_t address)
{
	struct position at = {
		.address = address,
		.view = VIEW_LAST,
		.is_straight = flow && flow_is_straight(flow, address),
		.line = line,
	};

	for (unsigned i = 0; i < nrows; i++) {
		if (rows[i].address != address || !is_of_line(instance, &rows[i], line))
			continue;
		if (rows[i].is_stmt || at.view == VIEW_LAST)
			at.view = rows[i].view;
		if (rows[i].is_stmt)
			break;
	}
	return at;
}

#define ADDRESSES_MAX 4096 /* each is held against each, along the code between them */

/* Outside of the copy's code, its variables have no place: there, it is one of its own without a DIE. */
static const struct instance *instance_at(struct resolver *resolver,
					  const struct instance *instance, const struct row *rows,
					  unsigned nrows, uint64_t address)
{
	struct instance *stray;

	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].address == address && !rows[i].is_stray)
			return instance;
	stray = arena_new(resolver->arena, struct instance);
	*stray = *instance;
	stray->source = instance->function->source;
	stray->entry = address;
	stray->entry_view = 0;
	stray->ranges = NULL;
	stray->nranges = 0;
	return stray;
}

struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool every, struct points *points)
{
	struct candidates list, all;
	struct flow *flow = NULL;
	struct row *rows;
	struct error *error;
	unsigned nrows;

	error = debuginfo_rows(resolver->info, instance, &rows, &nrows);
	if (error)
		return error;
	/* line 0 is the function's beginning, whatever else the compiler puts on that line */
	if (line == instance->function->line && !every) {
		points_add(resolver, points, instance, entry_of(instance), line);
		return NULL;
	}
	collect(resolver, instance, line, rows, nrows, false, &all);
	collect(resolver, instance, line, rows, nrows, true, &list);
	if (!list.count || every || !has_marks(rows, nrows))
		list = all;
	if (all.count > ADDRESSES_MAX)
		return error_hint(resolver->arena, error_new(
			resolver->arena, ERROR_LIMIT, "line %u of '%s' has %u addresses, too many to tell one pass "
			"through it from another", line, instance->function->file, all.count),
			"name an address: %s+OFFSET", instance->function->name);
	if (all.count)
		flow = outer_flow(resolver, instance);
	if (all.count > 1 && !every) {
		list.addresses = arena_grow(resolver->arena, list.addresses,
					    list.count * sizeof(*list.addresses),
					    (list.count + 1) * sizeof(*list.addresses));
		if (flow)
			prune(resolver, instance, line, rows, nrows, flow, &list);
		else
			prune_blind(instance, line, rows, nrows, &list);
	}
	for (unsigned i = 0; i < list.count; i++) {
		struct position at = position_of(instance, flow, line, rows, nrows, list.addresses[i]);

		points_add(resolver, points, instance_at(resolver, instance, rows, nrows, at.address), at,
			   line);
		points->list[points->count - 1].pending =
			pending_find(resolver, instance, rows, nrows, flow, at);
	}
	return NULL;
}

/* "0, 2, 3, 5": lines of the function with code, relative to its declaration; the nearest eight. */
static char *nearest_lines(struct resolver *resolver, struct instance *const *instances,
			   unsigned count, unsigned wanted, bool relative)
{
	enum { MOST = 8, SPAN = 4096 };
	bool *has = arena_array(resolver->arena, bool, SPAN);
	unsigned base = instances[0]->function->line, left = MOST;
	char *text = arena_strdup(resolver->arena, "");
	bool *chosen = arena_array(resolver->arena, bool, SPAN);

	for (unsigned i = 0; i < count; i++) {
		struct row *rows;
		unsigned nrows;

		if (debuginfo_rows(resolver->info, instances[i], &rows, &nrows))
			continue;
		for (unsigned j = 0; j < nrows; j++)
			if (rows[j].line - base < SPAN &&
			    is_of_line(instances[i], &rows[j], rows[j].line))
				has[rows[j].line - base] = true;
	}
	wanted -= relative ? 0 : base;
	for (unsigned away = 0; away < SPAN && left; away++)
		for (int side = -1; side <= 1 && left; side += 2) {
			long line = (long)wanted + side * (long)away;

			if (line >= SPAN)
				line = SPAN - 1 - (long)away; /* far beyond the end: the last ones */
			if (line < 0 || line >= SPAN || !has[line] || chosen[line])
				continue;
			chosen[line] = true;
			left--;
		}
	for (unsigned i = 0; i < SPAN; i++)
		if (chosen[i])
			text = arena_printf(resolver->arena, "%s%s%u", text, *text ? ", " : "",
					    relative ? i : i + base);
	return text;
}

static struct error *unknown_line(struct resolver *resolver, const struct spec *spec,
				  struct instance *const *instances, unsigned count)
{
	const struct place *place = &spec->place;
	bool relative = place->kind == PLACE_LINE;
	char *lines = nearest_lines(resolver, instances, count, place->line, relative);
	struct error *error;

	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no code at line %u of '%s'",
				   place->line, relative ? place->function : place->file),
			 spec->text, place->line_span);
	return error_hint(resolver->arena, error, "the nearest lines of '%s' with code: %s",
			  instances[0]->function->name, lines);
}

struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned line = spec->place.line +
			(spec->place.kind == PLACE_LINE ? instances[i]->function->line : 0);
		struct error *error = line_points(resolver, instances[i], line, every, points);

		if (error)
			return error;
	}
	return points->count ? NULL : unknown_line(resolver, spec, instances, count);
}
