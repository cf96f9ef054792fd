/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside spec/: a cursor over a stretch of the user's text, and errors that point into it. */
#ifndef SPEC_SCAN_H
#define SPEC_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define SPEC_TEXT_MAX 65535u /* bytes; far more than the kernel's 4094; offsets fit */

struct scan {
	struct arena *arena;
	const char *text; /* the whole text: errors show it, spans count from its start */
	unsigned pos;
	unsigned end;
};

/* ERROR_LIMIT for a text beyond SPEC_TEXT_MAX. */
struct error *scan_init(struct scan *scan, struct arena *arena, const char *text) must_check;
struct scan scan_within(const struct scan *scan, struct span span);

/* The character at pos (+ ahead); -1 at the end. */
int scan_peek(const struct scan *scan, unsigned ahead);
bool scan_eat(struct scan *scan, const char *text);
void scan_blanks(struct scan *scan);
/* Letters, digits and '_' from here on; may be empty. */
struct span scan_identifier(struct scan *scan);
/* The same, with what variables may have further on: a$b, and rest#1 of a pack. */
struct span scan_variable(struct scan *scan);
/* One blank-separated word, without the quotes that protect blanks in it; empty at the end. */
struct error *scan_word(struct scan *scan, struct span *ret) must_check;
/* The same for a place: a part of the word may stand in quotes, which stay. */
struct error *scan_place(struct scan *scan, struct span *ret) must_check;
/* The same for an argument: blanks between brackets belong to it, as in (struct sock *)x. */
struct error *scan_argument(struct scan *scan, struct span *ret) must_check;
/* A number in C's notation: decimal, 0x hex, 0 octal. what: names the number in the error;
 * prefix: the bytes before it that require one. */
struct error *scan_number(struct scan *scan, const char *what, struct span prefix, uint64_t max,
			  uint64_t *ret, struct span *span) must_check;
/* scan_number with a unit: k M G are powers of 1024, ns us ms s times in nanoseconds. */
struct error *scan_quantity(struct scan *scan, const char *what, struct span prefix, uint64_t max,
			    uint64_t *ret, struct span *span) must_check;
/* scan_number for a number that goes to the kernel as written: the kernel reads a leading 0 as
 * octal in some places and as decimal in others, so it is refused. */
struct error *scan_kernel_number(struct scan *scan, const char *what, struct span prefix,
				 uint64_t max, uint64_t *ret, struct span *span) must_check;

char *scan_copy(const struct scan *scan, struct span span);
/* The character at pos for an error message, in quotes. */
const char *scan_quote(const struct scan *scan);
struct span scan_rest(const struct scan *scan);
bool scan_is(const struct scan *scan, struct span span, const char *word);

struct error *scan_error(const struct scan *scan, struct span span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
struct error *scan_limit(const struct scan *scan, struct span span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static inline struct span span_of(unsigned start, unsigned end)
{
	return (struct span){start, end};
}

static inline unsigned span_length(struct span span)
{
	return span.end - span.start;
}

bool char_is_blank(int c);
bool char_is_digit(int c);
bool char_is_name(int c); /* of an identifier; bytes beyond ASCII count */
bool char_is_name_start(int c);
/* Returns the position after the quoted bytes that start at `at`; `end` if the quote is not
 * closed; at + 1 if there is no quote. */
unsigned text_skip_quotes(const char *text, unsigned at, unsigned end);
/* Whether few enough typing errors lie between them to ask "did you mean". */
bool word_is_near(const char *word, const char *wanted);

#endif
