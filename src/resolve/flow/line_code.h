/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of the source in one instance of a function: its rows, its code, its addresses. */
#ifndef RESOLVE_LINE_CODE_H
#define RESOLVE_LINE_CODE_H

#include "base/search.h"
#include "debuginfo/debuginfo.h"
#include "resolve/internal.h"

struct line_code {
	struct resolver *resolver;
	const struct instance *instance;
	const struct row *rows; /* the instance's */
	unsigned nrows;
	const struct flow *flow; /* of the function around it; NULL: not known, or unused */
	unsigned line; /* 0: the whole instance */
};

struct candidates {
	uint64_t *addresses; /* ascending, with room for one more */
	unsigned count;
};

static inline bool has_address(const struct candidates *list, uint64_t address)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->addresses[i] == address)
			return true;
	return false;
}

static inline bool is_of_file(const struct instance *instance, const struct row *row)
{
	const char *file = instance->function->file;

	return row->file == file || !strcmp(row->file, file); /* most are the same text */
}

static inline bool is_of_line(const struct instance *instance, const struct row *row, unsigned line)
{
	return row->line == line && is_of_file(instance, row);
}

/* Whether the row is of the instance's function, as far as file and line say. */
static inline bool is_own_row(const struct instance *instance, const struct row *row)
{
	return row->line >= instance->function->line && is_of_file(instance, row);
}

/* Whether the row has an instruction of its own; if not, the one at its address belongs to a
 * later row. */
static inline bool has_instruction(const struct row *row)
{
	return row->end > row->address;
}

/* Whether gcc wrote statement frontier markers. Without them every row counts: one that begins
 * no statement only follows another row of its line. */
static inline bool has_marks(const struct row *rows, unsigned nrows)
{
	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_mark)
			return true;
	return false;
}

/* Whether the instance's own statements have them: -flto may drop those of a function, and inline
 * it into one that has its own. */
static inline bool has_own_marks(const struct line_code *of)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && !of->rows[i].is_stray &&
		    of->rows[i].line > of->instance->function->line &&
		    is_own_row(of->instance, &of->rows[i]))
			return true;
	return false;
}

static inline bool line_has_mark(const struct line_code *of)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && is_of_line(of->instance, &of->rows[i], of->line))
			return true;
	return false;
}

/* The row of the instruction at an address, or NULL. */
static inline const struct row *row_around(const struct line_code *of, uint64_t address)
{
	size_t behind = partition_point(of->nrows, i, of->rows[i].address <= address);

	while (behind && !has_instruction(&of->rows[behind - 1]))
		behind--;
	return behind && address < of->rows[behind - 1].end ? &of->rows[behind - 1] : NULL;
}

/* Reads the rows of an instance; flow is left NULL. */
static inline struct error *line_code_read(struct resolver *resolver,
					   const struct instance *instance, unsigned line,
					   struct line_code *ret)
{
	struct row *rows = NULL;
	unsigned nrows = 0;
	struct error *error = debuginfo_rows(resolver->info, instance, &rows, &nrows);

	*ret = (struct line_code){.resolver = resolver,
				  .instance = instance,
				  .rows = rows,
				  .nrows = nrows,
				  .line = line};
	return error;
}

#endif
