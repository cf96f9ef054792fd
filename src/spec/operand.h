/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside spec/: one side of a filter's comparison, a name or a constant. */
#ifndef SPEC_OPERAND_H
#define SPEC_OPERAND_H

#include "spec/scan.h"

struct operand {
	struct span span;
	const char *field; /* a name or a path; or a constant: */
	const char *word;  /* a word: -ENOENT */
	const char *decimal; /* 1.5, 1e9: see struct filter */
	bool is_string;
	bool is_char; /* 'a': a number, unless a ~ makes it a string */
	bool is_negative;
	uint64_t number;
	const char *string;
};

struct error *operand_parse(struct scan *scan, struct operand *ret) must_check;
/* Adds what a comparison looks like, if the error has no better hint. */
struct error *operand_hint(const struct scan *scan, struct error *error);

#endif
