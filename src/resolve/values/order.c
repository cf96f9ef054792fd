// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that code which stores to a variable in memory and the line's own are in another order than
 * the source's: clang may compute in front of a function what `use((long)n)` needs at its end.
 *
 * The surprise: in a loop, and where one was unrolled, lines rightly follow each other in both
 * orders. So a line counts only if its code comes on one side of the position alone.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_search.h"
#include "resolve/values/doubts.h"

/* Stores to a variable. */
struct changes {
	const struct search *search;
	const struct flow *flow;
	const uint64_t *list;
	unsigned count;
};

static unsigned line_of(const struct search *search, uint64_t address)
{
	const struct row *row = row_around(search->of, address);

	return row && is_own_row(search->of->instance, row) ? row->line : 0;
}

/* Whether an execution of the copy leads from the first to the second. */
static bool leads_to(const struct changes *changes, uint64_t from, uint64_t to)
{
	const uint64_t entry = changes->search->of->instance->entry;

	return to != entry && flow_reaches_from(changes->flow, &from, 1, to, &entry, 1);
}

enum { BEFORE = 1, BEHIND = 2 };

/* On which sides of the position the line changes the variable. */
static unsigned sides_of(const struct changes *changes, unsigned line)
{
	uint64_t at = changes->search->at.address;
	unsigned ret = 0;

	for (unsigned i = 0; i < changes->count; i++) {
		uint64_t change = changes->list[i];

		if (line_of(changes->search, change) != line)
			continue;
		if (change == at || leads_to(changes, at, change))
			ret |= BEHIND;
		if (leads_to(changes, change, at))
			ret |= BEFORE;
	}
	return ret;
}

const char *find_disorder(struct walk *walk, const struct search *search, const struct flow *flow,
			  const uint64_t *list, unsigned count)
{
	const struct changes changes = {search, flow, list, count};

	for (unsigned i = 0; i < count; i++) {
		unsigned line = line_of(search, list[i]);

		if (line && line < search->at.line && sides_of(&changes, line) == BEHIND)
			return arena_printf(walk->resolver->arena,
					    "line %u, which the source has before this one, "
					    "changes it behind this address", line);
		if (line > search->at.line && sides_of(&changes, line) == BEFORE)
			return arena_printf(walk->resolver->arena,
					    "line %u, which the source has behind this one, has "
					    "changed it already", line);
	}
	return NULL;
}
