/* SPDX-License-Identifier: GPL-2.0-only */
/* The symbols of a target's file: read from its tables, sorted, found by name or address. */
#ifndef TARGET_SYMTAB_H
#define TARGET_SYMTAB_H

#include "target/internal.h"

/* program.c: appends the symbols of .dynsym, with the versions in their names. */
void read_dynamic(struct arena *arena, const struct target *target, struct symbol **list,
		  size_t *count);
/* The name of a .symtab symbol without the default version: "name" for "name@@VERSION". */
const char *plain_version(struct arena *arena, const char *name);

/* symbols.c: makes target->symbols, which lives in the arena. */
void symbols_open(struct arena *arena, struct target *target);
/* How many symbols lie at or below the address. */
size_t symbols_upto(const struct target *target, uint64_t address);
/* Whether a symbol counts: false for mapping symbols, section names, compiler labels. */
bool is_named(const char *name, int type);

/* symtab.c: the file's own symbol table; NULL when it can't be searched directly. Answers are in
 * the order of the file. */
struct symtab *symtab_open(struct arena *arena, const struct target *target);
struct symbol *symtab_all(const struct symtab *table, struct arena *arena, size_t *count);
struct known_place {
	struct known_place *next;
	uint64_t address;
	uint64_t start;
	uint64_t end; /* exclusive; from start to here, the same symbols are around each address */
	struct symbol *around;
	size_t count;
};
/* Fills in all symbols that contain each place's address. A place has its address set, all else
 * zero. */
void symtab_around(struct symtab *table, struct arena *arena, struct known_place *places,
		   unsigned count);
struct known_name {
	struct known_name *next;
	const char *name;
	struct symbol *list;
	size_t count;
};
/* Fills in the symbol lists of the names before `end`. */
void symtab_named(struct symtab *table, struct arena *arena, struct known_name *first,
		  const struct known_name *end);

/* symbol_sort.c: by address, then by name. */
void sort_symbols(struct symbol *list, size_t count);
/* .symtab and .dynsym have many symbols in common: drops one of two equal neighbours. Returns how
 * many are left. */
size_t drop_twins(struct symbol *list, size_t count);

#endif
