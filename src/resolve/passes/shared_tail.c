// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds statements whose end gcc made one with the end of others: `*p = a; return 1;` and
 * `*p = b; return 1;` store in one place.
 *
 * The surprise: the shared code keeps the line of one of them, and not always its mark. Code that
 * only computes may stand anywhere, so stores and calls tell.
 */
#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/merged.h"

/* Whether the instruction does what no other place may do for its statement. Calls of abort() and
 * the like are one for many statements. */
static bool is_lasting(const struct line_code *of, uint64_t address)
{
	struct effect effect;
	struct insn insn;

	return code_effect(of->resolver, address, &insn, &effect) &&
	       (insn.is_call || effect.static_size ||
		(effect.store_size && effect.store_base != of->resolver->arch->stack_register)) &&
	       flow_can_return(of->flow, address);
}

static bool is_marked_at(const struct line_code *of, unsigned line, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].address == address &&
		    is_of_line(of->instance, &of->rows[i], line))
			return true;
	return false;
}

/* The line itself if it has a marker, else the nearest one above that has: that one's statement may
 * go on up to it. */
static unsigned statement_line(const struct line_code *of, unsigned line)
{
	unsigned nearest = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].line <= line && of->rows[i].line > nearest &&
		    is_own_row(of->instance, &of->rows[i]))
			nearest = of->rows[i].line;
	return nearest;
}

static void collect_marks(const struct line_code *of, unsigned line, struct candidates *ret)
{
	*ret = (struct candidates){
		.addresses = arena_array(&of->resolver->scratch, uint64_t, of->nrows + 1)};
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && is_of_line(of->instance, &of->rows[i], line))
			ret->addresses[ret->count++] = of->rows[i].address;
}

/* The line whose store or call is all that a mark of the line has, where ways join; 0: none. Its
 * own marks are neither before nor behind it on all ways, so that nothing moved it there. */
static unsigned store_of_other(const struct line_code *of, uint64_t address)
{
	const struct row *row = row_around(of, address);
	struct candidates marks;
	unsigned line;

	if (!row || row->address != address || row->line == of->line || row->column == 1 ||
	    !is_own_row(of->instance, row) || row->is_mark ||
	    flow_is_straight(of->flow, address) || !is_lasting(of, address))
		return 0;
	line = statement_line(of, row->line);
	if (line <= of->instance->function->line || line == of->line ||
	    is_marked_at(of, line, address))
		return 0;
	collect_marks(of, line, &marks);
	return flow_reaches(of->flow, address, marks.addresses, marks.count) &&
			       !flow_always_meets(of->flow, address, marks.addresses, marks.count,
						  NULL, 0) ?
		       row->line :
		       0;
}

unsigned shared_store(const struct line_code *of, const struct candidates *list)
{
	unsigned line = 0;

	for (unsigned i = 0; i < list->count && !line && line_has_mark(of); i++)
		if (is_marked_at(of, of->line, list->addresses[i]))
			line = store_of_other(of, list->addresses[i]);
	return line;
}

/* The nearest line below that has markers. */
static unsigned next_statement(const struct line_code *of, const struct rows *steps)
{
	unsigned next = -1U;

	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i].line > of->line && steps->list[i].line < next)
			next = steps->list[i].line;
	return next;
}

/* Where statements begin, and those where the last one is further down than the next one below the
 * line: code may be moved behind that one's mark. */
static void collect_statements(const struct line_code *of, struct candidates *below,
			       struct candidates *all)
{
	struct rows steps;
	unsigned next;

	breaks_steps(of, true, &steps);
	next = next_statement(of, &steps);
	*below = *all = (struct candidates){0};
	below->addresses = arena_array(&of->resolver->scratch, uint64_t, steps.count + 1);
	all->addresses = arena_array(&of->resolver->scratch, uint64_t, steps.count + 1);
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		all->addresses[all->count++] = row->address;
		if (row->line > next &&
		    (i + 1 == steps.count || steps.list[i + 1].address != row->address))
			below->addresses[below->count++] = row->address;
	}
}

/* Whether one of the statements goes on at the address without any other one between, and is in no
 * loop with it. */
static bool is_entered_from(const struct line_code *of, const struct candidates *from,
			    const struct candidates *all, uint64_t address)
{
	for (unsigned i = 0; i < from->count; i++)
		if (flow_reaches_from(of->flow, &from->addresses[i], 1, address, all->addresses,
				      all->count) &&
		    !flow_reaches_from(of->flow, &address, 1, from->addresses[i], NULL, 0))
			return true;
	return false;
}

/* Whether a statement further down goes on at the line, which has no marker. Code of the statement
 * above that the scheduler moved down comes behind its marks. */
bool is_entered_from_below(const struct line_code *of, const struct candidates *list)
{
	struct candidates below, all, above;

	if (!of->flow || line_has_mark(of) || !has_own_marks(of))
		return false;
	collect_statements(of, &below, &all);
	collect_marks(of, statement_line(of, of->line), &above);
	for (unsigned i = 0; i < list->count; i++)
		if (flow_reaches_from(of->flow, below.addresses, below.count, list->addresses[i],
				      all.addresses, all.count) &&
		    flow_reaches(of->flow, list->addresses[i], above.addresses, above.count) &&
		    is_entered_from(of, &below, &all, list->addresses[i]))
			return true;
	return false;
}

/* Where statements begin that aren't between the two lines. */
static void collect_outside(const struct line_code *of, const struct rows *steps, unsigned line,
			    struct candidates *ret)
{
	ret->count = 0;
	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i].line <= line || steps->list[i].line > of->line)
			ret->addresses[ret->count++] = steps->list[i].address;
}

/* Whether the statement at a marker of a line above goes on to an event of the line, behind no more
 * than what is between the two, and that to the store. */
static bool leads_to_event(const struct line_code *of, const struct candidates *outside,
			   const struct candidates *list, uint64_t mark, uint64_t store)
{
	for (unsigned i = 0; i < list->count; i++)
		if (flow_reaches_from(of->flow, &mark, 1, list->addresses[i], outside->addresses,
				      outside->count) &&
		    flow_reaches_from(of->flow, &list->addresses[i], 1, store, outside->addresses,
				      outside->count))
			return true;
	return false;
}

/* Whether a statement near above leads to the line, and also to its store, past its events and any
 * other statement. */
static bool is_passed_by(const struct line_code *of, const struct candidates *list, uint64_t store)
{
	enum { NEAR = 16 }; /* lines */
	struct candidates stops, outside;
	struct rows steps;

	breaks_steps(of, true, &steps);
	stops.addresses = arena_array(&of->resolver->scratch, uint64_t, steps.count + list->count);
	outside.addresses = arena_array(&of->resolver->scratch, uint64_t, steps.count + 1);
	stops.count = 0;
	for (unsigned i = 0; i < steps.count; i++)
		if (steps.list[i].line != of->line)
			stops.addresses[stops.count++] = steps.list[i].address;
	for (unsigned i = 0; i < list->count; i++)
		stops.addresses[stops.count++] = list->addresses[i];
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (row->line >= of->line || row->line + NEAR < of->line ||
		    row->line <= of->instance->function->line ||
		    !flow_reaches_from(of->flow, &row->address, 1, store, stops.addresses,
				       stops.count))
			continue;
		collect_outside(of, &steps, row->line, &outside);
		if (leads_to_event(of, &outside, list, row->address, store))
			return true;
	}
	return false;
}

/* Whether the line's store is also reached past its marks, from a statement that leads to these. */
bool store_lacks_mark(const struct line_code *of, const struct candidates *list)
{
	if (!of->flow || !list->count || !line_has_mark(of))
		return false;
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->line == of->line && has_instruction(row) && !row->is_mark &&
		    row->column != 1 && is_of_file(of->instance, row) &&
		    !has_address(list, row->address) &&
		    is_lasting(of, row->address) &&
		    flow_reaches(of->flow, row->address, list->addresses, list->count) &&
		    is_passed_by(of, list, row->address))
			return true;
	}
	return false;
}
