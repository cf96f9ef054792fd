/* SPDX-License-Identifier: GPL-2.0-only */
/* Proposes a spec that has what a filter tests. */
#ifndef CMD_ADD_VALUE_H
#define CMD_ADD_VALUE_H

#include "ktrace/error.h"
#include "spec/spec.h"

struct adding {
	const char *text; /* the spec as it was asked for */
	struct error *(*parse)(struct arena *arena, const char *text, struct spec **ret);
	/* Whether it can be planned, with the filters. */
	struct error *(*plan)(void *cookie, struct spec *spec);
	void *cookie;
};

/* error: of planning the spec, and error->lacks names a value. Returns it with a better hint. */
struct error *add_value(struct arena *arena, const struct adding *adding, struct spec *spec,
			struct error *error) must_check;

#endif
