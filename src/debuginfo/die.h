/* SPDX-License-Identifier: GPL-2.0-only */
/* The attributes of a DIE, and what follows from them. */
#ifndef DEBUGINFO_DIE_H
#define DEBUGINFO_DIE_H

#include "debuginfo/die_handle.h"

/* dwarf_func_at.c: the unit whose code an address is. Returns false when there is none. */
bool unit_at(struct dwarf_info *info, uint64_t address, Dwarf_Die *ret);

/* dwarf_die.c */
bool ranges_contain(const struct range *ranges, unsigned count, uint64_t pc);
/* The code ranges of a DIE, without empty ones. */
void die_ranges(struct dwarf_info *info, Dwarf_Die *die, struct range **ret, unsigned *count);
/* Whether its code holds the address. */
bool die_contains(struct dwarf_info *info, Dwarf_Die *die, uint64_t pc);
/* DW_AT_entry_pc as an address or (DWARF 5) an offset from low_pc; else low_pc; else the start of
 * the first range. Returns false when the DIE has no code and never had any. */
bool dwarf_die_entry(struct dwarf_info *info, Dwarf_Die *die, uint64_t *ret);
/* dwarf_begin.c: where a function begins that has a list of ranges, by its symbol. Returns `first`,
 * the first range's start, where no symbol tells, and for an inlined copy. */
uint64_t ranges_begin(struct dwarf_info *info, Dwarf_Die *die, uint64_t first);
/* gcc's DW_AT_GNU_entry_view, the view of the entry's address; 0 when absent. */
unsigned dwarf_die_entry_view(Dwarf_Die *die);
/* The handle of the DIE at the end of the DW_AT_abstract_origin or DW_AT_specification chain, or of
 * the DIE itself, which must not be in the alt file, when it has neither. */
Dwarf_Off die_origin(Dwarf_Die *die);
/* The same for any DIE. */
Dwarf_Off origin_handle(const struct dwarf_info *info, Dwarf_Die *die);
/* The file that declares it, a lambda's too; NULL when not said. */
const char *declared_file(struct dwarf_info *info, Dwarf_Die *die);
/* The line; returns false when not said. */
bool declared_line(Dwarf_Die *die, int *ret);
/* The symbol of a function as its DIE has it, or NULL. */
const char *linkage_name(Dwarf_Die *die);
/* Whether a flag is set, such as DW_AT_external, here or at the DIE's origin. */
bool is_flagged(Dwarf_Die *die, unsigned name);
/* The file that holds an inlined instance's call; NULL when not said. */
const char *calling_file(struct dwarf_info *info, Dwarf_Die *inlined);
/* 0: not said. */
unsigned calling_line(Dwarf_Die *inlined);
/* The unit that has its DW_AT_decl_file, or NULL. */
Dwarf_CU *declaring_unit(Dwarf_Die *die);
/* The directory where the compiler ran, to which relative names refer; "" when not said. */
const char *directory_of(Dwarf_CU *cu);
/* Whether a name in the unit means the file that the function is declared in. */
bool is_file_of(Dwarf_CU *cu, const char *file, const struct function *function);
/* Whether an inlined instance of `function` isn't a call: gcc splits a function in two and inlines
 * the second half back into the first, at the function's own declaration (-fpartial-inlining). */
bool is_split_half(Dwarf_Die *inlined, Dwarf_Off function);
/* Returns false when the DIE only declares the function. */
bool is_definition(Dwarf_Die *die);
/* The DW_AT_producer of a unit; "" when not said. */
const char *producer_of(Dwarf_Die *unit);
bool is_gcc_unit(Dwarf_Die *unit);
bool is_llvm_unit(Dwarf_Die *unit);
bool is_gfortran_unit(Dwarf_Die *unit);
/* Whether its compiler names one register for all of a scope, whatever the code uses that for. */
bool has_rough_registers(Dwarf_Die *unit);
/* The major version of the gcc that optimised the unit; 0 when none did. */
unsigned optimising_gcc(Dwarf_Die *unit);
/* Whether an optimiser may have left out stores to variables in memory of the function, which is
 * out of line. */
bool leaves_out_stores(Dwarf_Die *function);

/* dwarf_type.c: what DW_AT_type refers to; NULL: nothing. */
Dwarf_Die *type_die(Dwarf_Die *die, Dwarf_Die *ret);

/* dwarf_same_type.c: of two definitions of one name, whether objects of both hold the same. */
bool is_same_type(struct dwarf_info *info, Dwarf_Die *a, Dwarf_Die *b);

/* dwarf_type_name.c */
/* Replaces the DIE of a struct, union or enum that may only declare it by the one that defines it,
 * possibly in another unit, under the same name. Returns false when there is none, or when several
 * units define it in different ways. */
bool type_definition(struct dwarf_info *info, Dwarf_Die *die);
/* Finds the type's own unit (-fdebug-types-section); gcc leaves C's types nothing else, and C++'s a
 * declaration. Returns false for a type without a signature. */
bool signed_type(Dwarf_Die *die, Dwarf_Die *ret);

#endif
