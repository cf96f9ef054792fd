/* SPDX-License-Identifier: GPL-2.0-only */
/* Floating-point numbers of a traced program, from bytes or text to long double. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdbool.h>

/* size: 4, 8, or 16 (x87), bytes. The result is exact. */
long double real_decode(const void *bytes, unsigned size);

/* The number of `size` bytes nearest to the text, as a compiler makes it; size 0: as exact as
 * possible. Returns false when the text isn't a number. */
bool real_parse(const char *text, unsigned size, long double *ret);

#endif
