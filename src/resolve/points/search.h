/* SPDX-License-Identifier: GPL-2.0-only */
/* A position among the rows of its instance: which statements' instructions are around it, and what
 * they write. */
#ifndef RESOLVE_SEARCH_H
#define RESOLVE_SEARCH_H

#include "arch/arch.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

struct search {
	const struct instance *instance;
	const struct row *rows;
	unsigned nrows;
	struct position at;
	bool has_marks;
};

static inline struct search search_around(const struct instance *instance, const struct row *rows,
					  unsigned nrows, struct position at)
{
	return (struct search){instance, rows, nrows, at, has_marks(rows, nrows)};
}

/* The row of the instruction at an address, if it is the instance's own and of another line than
 * the position; else NULL. */
static inline const struct row *other_row(const struct search *search, uint64_t address)
{
	for (unsigned i = 0; i < search->nrows; i++) {
		const struct row *row = &search->rows[i];

		if (row->address <= address && address < row->end)
			return row->line != search->at.line && is_own_row(search->instance, row) ?
				       row :
				       NULL;
	}
	return NULL;
}

/* writes.c: adds what an instruction writes, for a statement of that line. end: the address behind
 * it. changed: registers that no longer have their values at the position. */
void writes_add(struct resolver *resolver, const struct effect *effect, unsigned line, uint64_t end,
		uint64_t changed, struct writes *writes);

#endif
