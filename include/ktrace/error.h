/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What went wrong, as a value: a function that can fail returns a struct error *, NULL for
 * success. Errors live in the run's arena and are never freed one by one.
 */
#ifndef KTRACE_ERROR_H
#define KTRACE_ERROR_H

#include <stdbool.h>

/* What the caller or the user can do about it; main.c maps ERROR_USAGE to exit status 2. */
enum error_code {
	ERROR_USAGE = 1,     /* the command line is misused */
	ERROR_SYNTAX,        /* a spec or filter that can't be read */
	ERROR_NOT_FOUND,     /* no such function, line, variable, member, event, file */
	ERROR_AMBIGUOUS,     /* several things have that name: choose one */
	ERROR_NO_VALUE,      /* it is known, but has no value at this address */
	ERROR_INEXPRESSIBLE, /* neither the kernel nor a finish can compute its value */
	ERROR_LIMIT,         /* over one of the kernel's limits */
	ERROR_NO_DEBUGINFO,  /* debug information is missing or of another build */
	ERROR_REFUSED,       /* refused by the kernel, in the kernel's words */
	ERROR_SYSTEM,        /* a system call failed */
};

/* A half-open range of bytes of the text it belongs to. start == end: no span. */
struct span {
	unsigned start;
	unsigned end;
};

struct error {
	enum error_code code;
	const char *message; /* what failed; names in single quotes; no full stop */
	const char *hint;    /* the next thing to type, or NULL */
	const char *verb;    /* NULL, or a command follows the hint: its verb, */
	const char *operand; /* its operand (or NULL), then the options that name the target */
	const char *lacks;   /* the value that a filter tests and the spec doesn't have; or NULL */
	/* The hint's command is the user's own, with `operand` for this word. */
	const char *replaces;
	bool is_kernel_name; /* there is no such function in the kernel: it may be a program's */
	const char *text;    /* the user's own words, or NULL */
	struct span span;    /* the part of text that the caret marks */
};

#define must_check __attribute__((warn_unused_result))

#endif
