/* SPDX-License-Identifier: GPL-2.0-only */
/* The interface of spec/: turns the user's text into structs and back. Knows no file and no
 * kernel. */
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H

#include "base/arena.h"
#include "ktrace/spec.h"

/* `[[GROUP/]EVENT=]PLACE [ARG...] [by KEY...]`, where an ARG may be an aggregate, `sum(E)`, or a
 * pair, `PLACE [ARG...] -> PLACE [ARG...] [on NAME...] [by KEY...]`: *ret is its end. Also reads a
 * pasted definition, `p:GROUP/EVENT [MODULE:]SYMBOL+OFFSET ARG...`, as ktrace -D and kprobe_events
 * print it. text must outlive the spec and its errors, which point into it. Errors: ERROR_SYNTAX
 * with a span; ERROR_LIMIT. */
struct error *spec_parse(struct arena *arena, const char *text, struct spec **ret) must_check;

/* PLACE alone, for -V and the like. */
struct error *spec_parse_place(struct arena *arena, const char *text,
			       struct spec **ret) must_check;

/* The same of -e, where a PLACE is SYSTEM:EVENT and an E is a field's name. Without a ':' the group
 * is NULL, and resolve/ reports what was probably meant. */
struct error *spec_parse_event(struct arena *arena, const char *text,
			       struct spec **ret) must_check;

/* The canonical text: spec_parse(spec_print(x)) prints the same again. */
char *spec_print(struct arena *arena, const struct spec *spec);
char *spec_print_want(struct arena *arena, const struct want *want);

/* -L */
struct error *spec_parse_range(struct arena *arena, const char *text,
			       struct line_range **ret) must_check;

/* The expression of --filter. Binding: ! over comparison over && over ||. */
struct error *filter_parse(struct arena *arena, const char *text,
			   const struct filter **ret) must_check;
char *filter_print(struct arena *arena, const struct filter *filter);

#endif
