/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are mapped into this process. */
#ifndef BASE_MAPPING_H
#define BASE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Drops the whole pages in between, which must be a file's: they are read again when needed. */
void give_back(const void *from, const void *to);
/* Whether the bytes are a private, writable mapping of a file. Returns false when they were
 * decompressed or made here: given back, they would be lost. */
bool is_mapped_file(const void *bytes, size_t size);
/* Bytes of which many are passed over once: to copy them from their file costs less than to fault
 * in the pages that they are mapped to. */
struct mapped_file {
	const char *bytes;
	int fd; /* the caller closes it; -1: they aren't a file's, or it can't be opened any more */
	off_t offset; /* of the bytes in it */
};
struct mapped_file mapped_file_open(const void *bytes, size_t size);
/* Copies `length` of the bytes from `at` on. Returns copy; or the bytes themselves when copy is
 * NULL or they can't be read. */
const void *mapped_file_read(const struct mapped_file *file, size_t at, size_t length, void *copy);

#endif
