/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the two files that make the list of functions. */
#ifndef CMD_FUNCS_H
#define CMD_FUNCS_H

#include "cmd/cmd.h"

struct entry {
	const char *name;
	unsigned symbols;   /* with code */
	bool has_code;
	bool inlined;
	bool is_init;
	bool is_blacklisted;
	bool is_traceable; /* ftrace knows it */
	bool is_linkage; /* what a compiler made of a name that is listed */
};

struct table {
	struct arena *arena;
	struct entry *entries;
	size_t count;
	bool has_traceable; /* it is known which are */
};

static inline void add_entry(struct table *table, const struct entry *entry)
{
	arena_append(table->arena, table->entries, table->count) = *entry;
}

/* By name. */
int entry_compare(const void *left, const void *right);

/* running.c: of a table sorted by name, what the running kernel says of them. */
void mark_running(struct table *table);
/* The kernel's functions by /proc/kallsyms. false: it has none. */
bool list_running(struct table *table, const char *glob);

#endif
