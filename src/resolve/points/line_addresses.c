// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the addresses to probe for a line of one instance of a function, so that one hit is one
 * pass. If gcc wrote statement frontier markers, only rows that begin a statement count, unless the
 * line has none (a `return -EINVAL` moved elsewhere); without markers any row does. A row that
 * others of the line always precede is left out.
 */
#include "resolve/flow/flow.h"
#include "resolve/flow/written.h"
#include "resolve/passes/passes.h"
#include "resolve/points/kinds.h"

enum which {
	ANY,
	INSTRUCTIONS, /* not where the address's instruction belongs to a later row */
	STATEMENTS,
};

static bool is_such(const struct row *row, enum which which)
{
	return which == STATEMENTS ? row->is_stmt : which == ANY || has_instruction(row);
}

/* Distinct addresses of the line's rows, ascending, as the rows are. */
static void collect(const struct line_code *of, enum which which, struct candidates *ret)
{
	const struct row *rows = of->rows;

	ret->addresses = arena_array(&of->resolver->scratch, uint64_t, of->nrows + 1);
	ret->count = 0;
	for (unsigned i = 0; i < of->nrows; i++)
		if (is_of_line(of->instance, &rows[i], of->line) && is_such(&rows[i], which) &&
		    !(ret->count && ret->addresses[ret->count - 1] == rows[i].address))
			ret->addresses[ret->count++] = rows[i].address;
}

/* Chooses among the line's rows at one address: the first that begins a statement, else the
 * first. */
static struct position position_of(const struct line_code *of, uint64_t address)
{
	const struct row *rows = of->rows;
	struct position at = {
		.address = address,
		.view = VIEW_LAST,
		.is_straight = of->flow && flow_is_straight(of->flow, address),
		.line = of->line,
	};

	for (unsigned i = 0; i < of->nrows; i++) {
		if (rows[i].address != address || !is_of_line(of->instance, &rows[i], of->line))
			continue;
		if (rows[i].is_stmt || at.view == VIEW_LAST)
			at.view = rows[i].view;
		if (rows[i].is_stmt)
			break;
	}
	return at;
}

/* How often a marker of the line's first statement at the address is there. */
static unsigned count_marks(const struct line_code *of, uint64_t address)
{
	const struct row *rows = of->rows;
	unsigned count = 0, column = 0;

	for (unsigned i = 0; i < of->nrows; i++) {
		if (rows[i].address != address || !rows[i].is_mark ||
		    !is_of_line(of->instance, &rows[i], of->line))
			continue;
		column = count ? column : rows[i].column;
		count += rows[i].column == column;
	}
	return count;
}

#define ADDRESSES_MAX 4096 /* each is compared with each other, along the code between them */

/* Outside the instance's code its variables have no location: such a row gets an instance
 * without a DIE. */
static const struct instance *instance_at(const struct line_code *of, uint64_t address)
{
	const struct instance *instance = of->instance;
	const struct row *around = row_around(of, address);
	struct instance *stray;

	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].address == address && !of->rows[i].is_stray)
			return instance;
	if (around && around->address != address && !around->is_stray)
		return instance;
	stray = arena_new(of->resolver->arena, struct instance);
	*stray = *instance;
	stray->source = instance->function->source;
	stray->entry = address;
	stray->entry_view = 0;
	stray->ranges = NULL;
	stray->nranges = 0;
	return stray;
}

/* Whether the function is written on one line, as a macro makes it: its statements begin there as
 * well, and those of others that the same macro makes. */
static bool is_one_line(const struct line_code *of)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && is_own_row(of->instance, &of->rows[i]) &&
		    of->rows[i].line != of->line)
			return false;
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && count_marks(of, of->rows[i].address) > 1)
			return true;
	return false;
}

/* Line 0 is the function's beginning, whatever else the compiler puts on that line. An inlined
 * instance may have several: the compiler peeled a loop's first round, and the call with it. */
static struct error *add_entries(struct resolver *resolver, const struct instance *instance,
				 struct points *points)
{
	struct line_code of = {.resolver = resolver,
			       .instance = instance,
			       .line = instance->function->line};
	struct candidates list = {0};
	struct error *error = NULL;

	if (is_part(resolver, instance))
		return NULL;
	if (instance->inlined)
		error = line_code_read(resolver, instance, of.line, &of);
	if (instance->is_entry_told && has_marks(of.rows, of.nrows) && !is_one_line(&of))
		collect(&of, STATEMENTS, &list);
	if (list.count == 1 && list.addresses[0] == instance->entry)
		list.count = 0;
	if (list.count)
		of.flow = passing_flow(resolver, instance);
	if (of.flow)
		passes_entries(&of, &list);
	else
		list.count = 0;
	if (!list.count)
		points_add_entries(resolver, points, instance);
	for (unsigned i = 0; i < list.count; i++) {
		struct position at = position_of(&of, list.addresses[i]);

		at.is_entry = true;
		points_add(resolver, points, instance,
			   at.address == instance->entry ? entry_of(instance) : at, of.line);
	}
	return error;
}

/* What is probed of a line that isn't the function's beginning. */
struct choice {
	struct line_code of;
	struct candidates list;
};

/* Every address of the line, or those of its statements; of a line without any, those of its
 * instructions. */
static void collect_candidates(const struct line_code *of, bool every, struct candidates *all,
			       struct candidates *ret)
{
	bool is_marked = has_marks(of->rows, of->nrows);

	collect(of, ANY, all);
	collect(of, STATEMENTS, ret);
	if (!ret->count && is_marked)
		collect(of, INSTRUCTIONS, ret);
	if (!ret->count || every || !is_marked)
		*ret = *all;
}

/* Chooses among the line's addresses and those of copies that it calls. */
static bool keep_called(const struct line_code *of, const struct candidates *own,
			struct candidates *ret)
{
	struct candidates list;

	if (!passes_add_called(of, own, &list))
		return false;
	passes_keep(of, &list);
	if (passes_meet_called(of, own, &list))
		return false;
	*ret = list;
	return true;
}

static struct error *choose(struct resolver *resolver, const struct instance *instance,
			    unsigned line, bool every, struct choice *ret)
{
	struct candidates list, all;
	struct line_code *of = &ret->of;
	struct error *error;

	arena_reset(&resolver->scratch);
	*ret = (struct choice){0};
	error = line_code_read(resolver, instance, line, of);
	if (error)
		return error;
	collect_candidates(of, every, &all, &list);
	if (all.count > ADDRESSES_MAX)
		return error_hint(
			resolver->arena,
			error_new(resolver->arena, ERROR_LIMIT,
				  "line %u of '%s' has %u addresses, too many to tell one pass "
				  "through it from another",
				  line, instance->function->file, all.count),
			"name an address: %s+OFFSET", instance->function->name);
	if (all.count)
		of->flow = outer_flow(resolver, instance);
	if (of->flow && !every && !instance->is_unoptimised && !has_marks(of->rows, of->nrows)) {
		passes_move_to_joins(of, &list);
		if (keep_called(of, &list, &ret->list))
			return NULL;
	}
	if (all.count > 1 && !every) {
		list.addresses = arena_grow(&resolver->scratch, list.addresses,
					    list.count * sizeof(*list.addresses),
					    (list.count + 1) * sizeof(*list.addresses));
		if (of->flow)
			passes_keep(of, &list);
		else
			passes_keep_blind(of, &list);
	}
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

static void add_point(const struct line_code *of, struct position at, struct points *points)
{
	struct point *point;

	points_add(of->resolver, points, instance_at(of, at.address), at, of->line);
	point = &points->list[points->count - 1];
	point->line_of = of->instance;
	point->pending = pending_find(of, at);
	point->early = early_find(of, at);
	point->marks = count_marks(of, at.address);
}

struct error *line_points(struct resolver *resolver, const struct instance *instance,
			  unsigned line, bool every, struct points *points)
{
	const struct line_code *of;
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
	of = &choice.of;
	views = arena_array(&resolver->scratch, unsigned, of->nrows + 1);
	for (unsigned i = 0; i < choice.list.count; i++) {
		struct position at = position_of(of, choice.list.addresses[i]);
		unsigned begun = of->flow && !every ?
					 passes_begun(of, &choice.list, at.address, views) : 0;

		for (unsigned j = 0; j < begun || !j; j++) {
			at.view = begun ? views[j] : at.view;
			add_point(of, at, points);
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
		/* each is counted from its own declaration */
		base = relative ? instances[i]->function->line : base;
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

struct error *no_line_table(struct resolver *resolver, const char *name, struct error *error)
{
	return error_hint(resolver->arena, error, "debug information has no lines for '%s' at all "
			  "(no line table): write %s or %s+OFFSET", name, name, name);
}

/* The lines may be those of an OpenMP region, which is a function of its own, "work._omp_fn.0". */
static struct error *hint_region(struct resolver *resolver, const struct function *function,
				 const struct spec *spec, struct error *error)
{
	const struct place *place = &spec->place;
	const char *slash = strrchr(function->file, '/');
	const char *file = slash ? slash + 1 : function->file, *name;
	size_t length = strlen(function->name);
	struct instance **instances;
	unsigned count, first = function->line + place->line,
			last = place_is_range(place) ? function->line + place->last_line : first;
	struct span span = place->line_span;
	bool known;

	if (debuginfo_instances_at_lines(resolver->info, (struct file_lines){file, first, last},
					 &instances, &count, &known) || !count)
		return NULL;
	name = instances[0]->function->name;
	if (strncmp(name, function->name, length) || name[length] != '.')
		return NULL;
	return error_hint(resolver->arena, error, "that is code of '%s'; try %s:%.*s", name, name,
			  (int)(span.end - span.start), spec->text + span.start);
}

static struct error *unknown_line(struct resolver *resolver, const struct spec *spec,
				  struct instance *const *instances, unsigned count)
{
	const struct place *place = &spec->place;
	const char *name = instances[0]->function->name;
	bool relative = place->kind == PLACE_LINE;
	char *lines = nearest_lines(resolver, instances, count, place->line, relative);
	struct error *error;

	error = place_is_range(place) ?
			error_new(resolver->arena, ERROR_NOT_FOUND,
				  "no code at these lines of '%s'", place->function) :
			error_new(resolver->arena, ERROR_NOT_FOUND, "no code at line %u of '%s'",
				  place->line, relative ? place->function : place->file);
	error_at(error, spec->text, place->line_span);
	if (!*lines)
		return no_line_table(resolver, name, error);
	if (place->kind == PLACE_LINE && is_declared(instances[0]) &&
	    hint_region(resolver, instances[0]->function, spec, error))
		return error;
	return error_hint(resolver->arena, error, "the nearest lines of '%s' with code: %s", name,
			  lines);
}

bool is_declared(const struct instance *instance)
{
	return instance->function->line && *instance->function->file;
}

struct error *undeclared(struct resolver *resolver, const struct instance *instance,
			 const char *text, struct span span)
{
	const char *name = instance->function->name, *file;
	struct error *error = error_at(error_new(resolver->arena, ERROR_NO_DEBUGINFO,
						 "debug information doesn't say at which line '%s' "
						 "begins, so its lines can't be counted", name),
				       text, span);
	struct row *rows;
	unsigned nrows;

	if (debuginfo_rows(resolver->info, instance, &rows, &nrows) || !nrows || !*rows[0].file)
		return error_hint(resolver->arena, error, "write %s or %s+OFFSET", name, name);
	file = strrchr(rows[0].file, '/') ? strrchr(rows[0].file, '/') + 1 : rows[0].file;
	return error_hint(resolver->arena, error, "count from the file's first line: %s:%u", file,
			  rows[0].line);
}

struct error *lines_of(struct resolver *resolver, const struct spec *spec,
		       struct instance *const *instances, unsigned count, bool every,
		       struct points *points)
{
	unsigned declared = 0;

	for (unsigned i = 0; i < count; i++)
		declared += is_declared(instances[i]);
	if (count && !declared && spec->place.kind == PLACE_LINE)
		return undeclared(resolver, instances[0], spec->text, spec->place.line_span);
	for (unsigned i = 0; i < count; i++) {
		unsigned line = spec->place.line +
			(spec->place.kind == PLACE_LINE ? instances[i]->function->line : 0);
		struct error *error;

		if (spec->place.kind == PLACE_LINE && !is_declared(instances[i]))
			continue;
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
