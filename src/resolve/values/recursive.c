// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a line may be that of a copy which the function, calling itself, has of itself. The
 * last line of an inlined copy may begin at the instruction behind it: `return n;` needs no code.
 * Where that instruction is the same function's, nothing tells whose `n` is meant.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/values/doubts.h"

bool may_be_inner(const struct walk *walk, struct position at)
{
	struct row *rows;
	unsigned count;

	if (at.is_entry || !walk->instance || at.address == walk->instance->entry ||
	    walk->instance->is_unoptimised ||
	    debuginfo_rows(walk->resolver->info, walk->instance, &rows, &count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].address == at.address && rows[i].line == at.line &&
		    rows[i].may_be_inner)
			return true;
	return false;
}
