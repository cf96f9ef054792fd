/* SPDX-License-Identifier: GPL-2.0-only */
/* Which instance a row of the line table belongs to. */
#ifndef DEBUGINFO_OWNER_H
#define DEBUGINFO_OWNER_H

#include "debuginfo/internal.h"

/* The other functions of the same file, declared after the instance's, that have code in the same
 * outer function: rows of their lines aren't the instance's. */
struct others {
	struct dwarf_info *info;
	const struct instance *instance;
	unsigned end; /* line of the file's next function; UINT_MAX: not looked for yet */
	unsigned local_end; /* see local_end(), of the instance's function */
	struct other {
		unsigned line;
		unsigned end; /* the same, of this one */
		uint64_t entry;
		struct range *ranges;
		unsigned nranges;
	} *list;
	unsigned count;
	struct copy {
		Dwarf_Off source;
		uint64_t entry;
		unsigned entry_view;
		struct range *ranges;
		unsigned nranges;
	} *copies; /* the function's other instances in the outer function, or that one itself */
	unsigned ncopies;
	bool has_inner; /* some of them are inlined into the instance */
	unsigned nearer; /* the copy that was nearer to the row before */
	struct arena lists; /* has the above */
};

void others_init(struct others *others, Dwarf_Die *outer, Dwarf_Die *die);
void others_deinit(struct others *others);
/* Whether the row is the instance's; sets its is_stray. */
bool is_inside(struct others *others, struct row *row);

/* dwarf_local.c: the line where a function that lies inside another one has ended; 0: it doesn't,
 * or the line isn't known. tree: of the code. */
struct tree;
unsigned local_end(struct dwarf_info *info, const struct tree *tree, Dwarf_Off outer,
		   const struct function *function);

#endif
