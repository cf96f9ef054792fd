/* SPDX-License-Identifier: GPL-2.0-only */
/* Which instance a row of the line table belongs to. */
#ifndef DEBUGINFO_OWNER_H
#define DEBUGINFO_OWNER_H

#include "debuginfo/internal.h"

struct others {
	struct dwarf_info *info;
	const struct instance *instance;
	unsigned end; /* line of the file's next function; UINT_MAX: not looked for yet */
	unsigned local_end; /* see local_end(), of the instance's function */
	struct neighbours *all;
	struct range span; /* from the first to the last address that its code or entry has */
	bool is_listed; /* the instance is one of the copies */
	bool has_inner; /* some of the copies are inlined into the instance */
	struct other_list inner; /* these, whose rows aren't the instance's */
	struct arena lists; /* has the above */
};

void others_init(struct others *others, Dwarf_Die *outer, Dwarf_Die *die);
void others_deinit(struct others *others);
/* Whether a row that is listed is the instance's; sets the copy's is_stray and may_be_inner. */
bool is_inside(struct others *others, const struct outer_row *listed, struct row *row);

/* dwarf_neighbours.c: remembers the last ones. */
struct neighbours *neighbours_of(struct dwarf_info *info, const struct instance *instance,
				 Dwarf_Die *outer);
void forget_neighbours(struct dwarf_info *info);
/* Adds what lies at the DIE; the rest of `other` is given. */
void append_other(struct dwarf_info *info, struct other_list *list, Dwarf_Die *die,
		  struct other other);

/* The copy that is nearest to an address, and the first of those as near. */
struct nearest nearest_copy(const struct neighbours *all, uint64_t address);

/* dwarf_local.c: the line where a function that lies inside another one has ended; 0: it doesn't,
 * or the line isn't known. tree: of the code. */
struct tree;
unsigned local_end(struct dwarf_info *info, const struct tree *tree, Dwarf_Off outer,
		   const struct function *function);

#endif
