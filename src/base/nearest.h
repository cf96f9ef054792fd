/* SPDX-License-Identifier: GPL-2.0-only */
/* The names that are nearest to one that doesn't exist, for a hint. Names are not copied. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { NEAREST = 5 };

struct nearest {
	const char *wanted;
	unsigned limit;
	const char *names[NEAREST];
	unsigned scores[NEAREST];
	unsigned count;
	size_t common; /* the longest beginning of `wanted` that a name has, too */
};

void nearest_init(struct nearest *nearest, const char *wanted);
/* Takes the name if it is nearer than one of those it has. */
void nearest_offer(struct nearest *nearest, const char *name);
/* The same for the name at the end of a path, which is what is kept. is_exact: only if it is the
 * wanted one. */
void nearest_offer_path(struct nearest *nearest, const char *path, const char *name, bool is_exact);
/* "a, b, c", the nearest first. Returns NULL when none is near. */
char *nearest_text(struct arena *arena, const struct nearest *nearest);
/* A glob for the names that begin alike. Returns NULL when it would be for all names. */
const char *nearest_glob(struct arena *arena, const struct nearest *nearest);

#endif
