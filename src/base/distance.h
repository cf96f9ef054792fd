/* SPDX-License-Identifier: GPL-2.0-only */
/* How near a word that isn't known is to one that is. */
#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

/* Levenshtein's: characters to change, add or leave out. Above `limit` it is limit + 1, and so it is of words
 * beyond 128 characters. */
unsigned edit_distance(const char *a, const char *b, unsigned limit);

#endif
