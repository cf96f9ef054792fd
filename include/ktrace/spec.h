/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user asked for, as written: the result of parsing one `[[GROUP/]EVENT=]PLACE [ARG...]
 * [by KEY...]`, or of two, `START -> END`. Every node carries the bytes of the text it came from.
 * Strings are owned by the arena given to the parser.
 */
#ifndef KTRACE_SPEC_H
#define KTRACE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ktrace/error.h"
#include "ktrace/stack.h"

enum place_kind {
	PLACE_FUNCTION, /* FUNC, FUNC@FILE */
	PLACE_LINE,     /* FUNC:LINE, FUNC:FIRST-LAST, FUNC:*, each also FUNC@FILE: relative to
			 * the declaration line */
	PLACE_OFFSET,   /* FUNC+OFFSET, MODULE:FUNC+OFFSET */
	PLACE_RETURN,   /* FUNC%return */
	PLACE_FILE,     /* FILE:LINE */
	PLACE_PATTERN,  /* FUNC;PATTERN, FUNC@FILE;PATTERN, FILE;PATTERN: each line that matches */
	PLACE_ADDRESS,  /* 0xADDRESS; with %return it is a PLACE_RETURN that has an address */
	PLACE_EVENT,    /* -e SYSTEM:EVENT: group and event of the spec, both may be globs */
};

struct place {
	enum place_kind kind;
	struct span span;
	const char *module;   /* MODULE of MODULE:FUNC[+OFFSET], or NULL */
	const char *function; /* NULL for a file alone; for an address, its text */
	struct span function_span;
	const char *file; /* or NULL */
	struct span file_span;
	unsigned line; /* PLACE_LINE (0 is the declaration), PLACE_FILE (1 is the first) */
	unsigned last_line; /* PLACE_LINE: the same, if one line is named; UINT_MAX: to the end */
	struct span line_span;
	uint64_t offset; /* PLACE_OFFSET, bytes */
	struct span offset_span;
	const char *pattern; /* PLACE_PATTERN: a glob for a whole line, with its blanks removed */
	struct span pattern_span;
	const char *path; /* NULL, or a pasted definition's program; address is then an offset in
			   * that file */
	bool has_address; /* 0xADDRESS, of the file or (live) of the running kernel */
	uint64_t address;
};

/* One operation of an expression, in the order of evaluation: in (T *)p->m the ->m comes before
 * the cast, in ((T *)p)->m after it. */
enum step_kind {
	STEP_ARROW,   /* ->name */
	STEP_DOT,     /* .name */
	STEP_INDEX,   /* [index] */
	STEP_SLICE,   /* [index..last]; always the last step */
	STEP_DEREF,   /* *x */
	STEP_ADDRESS, /* &x */
	STEP_CAST,    /* (name)x */
};

static inline bool step_is_prefix(enum step_kind kind)
{
	return kind >= STEP_DEREF;
}

struct step {
	enum step_kind kind;
	const char *name; /* ARROW, DOT; CAST: the type, "struct sock *", "unsigned long" */
	int64_t index;    /* INDEX, SLICE */
	int64_t last;     /* SLICE */
	struct span span; /* its own bytes, "->name", "*", "(struct sock *)" */
};

/* The base of a want that is the running thread's struct task_struct *. */
#define CURRENT_TASK "$current"
#define RETURN_VALUE "$retval" /* with steps; alone it is kernel syntax */
#define DURATION "$duration"
#define KERNEL_STACK "$kstack"
#define USER_STACK "$ustack"
#define OWN_LINE "$line"
#define OWN_FUNCTION "$function"
#define ALL_PARAMETERS "$params"
#define ALL_VARIABLES "$vars"

enum want_kind {
	WANT_VARIABLE, /* a name of the source language, or $current, with steps */
	WANT_RAW,      /* kernel fetch syntax, as written: %di, +8(%di), $comm, @sym, \1 */
	WANT_ALL,      /* $params or $vars; resolve/ replaces it by variables */
	WANT_STACK,    /* $kstack or $ustack */
	WANT_PLACE,    /* $line or $function: what is known of the place itself */
};

/* One ARG. */
struct want {
	enum want_kind kind;
	struct span span;
	const char *name; /* NAME= as written, or NULL */
	struct span name_span;
	const char *base; /* VARIABLE: the variable; RAW: the fetch text without its type */
	struct span base_span;
	struct step *steps;
	unsigned nsteps;
	const char *path; /* base and steps as a filter may write them: "it->kind"; or NULL */
	const char *type; /* what follows ':', e.g. "u32", "string", "x8[16]", or NULL */
	struct span type_span;
	unsigned depth; /* STACK: most frames; 0: all */
	bool user; /* a trailing @user: memory behind pointers is user space */
	bool is_expanded; /* comes from a WANT_ALL: the user didn't name it */
	/* comes from $params or $vars: not what else has the name where it isn't in scope */
	bool is_local;
	bool is_inner; /* occurs only in an aggregate or a key: not an ARG of its own */
	/* In a pair's end, a value that its start recorded: a copy of wants[start] there. */
	bool is_start;
	unsigned start;
};

/* The last name of a variable's expression: it names the value that has no NAME=. */
static inline const char *want_last_name(const struct want *want)
{
	for (unsigned i = want->nsteps; i > 0; i--)
		if (want->steps[i - 1].kind <= STEP_DOT)
			return want->steps[i - 1].name;
	return want->base + (want->base[0] == '$');
}

/* What is accumulated over all events of a spec, instead of showing each. */
enum aggregate_kind {
	AGGREGATE_COUNT,
	AGGREGATE_SUM,
	AGGREGATE_AVG,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_HIST,
};

struct aggregate {
	enum aggregate_kind kind;
	const char *name; /* "sum(size)", as it is printed */
	unsigned want; /* index in the spec's wants; unused for COUNT */
	uint64_t step; /* HIST: each bucket's width; 0: powers of two */
	struct span span;
	struct span step_span;
};

/* What gives a row of its own in a table. */
enum key_kind {
	KEY_VALUE,
	KEY_COMM,
	KEY_PID, /* the process */
	KEY_TID,
	KEY_CPU,
	KEY_EVENT,
	KEY_KINDS,
};

struct key {
	enum key_kind kind;
	const char *name; /* "comm", "event"; NULL for VALUE */
	bool is_marked; /* written $comm: never an event's field of that name */
	unsigned want; /* VALUE: index in the spec's wants */
	struct span span;
};

/* A value by which a pair's start and end belong together. */
struct join {
	unsigned start; /* index in the start's wants */
	unsigned end;   /* index in the end's wants */
	struct span span;
};

/* What a hit is to the call that `ktrace follow` puts together of many. */
enum followed {
	FOLLOWED_NOT,   /* an event of its own */
	FOLLOWED_BEGIN, /* a call begins */
	FOLLOWED_HEAD,  /* its parameters, where they are stored first */
	FOLLOWED_LINE,  /* it passes a line */
	FOLLOWED_INNER, /* a function that is inlined into it begins */
	FOLLOWED_END,   /* it returns */
};

/* `START -> END [on NAME...]`. Without a NAME, they belong together by thread and call. */
struct pairing {
	const struct spec *start;
	const struct spec *end;
	struct join *joins;
	unsigned njoins;
};

struct spec {
	const char *text; /* the words as given, joined by single blanks */
	const char *group; /* or NULL */
	struct span group_span;
	const char *event; /* or NULL */
	struct span event_span;
	bool is_return_definition; /* pasted as `r:...`: the place is a return probe */
	struct place place;
	struct want *wants;
	unsigned nwants;
	struct aggregate *aggregates; /* empty: each event is shown */
	unsigned naggregates;
	struct key *keys; /* of aggregates */
	unsigned nkeys;
	bool is_call; /* one end of a function's calls: the hit's frame is recorded */
	bool is_optional; /* the kernel may refuse it */
	/* NULL: no half of a pair. A pair's spec is its end's; both have the whole text. */
	const struct pairing *pairing;
	enum followed followed;
};

/* Whether its place is several lines of a function. */
static inline bool place_is_range(const struct place *place)
{
	return place->kind == PLACE_LINE && place->last_line != place->line;
}

static inline bool spec_is_start(const struct spec *spec)
{
	return spec->pairing && spec->place.span.start == spec->pairing->start->place.span.start;
}

static inline bool spec_is_end(const struct spec *spec)
{
	return spec->pairing && !spec_is_start(spec);
}

static inline bool spec_is_return(const struct spec *spec)
{
	return spec->place.kind == PLACE_RETURN || spec->is_return_definition;
}

/* FUNC[@FILE][:FIRST[-LAST|+COUNT]] or FILE[:FIRST[-LAST|+COUNT]] of -L. */
struct line_range {
	const char *text;
	const char *function; /* NULL for a file */
	struct span function_span;
	const char *file;
	struct span file_span;
	bool has_range;
	unsigned first; /* relative to the declaration where there is a function */
	unsigned last; /* UINT_MAX: to the end, as when FIRST stands alone */
	struct span range_span;
};

/* --filter: an expression over the names the user wrote. */
enum filter_op {
	FILTER_AND,
	FILTER_OR,
	FILTER_NOT,
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_GT,
	FILTER_GE,
	FILTER_BITS,  /* &: any bit of the constant is set */
	FILTER_MATCH, /* ~: glob on a string */
};

struct filter {
	enum filter_op op;
	struct span span;
	const struct filter *left;  /* AND, OR, NOT (left only) */
	const struct filter *right; /* AND, OR */
	const char *field;          /* comparisons: the name, or the path of a want; "comm",
				     * "pid", "cpu" are built in */
	struct span field_span;
	bool is_string;      /* the constant is a string */
	const char *constant; /* or a word that stands for a number, by the field's type:
			       * TCP_CLOSE, true, -ENOENT; plan/ sets number. NULL: none */
	const char *decimal; /* or a number with a point or an exponent; plan/ sets real. NULL:
			      * none */
	bool is_real;        /* real is the constant, rounded to the field's type */
	long double real;
	bool is_negative;    /* number is a negative constant, two's complement in number */
	uint64_t number;
	const char *string;  /* without quotes */
	/* Or nbytes bytes in the record's order, compared under mask; plan/ makes them from
	 * string. NULL: none */
	const uint8_t *bytes;
	const uint8_t *mask;
	unsigned nbytes;
	struct span value_span;
};

#endif
