/* SPDX-License-Identifier: GPL-2.0-only */
/* What libdw alone says of a file: one walk over all of its DIEs, none of ktrace's code. */
#ifndef INDEX_PLAIN_H
#define INDEX_PLAIN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plain_copy {
	Dwarf_Off origin; /* the abstract or only DIE of its function */
	Dwarf_Off die;
	Dwarf_Addr entry;
};

struct plain_name {
	const char *text;
	uint32_t *units; /* in order: those with a DIE of that name, by number */
	size_t nunits;
	Dwarf_Off *functions; /* origins of the definitions of that name */
	size_t nfunctions;
};

struct plain {
	Dwarf *dwarf;
	Dwarf_Off *units; /* offsets of their headers */
	size_t nunits;
	struct plain_name *table; /* by hash; text NULL: empty */
	size_t size;
	size_t nnames;
	struct plain_copy *copies; /* by origin, then by DIE */
	size_t ncopies;
	size_t ndies;
	size_t nsplit; /* copies left out: gcc's halves inlined back, see copy_of() */
	const char **functions; /* names that have copies */
	size_t nfunctions;
};

void plain_walk(struct plain *plain, const char *path);
/* NULL: no DIE is called that. */
const struct plain_name *plain_named(const struct plain *plain, const char *text);
/* Adds the function's copies; *ret is the caller's to free. */
void plain_copies(const struct plain *plain, const struct plain_name *name, struct plain_copy **ret,
		  size_t *count);

/* files_check.c: some files of the units' line tables, and which units have them; then whether ktrace says so. */
struct dwarf_info;
struct files;
void files_read(struct files **ret, Dwarf *dwarf, const struct dwarf_info *info, uint64_t seed);
size_t files_check(const struct files *files, struct dwarf_info *info);
/* globs_check.c */
size_t globs_check(const struct plain *plain, struct dwarf_info *info, size_t count, uint64_t seed);

#endif
