/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are read whole. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

/* A file that says nothing of its size, as those of /proc and tracefs; room: about that many bytes are expected.
 * Returns 0, or an errno; *ret has what was read, in the arena, with a NUL behind it. */
int file_read(struct arena *arena, const char *path, size_t room, char **ret);
/* The first `size` bytes of a file, or all that there are, in the arena, with a NUL behind them; *length: how many
 * that is. Where reading fails, what came before is the end. */
char *file_read_most(struct arena *arena, int fd, size_t size, size_t *length);

#endif
