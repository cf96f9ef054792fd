// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the addresses to probe for a line of one instance of a function, so that one hit is one
 * pass. If gcc wrote statement frontier markers, only rows that begin a statement count, unless the
 * line has none (a `return -EINVAL` moved elsewhere); without markers any row does. A row that
 * others of the line always precede is left out.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

enum which {
	ANY,
	INSTRUCTIONS, /* not where the address's instruction belongs to a later row */
	STATEMENTS,
};

static bool is_such(const struct row *row, enum which which)
{
	return which == STATEMENTS ? row->is_stmt : which == ANY || has_instruction(row);
}

/* Distinct addresses of the line's rows, ascending. */
static void collect(struct resolver *resolver, const struct instance *instance, unsigned line,
		    const struct row *rows, unsigned nrows, enum which which,
		    struct candidates *ret)
{
	ret->addresses = arena_array(&resolver->scratch, uint64_t, nrows + 1);
	ret->count = 0;
	for (unsigned i = 0; i < nrows; i++)
		if (is_of_line(instance, &rows[i], line) && is_such(&rows[i], which) &&
		    !has_address(ret, rows[i].address))
			ret->addresses[ret->count++] = rows[i].address;
}

/* Chooses among the line's rows at one address: the first that begins a statement, else the
 * first. */
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

/* How often a marker of the line's first statement at the address is there. */
static unsigned count_marks(const struct instance *instance, unsigned line, const struct row *rows,
			    unsigned nrows, uint64_t address)
{
	unsigned count = 0, column = 0;

	for (unsigned i = 0; i < nrows; i++) {
		if (rows[i].address != address || !rows[i].is_mark ||
		    !is_of_line(instance, &rows[i], line))
			continue;
		column = count ? column : rows[i].column;
		count += rows[i].column == column;
	}
	return count;
}

#define ADDRESSES_MAX 4096 /* each is compared with each other, along the code between them */

/* Outside the instance's code its variables have no location: such a row gets an instance
 * without a DIE. */
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

/* Line 0 is the function's beginning, whatever else the compiler puts on that line. An inlined
 * instance may have several: the compiler peeled a loop's first round, and the call with it. */
static struct error *add_entries(struct resolver *resolver, const struct instance *instance,
				 struct points *points)
{
	unsigned line = instance->function->line, nrows = 0;
	struct candidates list = {0};
	struct error *error = NULL;
	struct flow *flow = NULL;
	struct row *rows = NULL;

	if (is_part(resolver, instance))
		return NULL;
	if (instance->inlined)
		error = debuginfo_rows(resolver->info, instance, &rows, &nrows);
	if (has_marks(rows, nrows))
		collect(resolver, instance, line, rows, nrows, STATEMENTS, &list);
	if (list.count == 1 && list.addresses[0] == instance->entry)
		list.count = 0;
	if (list.count)
		flow = outer_flow(resolver, instance);
	if (flow)
		passes_entries(resolver, instance, rows, nrows, flow, &list);
	else
		list.count = 0;
	if (!list.count)
		points_add(resolver, points, instance, entry_of(instance), line);
	for (unsigned i = 0; i < list.count; i++) {
		struct position at =
			position_of(instance, flow, line, rows, nrows, list.addresses[i]);

		at.is_entry = true;
		points_add(resolver, points, instance,
			   at.address == instance->entry ? entry_of(instance) : at, line);
	}
	return error;
}

/* What is probed of a line that isn't the function's beginning. */
struct choice {
	struct candidates list;
	const struct row *rows; /* the instance's */
	unsigned nrows;
	struct flow *flow; /* NULL: not known */
};

static struct error *choose(struct resolver *resolver, const struct instance *instance,
			    unsigned line, bool every, struct choice *ret)
{
	struct candidates list, all;
	struct row *rows;
	unsigned nrows;
	struct error *error;

	arena_reset(&resolver->scratch);
	*ret = (struct choice){0};
	error = debuginfo_rows(resolver->info, instance, &rows, &nrows);
	if (error)
		return error;
	collect(resolver, instance, line, rows, nrows, ANY, &all);
	collect(resolver, instance, line, rows, nrows, STATEMENTS, &list);
	if (!list.count && has_marks(rows, nrows))
		collect(resolver, instance, line, rows, nrows, INSTRUCTIONS, &list);
	if (!list.count || every || !has_marks(rows, nrows))
		list = all;
	if (all.count > ADDRESSES_MAX)
		return error_hint(
			resolver->arena,
			error_new(resolver->arena, ERROR_LIMIT,
				  "line %u of '%s' has %u addresses, too many to tell one pass "
				  "through it from another",
				  line, instance->function->file, all.count),
			"name an address: %s+OFFSET", instance->function->name);
	if (all.count)
		ret->flow = outer_flow(resolver, instance);
	if (all.count > 1 && !every) {
		list.addresses = arena_grow(&resolver->scratch, list.addresses,
					    list.count * sizeof(*list.addresses),
					    (list.count + 1) * sizeof(*list.addresses));
		if (ret->flow)
			passes_keep(resolver, instance, line, rows, nrows, ret->flow, &list);
		else
			passes_keep_blind(instance, line, rows, nrows, &list);
	}
	ret->rows = rows;
	ret->nrows = nrows;
	ret->list = list;
	return NULL;
}

bool line_addresses(struct resolver *resolver, const struct instance *instance, unsigned line,
		    struct candidates *ret)
{
	struct choice choice;

	*ret = (struct candidates){0};
	if (choose(resolver, instance, line, false, &choice))
		return false;
	ret->addresses = arena_grow(resolver->arena, choice.list.addresses,
				    choice.list.count * sizeof(*ret->addresses),
				    (choice.list.count + 1) * sizeof(*ret->addresses));
	ret->count = choice.list.count;
	return true;
}

struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool every, struct points *points)
{
	struct choice choice;
	struct error *error;
	unsigned *views;

	if (line == instance->function->line && !every) {
		arena_reset(&resolver->scratch);
		return add_entries(resolver, instance, points);
	}
	error = choose(resolver, instance, line, every, &choice);
	if (error)
		return error;
	views = arena_array(&resolver->scratch, unsigned, choice.nrows + 1);
	for (unsigned i = 0; i < choice.list.count; i++) {
		const struct row *rows = choice.rows;
		struct position at = position_of(instance, choice.flow, line, rows, choice.nrows,
						 choice.list.addresses[i]);
		unsigned begun =
			choice.flow && !every ?
				passes_begun(resolver, instance, line, rows, choice.nrows,
					     choice.flow, &choice.list, at.address, views) :
				0;

		for (unsigned j = 0; j < begun || !j; j++) {
			struct point *point;

			at.view = begun ? views[j] : at.view;
			points_add(resolver, points,
				   instance_at(resolver, instance, rows, choice.nrows, at.address),
				   at, line);
			point = &points->list[points->count - 1];
			point->line_of = instance;
			point->pending = pending_find(resolver, instance, rows, choice.nrows,
						      choice.flow, at);
			point->early =
				early_find(resolver, instance, rows, choice.nrows, choice.flow, at);
			point->marks = count_marks(instance, line, rows, choice.nrows, at.address);
		}
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
				line = SPAN - 1 - (long)away; /* beyond the end: the last ones */
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

	error = place_is_range(place) ?
			error_new(resolver->arena, ERROR_NOT_FOUND,
				  "no code at these lines of '%s'", place->function) :
			error_new(resolver->arena, ERROR_NOT_FOUND, "no code at line %u of '%s'",
				  place->line, relative ? place->function : place->file);
	error_at(error, spec->text, place->line_span);
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
		struct error *error;

		if (line == instances[i]->function->line && !every)
			find_beginning(resolver, instances[i]);
		error = place_is_range(&spec->place) ?
			range_points(resolver, instances[i], &spec->place, every, points) :
			line_points(resolver, instances[i], line, every, points);
		if (error)
			return error;
	}
	return points->count ? NULL : unknown_line(resolver, spec, instances, count);
}
