/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections read as bytes, without libdw, which keeps everything that it has ever read. */
#ifndef DEBUGINFO_BYTES_H
#define DEBUGINFO_BYTES_H

#include "debuginfo/internal.h"

/* dwarf_read.c */
/* A section of the debug file, uncompressed and relocated; NULL when it has none. */
Elf_Data *section_data(struct dwarf_info *info, const char *name);
struct reader {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};
uint64_t read_fixed(struct reader *reader, unsigned size);
uint64_t read_leb(struct reader *reader);
uint64_t read_sleb(struct reader *reader);
const char *read_text(struct reader *reader);
void skip_bytes(struct reader *reader, uint64_t count);

/* dwarf_line_files.c: file_name() returns false when only libdw can tell. */
/* Returns the path, or NULL when it is NULL or longer than PATH_MAX: it will be compared with those
 * of a million rows. */
const char *short_path(const char *path);
bool file_name(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word number, const char **ret);

/* dwarf_loclist.c: the entries of a location list, in order. */
struct location_list {
	struct reader bytes;
	Dwarf_Addr base;
	uint8_t address_size;
	bool is_new;    /* DWARF 5 */
	bool is_single; /* not a list: one expression, valid everywhere */
};
/* Returns false when only libdw can read such a list. */
bool location_list_open(struct dwarf_info *info, Dwarf_Attribute *location,
			struct location_list *ret);
bool location_list_next(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end,
			struct reader *expression);
/* Compilers write nothing longer, and libdw would keep each operation. */
#define OPERATIONS_MAX 1000
#define EXPRESSION_MAX ((size_t)64 << 10) /* bytes, including those of an implicit value */
#define LIST_STEPS 32 /* budget steps for one entry */
/* Whether all expressions of a location, or of its list, are short enough for libdw. */
bool location_is_short(struct dwarf_info *info, Dwarf_Attribute *location);
/* Returns NULL, or the reason why they can't be read here. */
const char *read_operations(struct arena *arena, struct reader expression, Dwarf_Op **ops,
			    size_t *count);

#endif
