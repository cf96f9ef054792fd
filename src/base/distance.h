/* SPDX-License-Identifier: GPL-2.0-only */
/* How near an unknown word is to a known one. */
#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

/* Levenshtein distance: characters to change, add or leave out. Returns limit + 1 when it is
 * above `limit`, or a word is longer than 128 characters. */
unsigned edit_distance(const char *a, const char *b, unsigned limit);

#endif
