// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says, of addresses that were chosen for a line, how often a pass begins at one, whether one pass
 * may meet two, and at which an inlined instance is entered.
 */
#include "resolve/flow/flow.h"
#include "resolve/passes/breaks.h"
#include "resolve/passes/passes.h"

/* Whether a way leads from one address of the line to another one that is no round of the line's:
 * no line between, and no way back without one. With markers, most of these are the parts of a loop
 * that is one line; where the second is only a marker, it is none. */
static bool is_met_behind(const struct flow *flow, const struct breaks *breaks, uint64_t from,
			  uint64_t to)
{
	const struct candidates *others = &breaks->others;

	return from != to && !has_address(&breaks->left, from) &&
	       !has_address(&breaks->entered, to) &&
	       has_address(&breaks->left, to) == breaks->has_marks &&
	       flow_reaches_from(flow, &from, 1, to, others->addresses, others->count) &&
	       !flow_reaches_from(flow, &to, 1, from, others->addresses, others->count);
}

/* The same where other ways join at a mark of the line that has others before and behind it, and
 * no code: it is of one of the ways that join. A pass that comes on another one has been counted,
 * if it met the line; only in a loop it may meet it again. */
static bool is_met_in_passing(const struct flow *flow, const struct breaks *breaks, uint64_t from,
			      uint64_t to)
{
	return from != to && breaks->has_marks && has_address(&breaks->entered, to) &&
	       has_address(&breaks->left, to) && !flow_is_straight(flow, to) &&
	       flow_reaches_from(flow, &from, 1, to, NULL, 0) &&
	       !flow_reaches_from(flow, &to, 1, from, NULL, 0) &&
	       !flow_reaches_from(flow, &to, 1, to, NULL, 0);
}

/* The same within a loop: nothing of other lines is between the two, nor is the second a loop of
 * its own, whose rounds need no more than the marks there. */
static bool is_met_at_once(const struct flow *flow, const struct breaks *breaks, uint64_t from,
			   uint64_t to)
{
	const struct candidates *others = &breaks->others;

	return from != to && breaks->has_marks && !has_address(&breaks->left, from) &&
	       has_address(&breaks->entered, to) && !flow_is_straight(flow, to) &&
	       flow_reaches_from(flow, &from, 1, to, others->addresses, others->count) &&
	       !flow_reaches_from(flow, &to, 1, from, others->addresses, others->count) &&
	       !flow_reaches_from(flow, &to, 1, to, others->addresses, others->count);
}

bool passes_double(const struct line_code *of, const struct candidates *list)
{
	/* each address is held against each other, along the code */
	enum { MOST = 16, MOST_STEPS = 1 << 20 };
	struct breaks breaks;

	if (list->count < 2 || list->count > MOST ||
	    flow_count(of->flow) > MOST_STEPS / (list->count * list->count))
		return false;
	breaks_collect(of, &breaks);
	for (unsigned i = 0; i < list->count; i++)
		for (unsigned j = 0; j < list->count; j++)
			if (is_met_behind(of->flow, &breaks, list->addresses[i],
					  list->addresses[j]) ||
			    is_met_in_passing(of->flow, &breaks, list->addresses[i],
					      list->addresses[j]) ||
			    is_met_at_once(of->flow, &breaks, list->addresses[i],
					   list->addresses[j]))
				return true;
	return false;
}

/* The line that follows a line's first step at the same address; 0: none does. */
static unsigned line_behind(const struct rows *steps, unsigned i)
{
	for (unsigned j = i + 1;
	     j < steps->count && steps->list[j].address == steps->list[i].address; j++)
		if (steps->list[j].line != steps->list[i].line)
			return steps->list[j].line;
	return 0;
}

/* Whether what is behind a statement is what was behind its first; of several rounds, the last
 * one's may be at another address. */
static bool is_again(unsigned first, unsigned behind, unsigned rounds)
{
	return first && (behind == first || (!behind && rounds > 1));
}

/* In an unrolled loop the statement comes again, and what is behind it. Without that it may be a
 * loop's head, of which the marker of a condition that isn't evaluated is left. */
unsigned passes_begun(const struct line_code *of, const struct candidates *list, uint64_t address,
		      unsigned *views)
{
	const struct row *first = NULL, *before = NULL;
	unsigned count = 0, behind = 0;
	struct breaks breaks;
	struct rows steps;

	breaks_collect(of, &breaks);
	if (!breaks.has_marks || !has_address(&breaks.entered, address))
		return 0;
	breaks_steps(of, true, &steps);
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (row->address != address)
			continue;
		if (row->line == of->line && !first) {
			first = row;
			behind = line_behind(&steps, i);
			if (before || !breaks_continues(of, &breaks, list, address))
				views[count++] = row->view;
		} else if (row->line == of->line && before->line != of->line &&
			   row->column == first->column &&
			   is_again(behind, line_behind(&steps, i), count)) {
			views[count++] = row->view;
		}
		before = row;
	}
	return count;
}

/* Whether the instance is entered there: another function's marker comes right before the
 * declaration's, at the address or on a way to it. Otherwise it is the entry of a half that gcc
 * has split off and inlined back. */
static bool is_entered(const struct line_code *of, const struct rows *steps, uint64_t address,
		       const struct candidates *own, const struct candidates *outside)
{
	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i].address == address && steps->list[i].line == of->line)
			return i && steps->list[i - 1].address == address ?
				       !steps->list[i - 1].line :
				       flow_reaches_from(of->flow, outside->addresses,
							 outside->count, address, own->addresses,
							 own->count);
	return false;
}

void passes_entries(const struct line_code *of, struct candidates *list)
{
	struct arena *arena = of->resolver->arena;
	struct candidates own, outside, kept = {list->addresses, 0};
	struct rows steps;

	breaks_steps(of, true, &steps);
	own = (struct candidates){arena_array(arena, uint64_t, steps.count + 1), 0};
	outside = (struct candidates){arena_array(arena, uint64_t, steps.count + 1), 0};
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (row->line)
			own.addresses[own.count++] = row->address;
		else if (i + 1 == steps.count || steps.list[i + 1].address != row->address)
			outside.addresses[outside.count++] = row->address;
	}
	for (unsigned i = 0; i < list->count; i++)
		if (is_entered(of, &steps, list->addresses[i], &own, &outside))
			kept.addresses[kept.count++] = list->addresses[i];
	list->count = kept.count;
}
