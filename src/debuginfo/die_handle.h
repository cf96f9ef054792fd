/* SPDX-License-Identifier: GPL-2.0-only */
/* A DIE's handle: a number by which it is found again, whichever file it is in. */
#ifndef DEBUGINFO_DIE_HANDLE_H
#define DEBUGINFO_DIE_HANDLE_H

#include "debuginfo/internal.h"

/* A DIE's handle is its offset: with HANDLE_ALT set if it is in the alt file; with bits derived
 * from its unit's identifier if it is in a .dwo file. */
#define HANDLE_ALT ((Dwarf_Off)1 << 63)
#define SPLIT_SHIFT 32
#define SPLIT_MASK  (0x3fffffff * ((Dwarf_Off)1 << SPLIT_SHIFT))
/* dwarf_split.c: those bits; 0 when the unit isn't in a .dwo file. */
Dwarf_Off split_tag(Dwarf_CU *unit);
/* Finds the .dwo files of skeleton units. Returns an error when some can't be read; the rest is
 * usable. */
struct error *find_splits(struct dwarf_info *info) must_check;
/* Opens the file that dwz shares with other programs, and lists its units. Returns an error when
 * there is one and it can't be read. */
struct error *find_shared(struct dwarf_info *info) must_check;
/* Found by a handle's bits; NULL when there is none. */
const struct split *split_of(const struct dwarf_info *info, Dwarf_Off handle);
/* A section of the file that holds the unit's DIEs. */
Elf_Data *unit_section(struct dwarf_info *info, Dwarf_CU *unit, const char *name);
static inline bool is_alt(const struct dwarf_info *info, Dwarf_CU *unit)
{
	return info->alt && dwarf_cu_getdwarf(unit) == info->alt;
}

/* Set if the offset is one of .debug_types, a section that only DWARF 4 has. */
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
	return dwarf_dieoffset(die) | split_tag(die->cu) |
	       (is_alt(info, die->cu) ? HANDLE_ALT : 0) | (is_of_types(die->cu) ? HANDLE_TYPES : 0);
}

/* search/unit.c: the DIE of a handle outside the alt file; NULL when there is none. */
Dwarf_Die *die_at(struct dwarf_info *info, Dwarf_Off offset, Dwarf_Die *ret);

static inline Dwarf_Die *handle_die(struct dwarf_info *info, Dwarf_Off handle, Dwarf_Die *ret)
{
	if (handle & HANDLE_ALT)
		return dwarf_offdie(info->alt, handle & ~HANDLE_ALT, ret);
	if (handle & HANDLE_TYPES)
		return dwarf_offdie_types(info->dwarf, handle & ~HANDLE_TYPES, ret);
	return die_at(info, handle, ret);
}

#endif
