/* SPDX-License-Identifier: GPL-2.0-only */
/* What a line of the source says of a variable for which debug information has a constant. */
#ifndef RESOLVE_SOURCE_TELLS_H
#define RESOLVE_SOURCE_TELLS_H

#include "resolve/values/walk.h"

struct teller {
	const struct walk *walk; /* its variable is a constant at the position */
	struct position at;
	const char *name; /* the variable's, or of another one whose assignments are looked for */
	/* set by source_assigns(): */
	bool is_read;
	struct variable *others; /* the variables in scope */
	unsigned count;
};

/* What a statement makes of the variable. */
enum told {
	TOLD_NOTHING,
	TOLD_GIVEN,    /* nothing itself: its address is taken */
	TOLD_PERHAPS,  /* perhaps the constant */
	TOLD_SAME,     /* the constant */
	TOLD_LITERAL,  /* another number */
	TOLD_COMPUTED, /* something of variables that are no constants */
};

struct assignment {
	enum told told;
	bool is_conditional; /* the line begins with a condition, and the assignment is behind it */
	uint64_t operands;   /* if computed, of which of the others: one bit each */
};
/* The line's last one. line: ends in a newline or NUL; its statement may go on behind that. */
struct assignment source_assigns(struct teller *teller, const char *line);

/* A line's condition on the variable. */
struct test {
	bool is_told;
	bool holds;       /* for the constant */
	bool is_equality; /* where it holds, or where it doesn't, the variable is the constant */
	bool has_and, has_or;
};
/* is_told is false if the condition goes on in the next line. */
struct test source_tests(struct teller *teller, const char *line);

/* Whether a loop begins with the line, whose condition may go on in the next one. */
bool source_begins_loop(const char *line);
/* Whether the line leaves the block it is in: `return`, `break`, `goto`, `exit`, `abort`, or, not
 * for good, `continue`. */
bool source_leaves(const char *line, bool for_good);
/* Whether the line begins with a label of a `switch`. */
bool source_is_case(const char *line);
/* Whether the line begins with a comment. */
bool source_is_comment(const char *line);
/* Whether it is in a comment that began above. is_next: the next one is. */
bool source_is_in_comment(const char *line, bool is_next);
/* Whether what the line does to variables isn't known, or whether something jumps to it: a label, a
 * line of the preprocessor, a statement that is a macro. */
bool source_is_unsure(const char *line);
/* Whether the line has the variable's name. */
bool source_names(struct teller *teller, const char *line);

#endif
