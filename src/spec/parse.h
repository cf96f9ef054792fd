/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside spec/: the parts of a spec. Each takes a cursor over one word and reads it to its end. */
#ifndef SPEC_PARSE_H
#define SPEC_PARSE_H

#include "spec/scan.h"
#include "spec/spec.h"

/* Characters with a meaning in a place; a '\' before one takes it. */
#define PLACE_SPECIAL "=@+:;%"
#define PLACE_HINT "a place is FUNC, FUNC:LINE, FUNC+OFFSET, FUNC%return or FILE:LINE"
#define ANY_FILE "*" /* FUNC@*: says only that FUNC is no file */

struct error *place_parse(struct scan *scan, struct place *place) must_check;
/* Up to the next unescaped character of PLACE_SPECIAL; "::" before a name belongs to the name. */
struct span place_part(struct scan *scan);
struct error *place_function(const struct scan *scan, struct span span,
			     const char **ret) must_check;
struct error *place_file(const struct scan *scan, struct span span, const char **ret) must_check;
/* foreign.c: WORD of WORD:... is perhaps what another tool says. */
struct error *place_foreign(const struct scan *scan, struct span head) must_check;
struct error *place_module(const struct scan *scan, struct span span, const char **ret) must_check;
/* The name that span means; as it stands where that is wrong. */
const char *place_text(const struct scan *scan, struct span span);
/* Written like a path or a source file: FILE:LINE rather than FUNC:LINE. */
bool place_is_file(const char *name);
/* "::" at at, followed by what starts a name: then it does not begin a :LINE. */
bool place_is_scope(const char *text, size_t end, size_t at);

struct error *want_parse(struct scan *scan, struct want *want) must_check;
/* A variable with operators, or kernel syntax; sets kind, base and steps. */
struct error *expression_parse(struct scan *scan, struct want *want) must_check;
/* TYPE of (TYPE)x from behind its '(' to behind its ')'. NULL, and the cursor where it was: what
 * stands there is no type. */
const char *cast_type(struct scan *scan);
/* Kernel fetch syntax up to its type or the end; sets base and base_span. */
struct error *raw_parse(struct scan *scan, struct want *want) must_check;
bool raw_starts(int c);
/* What follows ':', which is colon; sets type and type_span. */
struct error *type_parse(struct scan *scan, struct span colon, struct want *want) must_check;

/* "p:...", "r:...", "r10:...", "p X", "r X": bytes of the first word; 0: none of these. */
unsigned pasted_word(const char *text);

#endif
