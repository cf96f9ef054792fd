/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of a struct or union: shared by dwarf_member.c, which reads them, and dwarf_base.c, which
 * finds one. */
#ifndef DEBUGINFO_MEMBERS_H
#define DEBUGINFO_MEMBERS_H

#include "debuginfo/die.h"

#define MEMBER_DEPTH 32 /* of anonymous structs and base classes in each other */

struct member_search {
	struct dwarf_info *info;
	struct member *list;
	unsigned count;
	/* of each: the base classes that it comes from, "A::B::"; "": the class's own */
	const char **paths;
	unsigned npaths;
	bool is_damaged;   /* some member is where no member can be */
	bool has_variants; /* which members exist depends on a number in it */
	const char *moving; /* a member or base whose place does, as a virtual base's; NULL: none */
};

/* Returns false when the member has no constant place; *is_damaged: it is one that no member can
 * have. base_bits: where its struct begins in the one asked about. */
bool read_member(struct dwarf_info *info, Dwarf_Die *die, uint64_t base_bits, struct member *ret,
		 bool *is_damaged);
void add_member(struct member_search *search, Dwarf_Die *parent, const char *path,
		struct member *member);
/* The reason why the search may have missed a member, or NULL. */
struct error *members_end(struct member_search *search, const struct type *type) must_check;

/* dwarf_base.c: the name of a DW_TAG_inheritance's class as a spec writes it: without template
 * arguments, unless two bases of parent differ in these only. */
const char *base_name(struct dwarf_info *info, Dwarf_Die *parent, Dwarf_Die *inheritance);
/* Whether the member's name alone means it in the class. */
bool is_meant(const struct member_search *search, Dwarf_Die *class, const struct member *member);
const char *base_path(const struct member_search *search, Dwarf_Die *parent, Dwarf_Die *inheritance,
		      const char *path);

#endif
