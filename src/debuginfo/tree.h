/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that have code in an out-of-line function. */
#ifndef DEBUGINFO_TREE_H
#define DEBUGINFO_TREE_H

#include "debuginfo/internal.h"

struct tree {
	Dwarf_Off outer;
	struct tree_function {
		Dwarf_Die die; /* out of line, or an inlined instance */
		Dwarf_Off handle;
		Dwarf_Off origin;
		Dwarf_Off inside; /* the origin of the function around it; 0: none */
		int line;         /* of the declaration; 0: not said */
		const char *file; /* NULL: not said */
	} *list; /* the out-of-line function itself, then what is inside, in preorder */
	unsigned count;
};

/* Remembers the last one: each instance in a function asks for all of it. */
const struct tree *function_tree(struct dwarf_info *info, Dwarf_Die *outer);

#endif
