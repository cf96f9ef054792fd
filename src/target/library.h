/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the dynamic linker would find a library. */
#ifndef TARGET_LIBRARY_H
#define TARGET_LIBRARY_H

#include "base/arena.h"

/* "libc.so.6" is taken literally; "libc" finds the first "libc.so.N". NULL when there is none. */
const char *library_find(struct arena *arena, const char *name);

#endif
