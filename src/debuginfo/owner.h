/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose a row of the line table is; shared by those who read the rows and who tell. */
#ifndef DEBUGINFO_OWNER_H
#define DEBUGINFO_OWNER_H

#include "debuginfo/internal.h"

/* Functions other than the instance's, of the same file and declared behind it, with code in the
 * same outer function: the rows of their lines are not the instance's. */
struct others {
	struct dwarf_info *info;
	const struct instance *instance;
	bool is_top;  /* the function, of its file */
	unsigned end; /* the next function of the file is declared there; UINT_MAX: not looked for yet */
	struct other {
		unsigned line;
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
	} *copies; /* the function's others in the same outer function, that one itself included */
	unsigned ncopies;
};

void others_init(struct others *others, Dwarf_Die *outer, Dwarf_Die *die);
/* Whether the row is the instance's; sets its is_stray. */
bool is_inside(struct others *others, struct row *row);

#endif
