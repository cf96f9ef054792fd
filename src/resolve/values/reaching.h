/* SPDX-License-Identifier: GPL-2.0-only */
/* What the code puts into the places that it reads behind a constant's beginning. */
#ifndef RESOLVE_REACHING_H
#define RESOLVE_REACHING_H

#include "resolve/values/trail.h"

/* Whether the variable is that constant. */
bool is_same_number(const struct variable *variable, int64_t constant);
/* reaching.c: whether it is a parameter of an inlined copy, and a place that the copy reads behind
 * the constant's beginning, and that no variable is in, has the constant on one way and something
 * made by code on another. */
bool is_unnamed_place_read(const struct trail *trail);
/* Those of the registers that debug information has no other variable in, where the constant
 * begins. */
uint64_t unnamed_registers(const struct walk *walk, uint64_t registers);

#endif
