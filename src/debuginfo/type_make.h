/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources of debug information share in making types: names as a programmer writes
 * them. */
#ifndef DEBUGINFO_TYPE_MAKE_H
#define DEBUGINFO_TYPE_MAKE_H

#include "base/arena.h"
#include "ktrace/type.h"

/* How many types may be wrapped in each other (pointers, arrays, qualifiers, typedefs). */
#define TYPE_DEPTH 32
/* No object is larger than half of an address space. */
#define SIZE_MAX_BYTES ((uint64_t)1 << 47)

const struct type *type_void(struct arena *arena);
/* A copy under another name: a typedef. */
const struct type *type_renamed(struct arena *arena, const struct type *type, const char *name);
const struct type *type_const(struct arena *arena, const struct type *type);
/* An array without a name: type_name_array() names it when its innermost element is known. An array
 * too large for any program has an unknown length, like `char x[]`. */
struct type *type_array(struct arena *arena, const struct type *element, uint64_t count,
			uint64_t source);
void type_name_array(struct arena *arena, struct type *type);
/* mark: "*", "&" or "&&". */
const char *type_pointer_name(struct arena *arena, const struct type *target, const char *mark);
/* "struct sock"; name may be NULL. */
const char *type_prefixed(struct arena *arena, const char *prefix, const char *name);

#endif
