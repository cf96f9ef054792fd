/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A resolved probe point: one address, and one capture per wanted value. captures[i] belongs to
 * wants[i] of the spec. Says nothing of DWARF nor of tracefs.
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
	CAPTURE_PARTS,  /* the shape's bytes are those of the parts, one behind the other */
	CAPTURE_OBJECT, /* expr is the address of the shape's size bytes */
	CAPTURE_RAW,    /* text is kernel fetch syntax of the user's */
	CAPTURE_NONE,   /* not to be had here: see reason */
};

/* The low bytes of a value. */
struct part_value {
	uint8_t size; /* 1 to 8 */
	const struct expr *expr;
};

/* A static object in a capture's expressions. */
struct static_place {
	uint64_t address;    /* EXPR_STATIC's */
	const char *name;    /* how `@` of a fetch names it: "jiffies", "_stext+123"; NULL: it can't */
	bool is_live;        /* of a number, not memory, in a live run: */
	uint64_t running;    /* where the object is now, or */
	const char *reason;  /* why that isn't known */
};

struct capture {
	enum capture_kind kind;
	const char *name;      /* how it is shown; unique within the site */
	const char *type_name; /* of the source language; "" for raw */
	enum render render;
	/* What render alone doesn't say: an enum's names, the inside of an array or struct. NULL: none */
	const struct shape *shape;
	const struct expr *expr;
	uint8_t size;    /* bytes of the value or of one element */
	bool is_signed;
	const struct part_value *parts; /* PARTS */
	unsigned nparts;
	const struct static_place *statics; /* all that expr and parts have */
	unsigned nstatics;
	bool is_pointee; /* not the pointer that was asked for, which is nowhere, but what it points to */
	bool at_entry;   /* registers and memory as they are at the function's entry */
	bool is_user;    /* STRING, ARRAY: user memory */
	uint32_t count;  /* ARRAY: elements; STRING: most bytes that belong to it, 0: no bound */
	bool is_whole;   /* STRING: all these bytes were asked for */
	const char *text;     /* RAW: the fetch without its type */
	const char *raw_type; /* RAW: the type as written, or NULL */
	const char *reason;   /* NONE */
};

/* Where the kernel is told to probe, and what a person calls the same place. */
struct site {
	bool is_return;
	bool is_exit;         /* of a return: one of the instructions where the function ends */
	unsigned exit_number; /* 0: the first of the function's */
	const char *module; /* NULL: the kernel itself */
	const char *path;   /* uprobes: the file; NULL for kprobes */
	const char *symbol; /* as written to the kernel, e.g. "_stext" for an ambiguous name */
	uint64_t offset;    /* from symbol; uprobes: file offset */
	const char *shown_symbol; /* the symbol the address lies in */
	uint64_t shown_offset;
	uint64_t address;     /* in the ELF file's own address space; 0 where unknown */
	bool has_address;
	const char *function; /* of the source language; the inlined one where inlined */
	const char *file;     /* or NULL */
	unsigned line;        /* 0 where unknown */
	unsigned asked_line;  /* of a pattern: the line's number as a place has it */
	bool inlined;
	/* Where a companion records what captures need of the entry, or NULL; and the canonical frame
	 * address here and there, by which the two hits of a call find each other. */
	const struct site *entry;
	const struct expr *frame;
	bool has_frame_register; /* frame_register + a constant is in the function's frame */
	uint64_t frame_register;
	const struct expr *entry_frame;
	const char *note; /* why this address, for -v, or NULL */
	struct capture *captures;
	unsigned ncaptures;
};

struct arch;

/* Sites of one spec: all of them, or a batch. */
struct sites {
	const struct spec *spec;
	struct site *sites;
	unsigned nsites;
	const char **warnings;
	unsigned nwarnings;
	const char **notes; /* for -v */
	unsigned nnotes;
	const struct arch *arch; /* NULL: only raw captures */
	/* What words of the filters mean to captures that have no names of their own. */
	const struct enumerator *constants;
	unsigned nconstants;
};

#endif
