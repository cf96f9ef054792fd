/* SPDX-License-Identifier: GPL-2.0-only */
/* Floating-point numbers of a traced program: their bytes and their text in, long double out. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdbool.h>

/* size: 4, 8, or 16 for the x87's. Exact. */
long double real_decode(const void *bytes, unsigned size);

/* The number of that size that is nearest to the text, as a compiler makes it; 0 for a size: as exact as
 * there is. false: the text is no number. */
bool real_parse(const char *text, unsigned size, long double *ret);

#endif
