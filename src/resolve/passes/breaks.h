/* SPDX-License-Identifier: GPL-2.0-only */
/* passes/breaks.c: what the rows of an instance say of the order in which lines are executed. */
#ifndef RESOLVE_BREAKS_H
#define RESOLVE_BREAKS_H

#include "resolve/flow/line_code.h"

struct rows {
	struct row *list;
	unsigned count;
};

struct breaks {
	bool has_marks; /* the line has markers; else any row of another line counts */
	struct candidates others;  /* where another line begins */
	struct candidates left;    /* the last one there is another line's */
	struct candidates entered; /* where the line begins right after another one */
};

static inline bool is_before(const struct row *row, const struct row *other)
{
	return row->address != other->address ? row->address < other->address :
						row->view < other->view;
}

void breaks_collect(const struct line_code *of, struct breaks *ret);
/* The instance's breaks (markers, or all rows) and the markers around it, which have line 0, in
 * order. */
void breaks_steps(const struct line_code *of, bool has_marks, struct rows *ret);
/* Whether the address is only reached through another one of the list, with no marker of another
 * line between. */
bool breaks_continues(const struct line_code *of, const struct breaks *breaks,
		      const struct candidates *list, uint64_t address);
/* The rows of the out-of-line function that contains the instance. */
struct error *outer_rows(struct resolver *resolver, const struct instance *instance,
			 struct row **ret, unsigned *count) must_check;
/* The statements of that code that are not in the instance: whatever meets one has left it. In the
 * arena. */
struct error *outer_statements(struct resolver *resolver, struct arena *arena,
			       const struct instance *instance,
			       struct candidates *ret) must_check;

#endif
