// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds inlined copies that gcc enters in more places than it says. Where a test before the call
 * decides the copy's first one as well, a way leads past that to what comes next, and the entry's
 * marker (DW_AT_entry_pc) stays on the other ways only.
 *
 * The surprise: others' code that became one with the end of the copy's leads into the copy, too.
 * So most of its statements must be met on such a way, and what can't come back, as a call of
 * die(), tells nothing.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/line_code.h"
#include "resolve/points/kinds.h"

struct copy {
	struct line_code of;
	uint64_t start;            /* of the function around it */
	struct candidates entries; /* its own, and where the declaration's marker is */
};

/* Those of the function's other copies there count, too: the ends of two copies may become one. */
static void collect_entries(struct copy *copy, struct instance *const *all, unsigned count)
{
	const struct line_code *of = &copy->of;
	struct candidates *entries = &copy->entries;

	entries->addresses = arena_array(&of->resolver->scratch, uint64_t, of->nrows + count + 1);
	for (unsigned i = 0; i < count; i++)
		if (all[i]->outer_source == of->instance->outer_source)
			entries->addresses[entries->count++] = all[i]->entry;
	for (unsigned i = 0; i < of->nrows; i++) {
		if (of->rows[i].is_mark && is_of_line(of->instance, &of->rows[i], of->line) &&
		    !has_address(entries, of->rows[i].address))
			entries->addresses[entries->count++] = of->rows[i].address;
	}
}

/* Whether the row is a statement of the copy's, has code, and isn't where the copy is entered. */
static bool is_statement(const struct copy *copy, const struct row *row)
{
	const struct instance *instance = copy->of.instance;
	const struct row *code;

	if (!row->is_mark || row->is_stray || !is_own_row(instance, row) ||
	    !is_inside(instance, row->address) || has_address(&copy->entries, row->address))
		return false;
	code = row_around(&copy->of, row->address);
	return code && is_own_row(instance, code);
}

/* What an execution may get to, as far as one flow says. */
struct reach {
	const struct flow *flow;
	const bool *marks; /* flow_reached() */
};

/* A trap tells nothing: others' traps seem to lead to it, as that of WARN() comes back. */
static bool is_reached(const struct copy *copy, const struct reach *reach, const struct row *row)
{
	return flow_marked(reach->flow, reach->marks, row->address) && is_statement(copy, row) &&
	       !flow_step(reach->flow, (unsigned)flow_number(reach->flow, row->address)).is_trap;
}

/* To decode the function around it costs most. */
static bool may_be_bypassed(const struct copy *copy)
{
	struct reach reach = {0};

	reach.marks = code_past_entries(copy->of.resolver, copy->of.instance, &copy->entries,
					&reach.flow);
	for (unsigned i = 0; reach.marks && i < copy->of.nrows; i++)
		if (is_reached(copy, &reach, &copy->of.rows[i]))
			return true;
	return !reach.marks;
}

/* Where the function may get to without passing one of the entries. A jump by a table of the copy's
 * own leads to what nothing else in the copy leads to. */
static const bool *reached(const struct copy *copy, const struct candidates *entries)
{
	const struct flow *flow = copy->of.flow;
	struct arena *scratch = &copy->of.resolver->scratch;
	unsigned count = flow_count(flow), nstarts = 0;
	uint64_t *starts = arena_array(scratch, uint64_t, count + 1);
	const bool *marks = flow_reached(flow, scratch, &copy->start, 1, entries->addresses,
					 entries->count);
	bool jumps_by_table = false;

	starts[nstarts++] = copy->start;
	for (unsigned i = 0; i < count; i++) {
		struct flow_step step = flow_step(flow, i);

		if (!is_inside(copy->of.instance, step.address))
			continue;
		jumps_by_table |= step.is_indirect && flow_marked(flow, marks, step.address);
		if (step.is_root && !step.is_padding)
			starts[nstarts++] = step.address;
	}
	return jumps_by_table && nstarts > 1 ?
		       flow_reached(flow, scratch, starts, nstarts, entries->addresses,
				    entries->count) :
		       marks;
}

/* How many of the copy's statements the function may get to without passing one of the entries, and
 * return from. */
static unsigned count_reached(const struct copy *copy, const struct candidates *entries)
{
	struct reach reach = {copy->of.flow, reached(copy, entries)};
	unsigned count = 0;

	for (unsigned i = 0; i < copy->of.nrows; i++)
		count += is_reached(copy, &reach, &copy->of.rows[i]) &&
			 flow_can_return(copy->of.flow, copy->of.rows[i].address);
	return count;
}

void find_bypass(struct resolver *resolver, struct instance *instance,
		 struct instance *const *all, unsigned count)
{
	const struct candidates none = {0};
	struct copy copy = {.start = instance->nouter_ranges ? instance->outer_ranges[0].start : 0};
	unsigned bypassed;

	if (!instance->inlined || !instance->is_entry_told || !instance->is_by_gcc ||
	    !instance->nranges || !copy.start || instance->entry == copy.start)
		return;
	arena_reset(&resolver->scratch);
	if (line_code_read(resolver, instance, instance->function->line, &copy.of) ||
	    !has_own_marks(&copy.of))
		return;
	collect_entries(&copy, all, count);
	/* what can't be reached though each call comes back can't be reached */
	if (!may_be_bypassed(&copy))
		return;
	copy.of.flow = rough_flow(resolver, instance);
	if (!copy.of.flow || !count_reached(&copy, &copy.entries))
		return;
	copy.of.flow = passing_flow(resolver, instance);
	bypassed = copy.of.flow ? count_reached(&copy, &copy.entries) : 0;
	if (bypassed && 2 * bypassed > count_reached(&copy, &none))
		instance->is_entry_doubtful = true;
}
