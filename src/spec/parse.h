/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside spec/: the parts of a spec. Each function takes a cursor over one word and reads it to
 * its end. */
#ifndef SPEC_PARSE_H
#define SPEC_PARSE_H

#include "spec/scan.h"
#include "spec/spec.h"

/* Characters with a meaning in a place; a '\' before one takes it. */
#define PLACE_SPECIAL "=@+:;%"
#define PLACE_HINT "a place is FUNC, FUNC:LINE, FUNC+OFFSET, FUNC%return or FILE:LINE"
#define ANY_FILE "*" /* FUNC@*: only says that FUNC is not a file */

struct error *place_parse(struct scan *scan, struct place *place) must_check;
/* Up to the next unescaped character of PLACE_SPECIAL; "::" before a name belongs to the name. */
struct span place_part(struct scan *scan);
/* The length of the symbol at `at` in a C++ operator's name, as of "==" in "F::operator=="; 0:
 * there is none. start: of the name. */
unsigned operator_symbol(const char *text, unsigned start, unsigned at, unsigned end);
/* The length of a part of a function's name that may have blanks and any characters, at `at`: the
 * arguments of a template, as <short int>, or an anonymous namespace; 0: there is none. */
unsigned blank_part(const char *text, unsigned start, unsigned at, unsigned end);
struct error *place_function(const struct scan *scan, struct span span,
			     const char **ret) must_check;
struct error *place_file(const struct scan *scan, struct span span, const char **ret) must_check;
/* foreign.c: an error if the WORD of WORD:... is how another tool begins a place. */
struct error *place_foreign(const struct scan *scan, struct span head) must_check;
struct error *place_module(const struct scan *scan, struct span span, const char **ret) must_check;
/* The name that span means; unchanged text if it is malformed. */
const char *place_text(const struct scan *scan, struct span span);
/* Whether it is written like a path or a source file: FILE:LINE rather than FUNC:LINE. */
bool place_is_file(const char *name);
/* Whether "::" stands at `at`, followed by the start of a name: then it begins no :LINE. */
bool place_is_scope(const char *text, size_t end, size_t at);

struct error *want_parse(struct scan *scan, struct want *want) must_check;
/* args.c: the words after the place, up to the end or, of a pair's start, an ARROW, to which *arrow
 * is then set. */
struct error *args_parse(struct scan *scan, struct spec *spec, struct span *arrow) must_check;
/* pair.c: the words after the first place; `place` reads another place's first word. *ret: the
 * spec, or the end of its pair. */
typedef struct error *place_parser(struct scan *scan, struct spec *spec);
struct error *pair_parse(struct scan *scan, struct spec *spec, place_parser *place,
			 struct spec **ret) must_check;
/* aggregate.c: whether the word begins like an aggregate, NAME(... */
bool aggregate_starts(const struct scan *scan);
struct error *aggregate_parse(struct scan *scan, struct spec *spec) must_check;
struct error *key_parse(struct scan *scan, struct spec *spec) must_check;
/* Whether its base alone would be read as one of the named keys. */
bool want_is_key_name(const struct want *want);
/* Finds the spec's want that the word means, or adds it. is_inner: it stands in an aggregate or
 * a key. */
struct error *spec_take_want(const struct scan *scan, struct spec *spec, struct span word,
			     bool is_inner, unsigned *ret) must_check;
const char *aggregate_name(enum aggregate_kind kind);
/* print.c */
/* Base and steps alone. */
char *spec_print_path(struct arena *arena, const struct want *want);
char *aggregate_print(struct arena *arena, const struct spec *spec,
		      const struct aggregate *aggregate);
/* args.c: the word that begins keys. */
#define BY "by"
/* ON begins the names that join a pair, ARROW its end. */
#define ON "on"
#define ARROW "->"
/* pair.c: reads the names behind ON; *next: the word behind them. */
struct error *joins_parse(struct scan *scan, struct spec *spec, struct span on,
			  struct span *next) must_check;
/* Whether an aggregate's or key's want is a value of the start; *ret: its want in the end. */
bool pair_start_want(struct arena *arena, struct spec *spec, const struct want *want,
		     unsigned *ret);
/* Whether a value of the spec, or of its pair's start, has the NAME=. */
bool spec_has_name(const struct spec *spec, const char *name);
/* $duration, alone or with a type. */
bool want_is_duration(const struct want *want);
/* args.c: the index of the same want in the spec, or nwants. An ARG is never the same as another
 * ARG. */
unsigned find_want(struct arena *arena, const struct spec *spec, const struct want *want);
/* A variable with operators, or kernel syntax; sets kind, base and steps. */
struct error *expression_parse(struct scan *scan, struct want *want) must_check;
/* Reads the TYPE of (TYPE)x, from after its '(' to after its ')'. Returns NULL and leaves the
 * cursor if it can't be a type. *is_reference: it was written T &, and T * is returned. */
const char *cast_type(struct scan *scan, bool *is_reference);
/* Kernel fetch syntax up to its type or the end; sets base and base_span. */
struct error *raw_parse(struct scan *scan, struct want *want) must_check;
bool raw_starts(int c);
/* What follows ':'; colon is the ':' itself. Sets type and type_span. */
struct error *type_parse(struct scan *scan, struct span colon, struct want *want) must_check;

/* "p:...", "r:...", "r10:...", "p X", "r X": the length of the first word in bytes; 0: no pasted
 * definition. */
unsigned pasted_word(const char *text);

#endif
