/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function, an inlined instance or a block declares. */
#ifndef DEBUGINFO_LOCAL_SCOPE_H
#define DEBUGINFO_LOCAL_SCOPE_H

#include "debuginfo/internal.h"

struct local_scope {
	Dwarf_Off scope, function;
	struct local_block {
		Dwarf_Die die;
		struct range *ranges;
		unsigned nranges;
	} *blocks; /* inside, whose declarations hide these; split halves too */
	unsigned nblocks;
	struct local_variable {
		Dwarf_Die die;
		const char *name; /* the DIE's, or a pack's with a number; or NULL */
	} *variables; /* those with a DIE here, then those that only the abstract scope has */
	unsigned count;
};

/* function: the origin of the function that the scope is part of. Remembered, as every variable
 * that is asked for by its name asks for the scopes around a position. */
const struct local_scope *local_scope(struct dwarf_info *info, Dwarf_Die *scope,
				      Dwarf_Off function);

#endif
