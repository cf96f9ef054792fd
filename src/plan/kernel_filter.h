/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of plan/ that work on a filter. */
#ifndef PLAN_KERNEL_FILTER_H
#define PLAN_KERNEL_FILTER_H

#include "plan/internal.h"

struct assign {
	struct arena *arena;
	const struct plan_input *input;
	const struct sites *sites; /* or NULL */
	struct probe *probe;
	const char *text; /* of the current filter, for carets */
};

/* kernel_filter.c: the filter as it is for this probe: its names looked up, its words numbers. */
struct error *filter_here(struct assign *assign, const struct filter *asked,
			  const struct filter **ret) must_check;

/* Returns NULL if the probe has no such value. */
const struct value *named_value(const struct probe *probe, const char *name);
bool is_builtin(const char *name);

/* constant.c: a copy of the filter for this probe, with the value's name on the left. */
struct filter *copy_filter(const struct assign *assign, const struct filter *filter);
/* Sets a number for each word in such a copy. */
struct error *name_constants(const struct assign *assign, struct filter *filter) must_check;

/* real_filter.c: the constant of a comparison with a number that has a point, or with a
 * floating-point value. */
struct error *real_constant(const struct assign *assign, struct filter *filter,
			    const struct value *value) must_check;
/* The same comparison for the kernel, on the bits of a float or double. */
char *real_text(struct arena *arena, const struct filter *filter, const char *field, unsigned size);

/* address_constants.c: whether the value is shown as a network address, a UUID or a device; and the
 * constant of a comparison with such a value. */
bool is_address(const struct value *value);
struct error *address_constant(const struct assign *assign, struct filter *filter,
			       const struct value *value) must_check;
/* Turns `value == FUNCTION` into a test whether the value lies in the function's code. Returns
 * false if it isn't such a comparison. */
bool function_constant(const struct assign *assign, struct filter *filter,
		       const struct value *value);

#endif
