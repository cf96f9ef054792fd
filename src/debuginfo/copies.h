/* SPDX-License-Identifier: GPL-2.0-only */
/* The search for copies of functions and what it has found; shared by those by name and by place. */
#ifndef DEBUGINFO_COPIES_H
#define DEBUGINFO_COPIES_H

#include "base/lookup.h"
#include "debuginfo/die.h"

struct copies {
	struct dwarf_info *info;
	/* Whether the DIE, a function out of line or an inlined call, is looked for. */
	bool (*is_wanted)(struct copies *copies, Dwarf_Die *die, Dwarf_Off origin);
	struct function **functions; /* of this unit and those before */
	size_t nfunctions;
	struct lookup known; /* the same, by source */
	struct instance **instances;
	unsigned ninstances;
	bool is_c; /* the unit */
	struct outer {
		const char *name;
		struct range *ranges;
		unsigned nranges;
		Dwarf_Off source;
	} outer; /* the function out of line that the walk is in */
};

/* dwarf_copies.c */
/* NULL: not among those found. */
struct function *known_function(const struct copies *copies, Dwarf_Off origin);
struct function *add_function(struct copies *copies, Dwarf_Die *die);
/* Adds those copies of the unit that are wanted, and their functions. */
void find_copies(struct copies *copies, Dwarf_Die *unit);

#endif
