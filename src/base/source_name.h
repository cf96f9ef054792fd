/* SPDX-License-Identifier: GPL-2.0-only */
/* What the name of a source file looks like. */
#ifndef BASE_SOURCE_NAME_H
#define BASE_SOURCE_NAME_H

#include <stdbool.h>

/* Whether the name ends as those of a compiled language's files do: `.c`, `.f90`, `.rs`. */
bool is_source_name(const char *name);

#endif
