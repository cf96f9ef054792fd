/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the two files that make the list of functions. */
#ifndef CMD_FUNCS_H
#define CMD_FUNCS_H

#include "cmd/cmd.h"
#include "resolve/listing.h"

struct entry {
	struct listed_function function;
	bool is_blacklisted;
	bool is_traceable; /* ftrace knows it */
};

struct table {
	struct entry *entries; /* by name */
	size_t count;
	bool has_traceable; /* it is known which are */
};

/* running.c: what the running kernel says of them. */
void mark_running(struct arena *arena, struct table *table);

#endif
