/* SPDX-License-Identifier: GPL-2.0-only */
/* The entries of a section, counted by the bytes that the file really has. */
#ifndef TARGET_SECTION_ENTRIES_H
#define TARGET_SECTION_ENTRIES_H

#include "target/internal.h"

/* count: the entries that the file holds, whatever the section's header says. */
struct elf_table {
	Elf_Data *data;    /* NULL: no such section */
	Elf_Data *strings; /* their names; or NULL */
	size_t count;
};
void table_open(Elf *elf, Elf_Scn *section, struct elf_table *ret);
/* Opens the first section of a type. */
void table_find(Elf *elf, unsigned type, struct elf_table *ret);
/* Returns NULL when the name isn't in the string table, or doesn't end there. */
const char *table_name(const struct elf_table *table, size_t offset);
/* Moves *at to the next entry of a table of versions: in a sound file, it lies behind this one.
 * Returns false when there is no other. */
static inline bool version_next(size_t *at, GElf_Word distance)
{
	*at += distance;
	return distance && *at < INT_MAX;
}
/* The same as table_name() for a name that libdwfl gave: it must end within the file. */
const char *name_in_file(Elf *elf, const char *name);

#endif
