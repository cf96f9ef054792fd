/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of a line's addresses to probe, so that one hit is one pass. */
#ifndef RESOLVE_PASSES_H
#define RESOLVE_PASSES_H

#include "resolve/flow/line_code.h"

/* passes/passes.c */
void passes_keep(const struct line_code *of, struct candidates *list);
/* The same for code that can't be decoded: addresses with no other line of the function between
 * them count as one. */
void passes_keep_blind(const struct line_code *of, struct candidates *list);

/* passes/joined.c: moves an address before the place where another way joins, if the statement's
 * code is there. */
struct breaks;
void passes_move_before_joins(const struct line_code *of, const struct breaks *breaks,
			      struct candidates *list);
/* passes/met_inside.c: without markers, moves an address to where other code enters the line's. */
void passes_move_to_joins(const struct line_code *of, struct candidates *list);
/* passes/called_copies.c: the inlined copies that the instance calls itself; valid until another
 * instance's are asked for. Returns how many. */
unsigned passes_copies(struct resolver *resolver, const struct instance *instance,
		       struct instance ***ret);
/* The line that calls the inlined copy around the address; 0: none is known. */
unsigned passes_call_line(struct resolver *resolver, const struct instance *instance,
			  uint64_t address);
/* passes/called_copies.c: without markers, writes the line's addresses to ret, and where inlined
 * copies begin that it calls; false: there are none that its own addresses don't count. */
bool passes_add_called(const struct line_code *of, const struct candidates *own,
		       struct candidates *ret);
/* Whether one pass may meet an address of the line's own and the beginning of a copy. */
bool passes_meet_called(const struct line_code *of, const struct candidates *own,
			const struct candidates *list);
/* passes/inherited.c: drops the code of a next block that has no line of its own. */
void passes_drop_inherited(const struct line_code *of, struct candidates *list);
/* passes/unmarked.c: drops code that was moved out of a loop. */
void passes_drop_hoisted(const struct line_code *of, struct candidates *list);
/* passes/statement_parts.c: without markers, whether one of the addresses is a part of a statement
 * that another one begins. */
bool passes_have_parts(const struct line_code *of, const struct candidates *list);
/* passes/bodies.c: without markers, keeps an address again that is in the next body of an unrolled
 * loop. all: the addresses before any was dropped, as many as list has room for. */
void passes_keep_bodies(const struct line_code *of, const struct candidates *all,
			struct candidates *list);
/* Without markers, whether the line is in both rounds of a loop that was unrolled by two, with the
 * loop's test between them, and none of the addresses is in one. */
bool passes_lack_body(const struct line_code *of, const struct candidates *list);

/* passes/begun.c, about addresses that were kept */
/* The views at which the line begins at the address: several where an unrolled loop's bodies share
 * it. views has room for nrows. Returns how many; 0: the rows don't tell. */
unsigned passes_begun(const struct line_code *of, const struct candidates *list, uint64_t address,
		      unsigned *views);
/* Whether one pass may meet two of them. */
bool passes_double(const struct line_code *of, const struct candidates *list);
/* Among the addresses that have a marker of the declaration line, which the line is, keeps those
 * where an inlined instance is entered. */
void passes_entries(const struct line_code *of, struct candidates *list);

#endif
