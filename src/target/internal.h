/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of target/. */
#ifndef TARGET_INTERNAL_H
#define TARGET_INTERNAL_H

#include <elfutils/libdwfl.h>

#include "target/target.h"

struct error *target_open_file(struct arena *arena, enum target_kind kind, const char *path,
			       struct target **ret) must_check;

/* The kernel that a module belongs to, opened when it is first needed. */
struct kernel_side {
	struct arena *arena;
	const char *path;
	bool live;
	bool is_tried;
	struct target *target; /* NULL: not to be had */
};
const struct target *kernel_of(const struct target *module);
/* program.c: appends what only .dynsym has, and the versions of names. */
void read_dynamic(struct arena *arena, const struct target *target, struct symbol **list, size_t *count);
/* A symbol of .symtab whose name holds a version: of the default one, the base name. */
const char *plain_version(struct arena *arena, const char *name);

/* symbols.c: makes target->symbols; what it needs later is in the arena too. */
void symbols_open(struct arena *arena, struct target *target);
/* How many symbols lie at or below the address. */
size_t symbols_upto(const struct target *target, uint64_t address);
/* What a file's symbol is left out for: mapping symbols, section names, compiler labels. */
bool is_named(const char *name, int type);

/* table.c: a section of entries; count: of those that are in the file, whatever its header says. */
struct elf_table {
	Elf_Data *data;    /* NULL: there is none */
	Elf_Data *strings; /* of its names; or NULL */
	size_t count;
};
void table_open(Elf *elf, Elf_Scn *section, struct elf_table *ret);
/* The first section of a type. */
void table_find(Elf *elf, unsigned type, struct elf_table *ret);
/* NULL: it is not in the table of names, or has no end there. */
const char *table_name(const struct elf_table *table, size_t offset);
/* The same of a name that libdwfl gave: it must end within the file. */
const char *name_in_file(Elf *elf, const char *name);

/* packed.c: whether its compressed sections are as long as such a file's can be. */
bool can_unpack(Elf *elf);
/* How much memory may be needed to read the file. */
uint64_t memory_for(enum target_kind kind, const char *path);
/* dwfl_standard_find_debuginfo(), but for files that can't be unpacked. */
int find_unpackable(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word checksum, char **found);

/* symtab.c: the file's own table; NULL: there is none that can be asked directly. Answers are in the
 * order of the file. */
const struct symtab *symtab_open(struct arena *arena, const struct target *target);
struct symbol *symtab_all(const struct symtab *table, struct arena *arena, size_t *count);
struct known_place {
	struct known_place *next;
	uint64_t address;
	uint64_t start;
	uint64_t end; /* behind the last address that has just these symbols around it */
	struct symbol *around;
	size_t count;
};
/* Fills in all but the addresses of some places that are zero otherwise: all symbols that contain each. */
void symtab_around(const struct symtab *table, struct arena *arena, struct known_place *places, unsigned count);
struct known_name {
	struct known_name *next;
	const char *name;
	struct symbol *list;
	size_t count;
};
/* Fills in the lists of the names before `end`. */
void symtab_named(const struct symtab *table, struct arena *arena, struct known_name *first,
		  const struct known_name *end);

/* symbol_sort.c: by address, then by name. */
void sort_symbols(struct symbol *list, size_t count);
/* .symtab and .dynsym have many symbols in common: one of two in a row that are alike goes. How many
 * are left. */
size_t drop_twins(struct symbol *list, size_t count);

/* The build-id of the notes in a file as sysfs shows them, in hex; NULL: none. */
const char *notes_build_id(struct arena *arena, const char *path);

/* The index in the file of the section that the address is in, and its name; 0 and "": none. */
size_t section_of(const struct target *target, uint64_t address, const char **name);
/* A section's bytes in the file; NULL: there is none, or none of its bytes. */
const void *section_bytes(const struct target *target, const char *name, size_t *length);

#endif
