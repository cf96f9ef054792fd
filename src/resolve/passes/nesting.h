/* SPDX-License-Identifier: GPL-2.0-only */
/* How the statements of a function are nested, and which follows which in its code. */
#ifndef RESOLVE_NESTING_H
#define RESOLVE_NESTING_H

#include "resolve/flow/line_code.h"

/* A line that has markers. */
struct statement {
	unsigned line;
	unsigned column; /* of its first marker */
	bool is_sure;    /* the column is its indentation */
	int header;      /* the statement whose body it is in; -1: the function's */
	int end;         /* of a sure one: the next that isn't in its body */
};

/* A marker in the code. */
struct mark {
	uint64_t address;
	int statement; /* index; -1: not the function's */
	unsigned column;
	unsigned *next; /* the markers that can be met next */
	unsigned nnext;
	bool ends; /* the instance can be left behind it, with no marker of its own between */
	bool is_shared;
};

/* passes/nesting.c: in the order of lines, and of addresses; in the arena. */
struct nesting {
	struct statement *list;
	unsigned count;
	struct mark *steps;
	unsigned nsteps;
	/* a bit for each two statements: whether a marker of one is next to one of the other */
	uint8_t *leads;
};
/* Returns false if the instance has no markers, or too many. */
bool nesting_read(const struct line_code *of, struct nesting *ret);
/* The statement whose body the statement is in; -1: the function's. */
static inline int nesting_header(const struct nesting *nesting, int statement)
{
	return nesting->list[statement].header;
}
/* Whether a statement is another one or in its body; of -1, all are. */
static inline bool nesting_is_in(const struct nesting *nesting, int statement, int outer)
{
	const struct statement *list = nesting->list;

	return outer < 0 || statement == outer ||
	       (statement > outer && list[outer].is_sure && statement < list[outer].end &&
		list[statement].column > list[outer].column);
}
/* Whether the code of a statement of first..last leads to another one, with none between. */
bool nesting_leads(const struct nesting *nesting, int first, int last, int to);
/* Whether the mark is of a statement whose depth is known. */
static inline bool nesting_knows(const struct nesting *nesting, const struct mark *mark)
{
	return mark->statement >= 0 && nesting->list[mark->statement].is_sure;
}

#endif
