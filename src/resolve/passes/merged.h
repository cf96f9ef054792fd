/* SPDX-License-Identifier: GPL-2.0-only */
/* Which lines the optimiser merged with others, as far as the code shows it. */
#ifndef RESOLVE_MERGED_H
#define RESOLVE_MERGED_H

#include "resolve/internal.h"

/* What the code of an instance shows of one of its lines. */
struct finding {
	unsigned line;
	bool is_shared;   /* more events than passes are possible; else fewer */
	uint64_t address; /* shared: of the line, where the code of the other one joins */
	/* shared: the other line; else the line behind which the code goes on ... */
	unsigned from;
	unsigned to;      /* ... here, without this one */
	bool is_decided;  /* fewer: the line is only left where it leads to `to` */
};
struct findings {
	struct finding *list;
	unsigned count;
};
/* passes/merged.c */
void merged_find(struct resolver *resolver, const struct instance *instance, struct findings *ret);
struct nesting;
/* passes/decided.c */
void decided_find(struct resolver *resolver, const struct instance *instance,
		  const struct nesting *nesting, struct findings *ret);
/* passes/jumped_over.c */
void jumped_over_find(struct resolver *resolver, const struct instance *instance,
		      const struct nesting *nesting, struct findings *ret);
/* passes/returned_past.c */
void returned_past_find(struct resolver *resolver, const struct instance *instance,
			const struct nesting *nesting, struct findings *ret);
bool is_returned_past(struct resolver *resolver, const struct instance *copy, unsigned line);
/* passes/else_ifs.c */
void else_ifs_find(struct resolver *resolver, const struct instance *instance,
		   const struct nesting *nesting, struct findings *ret);
/* passes/source_jumps.c: whether a line of the source, which ends in a newline or NUL, has a word
 * for a jump, or may have one. or_else: `else` is one. */
bool source_may_jump(const char *line, bool or_else);
/* Whether a line from the first to before the last one may, or isn't known. `else` counts. */
bool source_may_jump_between(struct resolver *resolver, const struct instance *instance,
			     unsigned first, unsigned last);
/* What such a line begins with: a return, an else, an if behind an else or without one, nothing, a
 * brace and nothing else. */
bool source_is_return(const char *line);
bool source_is_else(const char *line);
bool source_is_if(const char *line);
bool source_is_empty(const char *line);
/* A `for` or `while` that has its condition on it; not the end of a do. */
bool source_is_loop(const char *line);
bool source_is_brace(const char *line);
/* The columns before its first word. */
unsigned source_depth(const char *line);
/* The next `return` that is executed behind the line, without a jump; 0: none is known. */
unsigned source_return_behind(struct resolver *resolver, const struct instance *instance,
			      unsigned line);
/* passes/left_out.c */
void left_out_find(struct resolver *resolver, const struct nesting *nesting, struct findings *ret);
/* passes/merged_texts.c: writes the remarks on a place that is one line to ret, which has room for
 * MERGED_TEXTS. Returns how many. */
enum { MERGED_TEXTS = 7 };
unsigned merged_texts(struct resolver *resolver, const struct place *place,
		      const struct point *points, unsigned count, const char **ret);

/* passes/lacking.c: counts the inlined copies of a line's function, and those of them that execute
 * the line but have no code for it. The copies are searched once for questions that use one `ret`
 * and follow each other; it is zeroed before the first. */
struct copies {
	const struct function *function;
	const char *name; /* without arguments of templates */
	struct instance **all;
	unsigned nall;
	unsigned count;
	unsigned lacking;
	bool are_inlined; /* the counted ones */
};
void lacking_copies(struct resolver *resolver, const struct point *points, unsigned count,
		    struct copies *ret);

bool is_same_function(const struct function *a, const struct function *b);
/* passes/one_code.c: whether LLVM may have made the code of a copy one with other code. all: the
 * function's instances. */
bool may_be_one_code(struct resolver *resolver, struct instance *const *all, unsigned count);
/* passes/getter.c: whether it is so small that compilers often make calls of it one. */
bool is_getter(struct resolver *resolver, const struct function *function,
	       struct instance *const *all, unsigned count);
/* passes/vanished.c: why a function or its lines can have fewer events than passes, where a call of
 * it was inlined without a trace; NULL: nothing says so. is_call: the function is asked for, not
 * one of its lines. */
const char *vanished_text(struct resolver *resolver, const struct function *function,
			  bool is_call);

/* passes/rounds.c: why a line of a loop can have fewer events than passes in the instance, or more,
 * as texts; NULL: nothing says so. */
struct candidates;
struct rounds {
	const char *fewer;
	const char *more;
};
void rounds_find(struct resolver *resolver, const struct instance *instance, unsigned line,
		 const struct candidates *list, struct rounds *ret);
struct line_code;
/* passes/filled.c: why there are fewer where a loop may have become a call of memset. */
const char *filled_text(const struct line_code *of);
/* passes/eventless.c: the same where code of the line can run without an event. */
const char *eventless_text(const struct line_code *of, const struct candidates *list);
/* passes/closing.c: the same for a function's closing brace. */
const char *closing_text(const struct line_code *of, const struct candidates *list);

/* passes/left_behind.c: the line at whose beginning gcc left the mark of this one, which has no
 * other code than jumps; 0: there is none. Then events are of that line, or of the code that the
 * jumps lead to. */
unsigned left_behind(const struct line_code *of);

/* passes/unmarked.c: whether code of the line at one of the addresses runs before a branch that
 * decides about the line, or without any: then there may be more events than passes. */
bool line_runs_anyway(const struct line_code *of, const struct candidates *list);

/* passes/shared_tail.c: the line whose store or call is what a mark of this one has, where ways
 * join, so that events are of that line as well; 0: there is none. */
unsigned shared_store(const struct line_code *of, const struct candidates *list);
/* Whether the line has no mark, and statements further down go on where it has an event. */
bool is_entered_from_below(const struct line_code *of, const struct candidates *list);
/* Whether the line's store or call is also reached past its marks: then there are fewer events. */
bool store_lacks_mark(const struct line_code *of, const struct candidates *list);

/* passes/partial_load.c: the line whose load stands for that of this one, which is all of its code,
 * on other ways to where it is used; 0: there is none. Then there are fewer events than passes. */
unsigned partial_load(const struct line_code *of, const struct candidates *list);

/* How many of the points' copies have marks, and how many of these have none at the line; 0 where
 * none has one, as it may be no statement. */
struct unmarked {
	unsigned count;
	unsigned unmarked;
};
void unmarked_copies(struct resolver *resolver, const struct point *points, unsigned count,
		     struct unmarked *ret);

/* passes/calls_again.c: whether an execution passes two copies of one call of the line, or of the
 * whole instance, and none of the addresses between them. */
bool calls_again(const struct line_code *of, const struct candidates *list);
/* Whether code of the line calls a check that the compiler put in (-fsanitize). */
bool calls_checks(const struct line_code *of);

/* What eventless.c asks of them. */
struct step_graph;
struct loop;
/* passes/strides.c: how many rounds of the source one round of the loop does, by the memory that it
 * uses; 1: no more are known. */
unsigned rounds_in_round(const struct line_code *of, const struct step_graph *graph,
			 const struct loop *loop);
/* passes/sunk.c: the line further down behind one of whose branches the line's code is, with its
 * events, so that other ways lack them; 0: there is none. */
unsigned sunk_behind(struct step_graph *graph, const struct flow *flow, unsigned line);

#endif
