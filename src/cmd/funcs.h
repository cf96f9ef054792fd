/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the two files of `ktrace funcs`. */
#ifndef CMD_FUNCS_H
#define CMD_FUNCS_H

#include "cmd/cmd.h"
#include "resolve/listing.h"

struct entry {
	struct listed_function function;
	bool is_blacklisted;
	bool is_traceable; /* ftrace can trace it */
};

struct table {
	struct entry *entries; /* sorted by name */
	size_t count;
	bool has_traceable; /* is_traceable is valid */
};

/* forbidden.c: marks what the running kernel says about them. */
void mark_running(struct arena *arena, struct table *table);

#endif
