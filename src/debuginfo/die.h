/* SPDX-License-Identifier: GPL-2.0-only */
/* DIEs: how one is found again, what is around it, and the budget of each walk over them. */
#ifndef DEBUGINFO_DIE_H
#define DEBUGINFO_DIE_H

#include "debuginfo/internal.h"

/* A DIE's offset; where it is in the alt file, with a bit that no offset has; where it is in a .dwo file,
 * with bits that are made of the unit's identifier. */
#define HANDLE_ALT ((Dwarf_Off)1 << 63)
#define SPLIT_SHIFT 32
#define SPLIT_MASK  (0x3fffffff * ((Dwarf_Off)1 << SPLIT_SHIFT))
/* dwarf_split.c: these bits; 0: the unit is no .dwo file's. */
Dwarf_Off split_tag(Dwarf_CU *unit);
/* Finds the .dwo files of the units that are skeletons. An error where some can't be read; the others can. */
struct error *find_splits(struct dwarf_info *info) must_check;
/* By a handle's bits, or NULL. */
const struct split *split_of(const struct dwarf_info *info, Dwarf_Off handle);
/* A section of the file that the unit's DIEs are in. */
Elf_Data *unit_section(struct dwarf_info *info, Dwarf_CU *unit, const char *name);
static inline bool is_alt(const struct dwarf_info *info, Dwarf_CU *unit)
{
	return info->alt && dwarf_cu_getdwarf(unit) == info->alt;
}

/* The same where it is an offset of .debug_types, a section that DWARF 4 alone has. */
#define HANDLE_TYPES ((Dwarf_Off)1 << 62)
static inline bool is_of_types(Dwarf_CU *unit)
{
	Dwarf_Half version;
	uint8_t kind;

	return !dwarf_cu_info(unit, &version, &kind, NULL, NULL, NULL, NULL, NULL) && version < 5 &&
	       kind == DW_UT_type;
}

static inline Dwarf_Off die_handle(const struct dwarf_info *info, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) | split_tag(die->cu) | (is_alt(info, die->cu) ? HANDLE_ALT : 0) |
	       (is_of_types(die->cu) ? HANDLE_TYPES : 0);
}

/* search/unit.c: the DIE of a handle that isn't the alt file's; NULL: there is none. */
Dwarf_Die *die_at(struct dwarf_info *info, Dwarf_Off offset, Dwarf_Die *ret);

static inline Dwarf_Die *handle_die(struct dwarf_info *info, Dwarf_Off handle, Dwarf_Die *ret)
{
	if (handle & HANDLE_ALT)
		return dwarf_offdie(info->alt, handle & ~HANDLE_ALT, ret);
	if (handle & HANDLE_TYPES)
		return dwarf_offdie_types(info->dwarf, handle & ~HANDLE_TYPES, ret);
	return die_at(info, handle, ret);
}

/* dwarf_scope.c */
bool holds_functions(int tag);
/* Whether it is said that the unit is C, where no type has functions. */
bool is_c(Dwarf_Die *unit);
/* Whether names have scopes in the language of the DIE's unit. */
bool has_scopes(Dwarf_Die *die);
/* "Foo::bar" is "wanted" itself, or ends in it at a scope. */
bool is_scope_tail(const char *name, const char *wanted);
/* "Foo::bar" of a method, "bar" of a function of C. NULL: it has no name. */
const char *scoped_name(struct dwarf_info *info, Dwarf_Die *die);
/* "bar" of "Foo<a::b>::bar" */
const char *last_component(const char *name);

/* dwarf_budget.c: all walks go by it. A question begins and ends, and has what is left of its error. */
void budget_begin(struct dwarf_info *info);
struct error *budget_end(struct dwarf_info *info, struct error *error);
/* false: it is spent, and the walk ends. */
bool budget_take(struct dwarf_info *info, uint64_t steps);
/* As dwarf_child() and dwarf_siblingof(); not 0: also where the budget is spent. */
int die_child(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);
int die_sibling(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret);

/* dwarf_die.c */
bool ranges_contain(const struct range *ranges, unsigned count, uint64_t pc);
/* The code of a DIE; empty ones left out. */
void die_ranges(struct dwarf_info *info, Dwarf_Die *die, struct range **ret, unsigned *count);
/* Whether its code holds the address. */
bool die_contains(struct dwarf_info *info, Dwarf_Die *die, uint64_t pc);
/* DW_AT_entry_pc as an address or (DWARF 5) an offset from low_pc; else low_pc; else the first
 * range. false: the DIE has no code and never had. */
bool dwarf_die_entry(struct dwarf_info *info, Dwarf_Die *die, uint64_t *ret);
/* Of its address, gcc's DW_AT_GNU_entry_view; 0 where none is said. */
unsigned dwarf_die_entry_view(Dwarf_Die *die);
/* The handle of the DIE that DW_AT_abstract_origin or DW_AT_specification lead to in the end; of the
 * DIE itself, which is not the alt file's, where there is neither. */
Dwarf_Off die_origin(Dwarf_Die *die);
/* The same of any DIE. */
Dwarf_Off origin_handle(const struct dwarf_info *info, Dwarf_Die *die);
/* Where it is declared; NULL: not said. */
const char *declared_file(struct dwarf_info *info, Dwarf_Die *die);
/* Where an inlined copy is called; NULL: not said. */
const char *calling_file(struct dwarf_info *info, Dwarf_Die *inlined);
/* The unit that says so, or NULL. */
Dwarf_CU *declaring_unit(Dwarf_Die *die);
/* Where the compiler ran, which the unit's relative names begin at; "": not said. */
const char *directory_of(Dwarf_CU *cu);
/* Whether a name in the unit means the file that the function is declared in. */
bool is_file_of(Dwarf_CU *cu, const char *file, const struct function *function);
/* Whether an inlined copy of `function` is no call at all: gcc splits a function in two and inlines
 * the second half back into the first, at the function's own declaration (-fpartial-inlining). */
bool is_split_half(Dwarf_Die *inlined, Dwarf_Off function);
/* false: it only declares the function. */
bool is_definition(Dwarf_Die *die);
/* What has compiled a unit, and how; "": not said. */
const char *producer_of(Dwarf_Die *unit);
/* The version of gcc that has optimised the unit; 0: none has. */
unsigned optimising_gcc(Dwarf_Die *unit);

/* dwarf_type_name.c */
/* From the DIE of a struct or enum that may only declare it to the one that defines it, which may be
 * another unit's, under the same name. false: there is none. */
bool type_definition(struct dwarf_info *info, Dwarf_Die *die);

#endif
