/* SPDX-License-Identifier: GPL-2.0-only */
/* A position among the rows of its instance: which statements' instructions are around it, and what
 * they write. */
#ifndef RESOLVE_LINE_SEARCH_H
#define RESOLVE_LINE_SEARCH_H

#include "arch/arch.h"
#include "resolve/flow/line_code.h"
#include "resolve/flow/written.h"

struct search {
	const struct line_code *of;
	struct position at;
	bool has_marks;
};

static inline struct search search_around(const struct line_code *of, struct position at)
{
	return (struct search){of, at, has_marks(of->rows, of->nrows)};
}

/* The row of the instruction at an address, if it is the instance's own and of another line than
 * the position; else NULL. */
static inline const struct row *other_row(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);

	return row && row->line != search->at.line && is_own_row(search->of->instance, row) ? row :
											     NULL;
}

/* writes.c: adds what an instruction writes, for a statement of that line. end: the address behind
 * it. changed: registers that no longer have their values at the position. */
void writes_add(struct resolver *resolver, const struct effect *effect, unsigned line, uint64_t end,
		uint64_t changed, struct writes *writes);

#endif
