// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads, from an instance's rows, the order in which its lines are executed: where each statement
 * begins, and where those around an inlined instance do.
 *
 * The surprise: several statements may begin at one address, as some have no instruction.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/breaks.h"

static bool is_break(const struct instance *instance, const struct row *row, bool has_marks)
{
	return (row->is_mark || !has_marks) && is_own_row(instance, row);
}

struct error *outer_rows(struct resolver *resolver, const struct instance *instance,
			 struct row **ret, unsigned *count)
{
	static const struct function none = {.name = "", .file = "", .directory = ""};
	struct instance outer = *instance;

	outer.function = &none;
	outer.inlined = false;
	outer.entry = 0; /* the rows are the same around each copy, and are remembered as such */
	outer.source = instance->outer_source;
	outer.ranges = instance->outer_ranges;
	outer.nranges = instance->nouter_ranges;
	return debuginfo_rows(resolver->info, &outer, ret, count);
}

struct error *outer_statements(struct resolver *resolver, struct arena *arena,
			       const struct instance *instance, struct candidates *ret)
{
	struct row *rows;
	unsigned nrows;
	struct error *error = outer_rows(resolver, instance, &rows, &nrows);

	*ret = (struct candidates){0};
	if (error)
		return error;
	ret->addresses = arena_array(arena, uint64_t, nrows + 1);
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_stmt && rows[i].line && !is_inside(instance, rows[i].address))
			ret->addresses[ret->count++] = rows[i].address;
	return NULL;
}

/* The markers around an inlined instance: an execution that meets one has left it. They get line
 * 0. */
static void outside_marks(const struct line_code *of, struct rows *ret)
{
	struct resolver *resolver = of->resolver;
	struct row *all;
	unsigned count;

	*ret = (struct rows){0};
	if (!of->instance->inlined || outer_rows(resolver, of->instance, &all, &count))
		return;
	ret->list = arena_array(&resolver->scratch, struct row, count + 1);
	for (unsigned i = 0, j = 0; i < count; i++) {
		while (j < of->nrows && is_before(&of->rows[j], &all[i]))
			j++;
		if (!all[i].is_mark || (j < of->nrows && !is_before(&all[i], &of->rows[j])))
			continue;
		ret->list[ret->count] = all[i];
		ret->list[ret->count++].line = 0;
	}
}

/* Each line of a function asks, so the list has no more room than it needs. */
static unsigned count_breaks(const struct line_code *of, bool has_marks)
{
	unsigned count = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		count += is_break(of->instance, &of->rows[i], has_marks);
	return count;
}

void breaks_steps(const struct line_code *of, bool has_marks, struct rows *ret)
{
	struct rows outside = {0};
	unsigned next = 0;

	if (has_marks)
		outside_marks(of, &outside);
	ret->list = arena_array(&of->resolver->scratch, struct row,
				count_breaks(of, has_marks) + outside.count + 1);
	ret->count = 0;
	for (unsigned i = 0; i < of->nrows; i++) {
		if (!is_break(of->instance, &of->rows[i], has_marks))
			continue;
		while (next < outside.count && is_before(&outside.list[next], &of->rows[i]))
			ret->list[ret->count++] = outside.list[next++];
		ret->list[ret->count++] = of->rows[i];
	}
	while (next < outside.count)
		ret->list[ret->count++] = outside.list[next++];
}

void breaks_collect(const struct line_code *of, struct breaks *ret)
{
	const struct row *before = NULL; /* the previous break at the same address */
	struct candidates *lists[] = {&ret->others, &ret->left, &ret->entered};
	struct rows steps;

	ret->has_marks = line_has_mark(of);
	breaks_steps(of, ret->has_marks, &steps);
	for (unsigned i = 0; i < 3; i++)
		*lists[i] = (struct candidates){
			arena_array(&of->resolver->scratch, uint64_t, steps.count + 1), 0};
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (before && before->address != row->address)
			before = NULL;
		if (before && before->line != of->line)
			ret->left.count--; /* it isn't the last break there */
		if (before && before->line != of->line && row->line == of->line)
			ret->entered.addresses[ret->entered.count++] = row->address;
		if (row->line != of->line) {
			ret->left.addresses[ret->left.count++] = row->address;
			ret->others.addresses[ret->others.count++] = row->address;
		}
		before = row;
	}
}

bool breaks_continues(const struct line_code *of, const struct breaks *breaks,
		      const struct candidates *list, uint64_t address)
{
	const struct flow *flow = of->flow;

	return !flow_reaches(flow, address, list->addresses, list->count) &&
	       !flow_reaches_from(flow, &address, 1, address, list->addresses, list->count) &&
	       !(breaks->has_marks &&
		 flow_reaches_from(flow, breaks->left.addresses, breaks->left.count, address,
				   list->addresses, list->count));
}
