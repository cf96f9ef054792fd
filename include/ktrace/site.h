/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A resolved probe point: one address, and one capture per wanted value. captures[i] belongs to
 * wants[i] of the spec. Knows nothing of DWARF or tracefs.
 */
#ifndef KTRACE_SITE_H
#define KTRACE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "ktrace/loc.h"
#include "ktrace/shape.h"
#include "ktrace/spec.h"

enum capture_kind {
	CAPTURE_VALUE,  /* expr is the value, already of the shape's width and sign */
	CAPTURE_STRING, /* expr is the address of a string */
	CAPTURE_ARRAY,  /* expr is the address of count elements */
	CAPTURE_DURATION, /* ns since the function's entry */
	CAPTURE_PARTS,  /* the shape's bytes are those of the parts, one after the other */
	CAPTURE_OBJECT, /* expr is the address of the shape's size bytes */
	CAPTURE_STACK,
	CAPTURE_RAW,    /* text is the user's kernel fetch syntax */
	CAPTURE_TEXT,   /* text is the value, the same at every hit: nothing is recorded */
	CAPTURE_START,  /* of a pair's end: value `start` of its start */
	CAPTURE_BETWEEN, /* ns since the pair's start */
	CAPTURE_NONE,   /* unavailable here: see reason */
	CAPTURE_LEFT_OUT, /* a record can't hold all, and this is the largest: made by plan/ */
};

/* The low bytes of a value: one part of a CAPTURE_PARTS. */
struct part_value {
	uint8_t size; /* 1 to 8 */
	const struct expr *expr;
	bool is_lost; /* the compiler kept it nowhere: the expression is 0 */
};

/* A static object that a capture's expressions use. */
struct static_place {
	uint64_t address;    /* EXPR_STATIC's */
	const char *name;    /* its name after `@` in a fetch: "jiffies", "_stext+123"; NULL: it
			      * has none */
	const char *module;  /* NULL, or the probed module, which the object is in */
	bool is_live;        /* used as a number, not read as memory. In a live run: */
	uint64_t running;    /* where the object is now, or */
	const char *reason;  /* why that isn't known */
};

struct capture {
	enum capture_kind kind;
	const char *name;      /* how it is shown; unique within the site */
	const char *type_name; /* of the source language; "" for raw */
	enum render render;
	/* What render alone doesn't say: an enum's names, the members of a struct. NULL if
	 * nothing */
	const struct shape *shape;
	const struct expr *expr;
	uint8_t size;    /* bytes of the value or of one element */
	bool is_signed;
	const struct part_value *parts; /* PARTS */
	unsigned nparts;
	const struct static_place *statics; /* every static object in expr and parts */
	unsigned nstatics;
	bool is_pointee; /* the pointer itself has no location; this is what it points to */
	bool at_entry;   /* registers and memory as they are at the function's entry */
	bool is_user;    /* STRING, ARRAY: user memory */
	uint32_t count;  /* ARRAY: elements; STRING: most bytes that belong to it, 0: no bound */
	bool is_whole;   /* STRING: all these bytes were asked for */
	enum stack_kind stack; /* STACK */
	unsigned depth;       /* STACK: most frames; 0: all */
	const char *text;     /* RAW: the fetch without its type; TEXT */
	const char *raw_type; /* RAW: the type as written, or NULL */
	const char *reason;   /* NONE */
	unsigned start;       /* START */
};

/* Where the kernel is told to probe, and what a person calls that place. */
struct site {
	bool is_return;
	bool is_exit;         /* a return probed where the function ends */
	bool is_jump;         /* is_exit: to another function, which returns for this one */
	uint64_t jump_to;     /* is_jump: its address; 0: not known */
	unsigned exit_number; /* 0: the first of the function's */
	const char *module; /* NULL: the kernel itself */
	const char *path;   /* uprobes: the file; NULL for kprobes */
	/* As written to the kernel, e.g. "_stext" for an ambiguous name; uprobes: that the address
	 * lies in, maybe mangled. */
	const char *symbol;
	uint64_t offset; /* from symbol; uprobes: file offset */
	const char *shown_symbol; /* that the address lies in, as the source language has it */
	uint64_t shown_offset;
	uint64_t address;     /* in the ELF file's own address space; 0 where unknown */
	bool has_address;
	const char *function; /* of the source language; the inlined one where inlined */
	const char *file;     /* or NULL */
	const char *directory; /* what a relative file is relative to, or NULL */
	unsigned line;        /* 0 where unknown */
	unsigned asked_line;  /* of a pattern or several lines: the number as a place writes it */
	bool inlined;
	/* Captures may need values as they were at the function's entry: a companion at `entry`
	 * records them. Else NULL. frame and entry_frame: the canonical frame address here and
	 * there, by which the two hits of one call are matched. For a pair that is joined by calls,
	 * frame is set as far as it is known, without an entry too. */
	const struct site *entry;
	const struct expr *frame;
	bool has_frame_register; /* frame_register + a constant lies in the function's frame */
	uint64_t frame_register;
	const struct expr *entry_frame;
	const char *note; /* why this address, for -v, or NULL */
	/* Only for a call that is followed: */
	/* entry of the function's copy that the site is in; 0: a part that gcc split off, which has
	 * no entry of its own */
	uint64_t copy;
	uint64_t inner;   /* entry of the inlined copy that the site is in; 0: it is in none */
	unsigned view;    /* the order of the sites at one address */
	bool begins;      /* a call begins there */
	bool may_repeat;  /* a loop in the call may lead there again */
	/* the inlined copy may have begun before: a loop may pass it without its entry */
	bool is_vague;
	bool is_perhaps;  /* its code also runs where its line isn't passed */
	bool may_lack;    /* its line can be passed without a hit */
	bool is_opening;  /* its line is that of the function's first instruction, mostly a '{' */
	struct capture *captures;
	unsigned ncaptures;
};

struct arch;

/* The sites of one spec: all of them, or one batch. */
struct sites {
	const struct spec *spec;
	struct site *sites;
	unsigned nsites;
	const char **warnings;
	unsigned nwarnings;
	bool is_silent; /* nobody reads warnings: none is made */
	const char **notes; /* for -v */
	unsigned nnotes;
	const struct arch *arch; /* NULL: only raw captures */
	/* What the words of filters mean to captures whose types name no values. */
	const struct enumerator *constants;
	unsigned nconstants;
};

/* All batches of a spec's sites: of a pair's start, or of its end. */
struct half {
	const struct sites **batches;
	unsigned count;
};

#endif
