// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells that a line begins in front of code which the source has before it, and which stores to a
 * variable in memory: clang may compute in front of a function what `use((long)n)` needs at its
 * end, and gives that instruction the call's line.
 *
 * The surprise: by a goto backwards, too, an earlier line follows a later one. So a store counts
 * only if code of the position's own line follows it.
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

/* Whether all that the line stores comes behind the position: in a loop, and where one was
 * unrolled, lines rightly follow each other in both orders. */
static bool is_behind(const struct changes *changes, unsigned line)
{
	uint64_t at = changes->search->at.address;

	for (unsigned i = 0; i < changes->count; i++)
		if (line_of(changes->search, changes->list[i]) == line &&
		    leads_to(changes, changes->list[i], at))
			return false;
	return true;
}

/* Whether code of the position's line follows the address. */
static bool is_followed(const struct changes *changes, uint64_t address)
{
	const struct line_code *of = changes->search->of;

	for (unsigned i = 0; i < of->nrows; i++)
		if (is_of_line(of->instance, &of->rows[i], changes->search->at.line) &&
		    leads_to(changes, address, of->rows[i].address))
			return true;
	return false;
}

const char *find_disorder(struct walk *walk, const struct search *search, const struct flow *flow,
			  const uint64_t *list, unsigned count)
{
	const struct changes changes = {search, flow, list, count};
	uint64_t at = search->at.address;

	for (unsigned i = 0; i < count; i++) {
		unsigned line = line_of(search, list[i]);

		if (line && line < search->at.line && flow_is_told(flow) &&
		    (list[i] == at || leads_to(&changes, at, list[i])) &&
		    is_behind(&changes, line) && is_followed(&changes, list[i]))
			return arena_printf(walk->resolver->arena,
					    "line %u, which the source has before this one, "
					    "changes it behind this address", line);
	}
	return NULL;
}
