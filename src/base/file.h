/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"

/* The whole file, NUL-terminated: 0 or an errno. *ret is a text in any case. */
int file_text(struct arena *arena, const char *path, char **ret);

#endif
