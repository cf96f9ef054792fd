/* SPDX-License-Identifier: GPL-2.0-only */
/* The search for instances of functions, by name or by place, and what it has found. */
#ifndef DEBUGINFO_COPIES_H
#define DEBUGINFO_COPIES_H

#include "base/lookup.h"
#include "debuginfo/die.h"

struct copies {
	struct dwarf_info *info;
	/* Whether the DIE, an out-of-line function or an inlined call, is wanted. */
	bool (*is_wanted)(struct copies *copies, Dwarf_Die *die, Dwarf_Off origin);
	struct function **functions; /* of this unit and those before */
	size_t nfunctions;
	struct lookup known; /* the same, by source */
	struct instance **instances;
	unsigned ninstances;
	bool is_c; /* the unit */
	const Dwarf_CU *unit; /* of the last instance */
	bool is_by_gcc, is_by_llvm, is_fortran, has_rough_registers; /* that unit */
	bool is_optimised_by_gcc;
	/* look in functions without code, too: their nested functions may have some */
	bool in_abstract;
	struct outer {
		const char *name;
		struct range *ranges;
		unsigned nranges;
		Dwarf_Off source;
	} outer; /* the out-of-line function that the walk is in */
	Dwarf_Off named; /* the outer function whose name `scoped` is; 0: none */
	const char *scoped;
};

/* dwarf_copies.c */
/* Returns NULL when it isn't among those found. */
struct function *known_function(const struct copies *copies, Dwarf_Off origin);
struct function *add_function(struct copies *copies, Dwarf_Die *die);
/* Adds the wanted instances in the unit, and their functions. */
void find_copies(struct copies *copies, Dwarf_Die *unit);
/* Does the same where the instances of known functions are wanted, and only those. */
void find_known_copies(struct copies *copies, Dwarf_Die *unit);

/* dwarf_holders.c: says of each of unit_children() whether it can hold instances of the known
 * functions, or be one. NULL: each can. */
const bool *find_holders(struct copies *copies, Dwarf_Die *unit);

#endif
