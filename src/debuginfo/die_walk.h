/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks over DIEs, which all count against the budget of the question that they answer. */
#ifndef DEBUGINFO_DIE_WALK_H
#define DEBUGINFO_DIE_WALK_H

#include "debuginfo/internal.h"

/* Begins and ends a question. budget_end() returns an error if the budget was spent, else the given
 * one. */
void budget_begin(struct dwarf_info *info);
struct error *budget_end(struct dwarf_info *info, struct error *error);
/* Returns false when the budget is spent: end the walk. */
bool budget_take(struct dwarf_info *info, uint64_t steps);
/* Counts bytes of memory that no arena has. */
void budget_hold(struct dwarf_info *info, size_t size);
/* Like dwarf_child() and dwarf_siblingof(), but also non-zero when the budget is spent. */
int die_child(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);
int die_sibling(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);

/* dwarf_children.c: the children of a unit's DIE, in order, which stay until those of another unit
 * are asked for. */
struct children {
	Dwarf_Die *list;
	size_t count;
};
const struct children *unit_children(struct dwarf_info *info, Dwarf_Die *unit);
void children_close(struct dwarf_info *info);

/* dwarf_sibling.c: what dwarf_siblingof() says; the budget isn't asked. */
int sibling_of(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);
/* The bytes of the DIE's unit in .debug_info, from its header on, and their offset there. Returns
 * NULL for those of another section or file. */
const uint8_t *unit_bytes(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Off *start, size_t *size);

#endif
