/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables in a kernel's image, or a module's file, that name places in its code. */
#ifndef TARGET_IMAGE_TABLE_H
#define TARGET_IMAGE_TABLE_H

#include "base/arena.h"
#include "ktrace/target.h"

struct image_table {
	const char *start;   /* the kernel's symbols around it */
	const char *stop;
	const char *section; /* a module's */
	size_t row;          /* bytes */
	bool is_pointers;    /* fields are addresses; else 32-bit distances from themselves */
};

/* What the field at an offset leads to, row by row; 0 where a module's row has no relocation.
 * *count: how many rows; 0 if the file lacks the table. */
const uint64_t *image_table_field(struct arena *arena, const struct target *target,
				  const struct image_table *table, size_t field, size_t *count);

#endif
