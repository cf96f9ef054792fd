/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads whole files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

/* Reads a file that doesn't tell its size, as in /proc and tracefs. room: expected size, bytes.
 * Returns 0 or an errno; *ret is what was read, NUL-terminated, in the arena. */
int file_read(struct arena *arena, const char *path, size_t room, char **ret);
/* The first `size` bytes of a file, or all if it is shorter, NUL-terminated, in the arena;
 * *length: how many. A read error ends it like the end of the file. */
char *file_read_most(struct arena *arena, int fd, size_t size, size_t *length);
/* A file that tells its size, likewise. Returns NULL when it can't be read, or has more than `most`
 * bytes. */
char *file_read_sized(struct arena *arena, const char *path, size_t most, size_t *length);

#endif
