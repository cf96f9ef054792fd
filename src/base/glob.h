/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a name is a pattern, as fnmatch(3) takes it. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>
#include <string.h>

static inline bool is_glob(const char *name)
{
	return name[strcspn(name, "*?[")] != '\0';
}

#endif
