/* SPDX-License-Identifier: GPL-2.0-only */
/* The types of the kernel's fetch arguments: u32, x8[16], ustring. */
#ifndef PLAN_FETCH_TYPE_H
#define PLAN_FETCH_TYPE_H

#include "plan/internal.h"

struct fetch_type number_type(char letter, unsigned bits);
struct fetch_type array_type(char letter, unsigned bits, unsigned count);
/* Reads a type as the user wrote it, which spec/ has checked: "x8[16]", "ustring". */
struct fetch_type read_type(const char *words);
/* ":x8[16]", or "". */
char *fetch_type_text(struct arena *arena, const struct fetch_type *type);
bool same_type(const struct fetch_type *a, const struct fetch_type *b);
/* Bytes of the record for one fetch, and for one of its elements. */
unsigned fetch_size(const struct fetch_type *type);
unsigned element_size(const struct fetch_type *type);

#endif
