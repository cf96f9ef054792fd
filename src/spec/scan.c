// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits text into words, identifiers and numbers, each with its bytes. Quotes protect blanks only
 * where they surround a whole word, because raw kernel syntax has quotes of its own (\"text").
 */
#include "spec/parse.h"

#include <string.h>

#include "base/distance.h"

bool char_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool char_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

bool char_is_name_start(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

bool char_is_name(int c)
{
	return char_is_name_start(c) || char_is_digit(c);
}

struct error *scan_init(struct scan *scan, struct arena *arena, const char *text)
{
	size_t length = strlen(text);

	if (length > SPEC_TEXT_MAX)
		return error_new(arena, ERROR_LIMIT, "the text is %zu bytes long; the limit is %u",
				 length, SPEC_TEXT_MAX);
	*scan = (struct scan){.arena = arena, .text = text, .end = (unsigned)length};
	return NULL;
}

struct scan scan_within(const struct scan *scan, struct span span)
{
	struct scan inner = *scan;

	inner.pos = span.start;
	inner.end = span.end;
	return inner;
}

int scan_peek(const struct scan *scan, unsigned ahead)
{
	return ahead < scan->end - scan->pos ? (unsigned char)scan->text[scan->pos + ahead] : -1;
}

bool scan_eat(struct scan *scan, const char *text)
{
	unsigned length = (unsigned)strlen(text);

	if (length > scan->end - scan->pos || memcmp(scan->text + scan->pos, text, length))
		return false;
	scan->pos += length;
	return true;
}

void scan_blanks(struct scan *scan)
{
	while (char_is_blank(scan_peek(scan, 0)))
		scan->pos++;
}

struct span scan_identifier(struct scan *scan)
{
	unsigned start = scan->pos;

	while (char_is_name(scan_peek(scan, 0)))
		scan->pos++;
	return span_of(start, scan->pos);
}

struct span scan_variable(struct scan *scan)
{
	struct span name = scan_identifier(scan);

	if (!span_length(name))
		return name;
	while (scan_peek(scan, 0) == '$' || (scan_peek(scan, 0) == '#' &&
					     char_is_digit(scan_peek(scan, 1)))) {
		scan->pos++;
		name.end = scan_identifier(scan).end;
	}
	return name;
}

/* An unclosed quote extends to the end. */
unsigned text_skip_quotes(const char *text, unsigned at, unsigned end)
{
	const char *close;

	if (text[at] != '\'' && text[at] != '"')
		return at + 1;
	close = memchr(text + at + 1, text[at], end - at - 1);
	return close ? (unsigned)(close - text) + 1 : end;
}

/* Up to the next blank outside quotes and parts of a name that may have blanks; a quote that isn't
 * closed is an ordinary character. Behind a ';' comes the source's text. */
static struct span scan_quotable(struct scan *scan)
{
	unsigned start = scan->pos;
	bool is_name = true;
	int c;

	while ((c = scan_peek(scan, 0)) >= 0 && !char_is_blank(c)) {
		unsigned behind = text_skip_quotes(scan->text, scan->pos, scan->end);
		unsigned blank = is_name ?
			blank_part(scan->text, start, scan->pos, scan->end) : 0;

		is_name &= c != ';';
		scan->pos = blank ? scan->pos + blank :
			    scan->text[behind - 1] == c ? behind : scan->pos + 1;
	}
	return span_of(start, scan->pos);
}

/* Whether a quoted part comes first and a mark of the place follows it. */
static bool scan_is_partly_quoted(const struct scan *scan)
{
	unsigned behind = text_skip_quotes(scan->text, scan->pos, scan->end);

	return behind > scan->pos + 2 && behind < scan->end &&
	       strchr(":@+%;", scan->text[behind]);
}

struct error *scan_place(struct scan *scan, struct span *ret)
{
	int c;

	scan_blanks(scan);
	c = scan_peek(scan, 0);
	if ((c == '\'' || c == '"') && !scan_is_partly_quoted(scan))
		return scan_word(scan, ret);
	*ret = scan_quotable(scan);
	return NULL;
}

/* Up to the next blank outside brackets; *closed: all brackets are closed. */
static struct span scan_bracketed(struct scan *scan, bool *closed)
{
	unsigned start = scan->pos, depth = 0;
	int c;

	while ((c = scan_peek(scan, 0)) >= 0 && (depth || !char_is_blank(c))) {
		depth += c == '(';
		depth -= c == ')' && depth;
		scan->pos++;
	}
	*closed = !depth;
	return span_of(start, scan->pos);
}

struct error *scan_argument(struct scan *scan, struct span *ret)
{
	unsigned start;
	bool closed;

	scan_blanks(scan);
	start = scan->pos;
	if (scan_peek(scan, 0) == '\'' || scan_peek(scan, 0) == '"')
		return scan_word(scan, ret);
	*ret = scan_bracketed(scan, &closed);
	if (closed)
		return NULL;
	scan->pos = start;
	return scan_word(scan, ret);
}

static struct error *scan_quoted(struct scan *scan, struct span *ret)
{
	int quote = scan_peek(scan, 0);
	unsigned start = scan->pos++;
	struct span whole;
	int c;

	while ((c = scan_peek(scan, 0)) != quote && c >= 0)
		scan->pos++;
	whole = span_of(start, scan->pos);
	*ret = span_of(start + 1, scan->pos);
	if (c < 0)
		return error_hint(scan->arena,
				  scan_error(scan, whole, "the quote is not closed"),
				  "put a second %c at the end of the word", quote);
	whole.end++;
	if (!span_length(*ret))
		return scan_error(scan, whole, "nothing between the quotes");
	scan->pos++;
	if (scan_peek(scan, 0) < 0 || char_is_blank(scan_peek(scan, 0)))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, span_of(scan->pos, scan->pos + 1),
				     "%s after the closing quote", scan_quote(scan)),
			  "quotes go around a whole word");
}

struct error *scan_word(struct scan *scan, struct span *ret)
{
	int c;

	scan_blanks(scan);
	c = scan_peek(scan, 0);
	if (c == '\'' || c == '"')
		return scan_quoted(scan, ret);
	ret->start = scan->pos;
	while ((c = scan_peek(scan, 0)) >= 0 && !char_is_blank(c))
		scan->pos++;
	ret->end = scan->pos;
	return NULL;
}

static int digit_value(int c)
{
	if (char_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

struct error *scan_number(struct scan *scan, const char *what, struct span prefix, uint64_t max,
			  uint64_t *ret, struct span *span)
{
	unsigned base = 10, at;
	uint64_t value = 0;

	*span = scan_identifier(scan);
	at = span->start;
	if (!span_length(*span))
		return scan_error(scan, prefix, "%s is missing after '%s'", what,
				  scan_copy(scan, prefix));
	if (span_length(*span) > 2 && scan->text[at] == '0' && (scan->text[at + 1] | 0x20) == 'x') {
		base = 16;
		at += 2;
	} else if (scan->text[at] == '0' && (scan->text[at + 1] | 0x20) != 'x') {
		base = 8;
	}
	for (; at < span->end; at++) {
		unsigned digit = (unsigned)digit_value((unsigned char)scan->text[at]);

		if (digit >= base)
			return error_hint(scan->arena,
					  scan_error(scan, *span, "%s can't be '%s'", what,
						     scan_copy(scan, *span)),
					  base == 8 ? "after a 0 digits are octal" :
					  "numbers are decimal, or hexadecimal after 0x");
		if (value > (max - digit) / base || digit > max)
			return scan_error(scan, *span, "'%s' is too large for %s",
					  scan_copy(scan, *span), what);
		value = value * base + digit;
	}
	*ret = value;
	return NULL;
}

/* The unit after a decimal number; 1: none. */
static uint64_t unit_of(const struct scan *scan, struct span span)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {
		{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"k", 1u << 10},
		{"K", 1u << 10}, {"M", 1u << 20}, {"G", 1u << 30},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (scan_is(scan, span, units[i].name))
			return units[i].factor;
	return 0;
}

struct error *scan_quantity(struct scan *scan, const char *what, struct span prefix, uint64_t max,
			    uint64_t *ret, struct span *span)
{
	struct scan digits = *scan, whole = *scan;
	struct span word = scan_identifier(&whole), unit;
	struct error *error;
	uint64_t factor;

	while (char_is_digit(scan_peek(&digits, 0)))
		digits.pos++;
	unit = span_of(digits.pos, word.end);
	factor = digits.pos > word.start && span_length(unit) ? unit_of(scan, unit) : 0;
	if (!factor && span_length(unit) && unit.start > word.start &&
	    (scan->text[unit.start] | 0x20) != 'x' &&
	    char_is_name_start((unsigned char)scan->text[unit.start]))
		return error_hint(
			scan->arena,
			scan_error(scan, word, "%s can't be '%s'", what, scan_copy(scan, word)),
			"units are k, M and G, of 1024, and ns, us, ms and s, in nanoseconds");
	if (!factor)
		return scan_number(scan, what, prefix, max, ret, span);
	digits = scan_within(scan, span_of(word.start, unit.start));
	error = scan_number(&digits, what, prefix, max, ret, span);
	scan->pos = span->end = word.end;
	if (error || *ret <= max / factor) {
		*ret *= factor;
		return error;
	}
	return scan_error(scan, word, "'%s' is too large for %s", scan_copy(scan, word), what);
}

struct error *scan_kernel_number(struct scan *scan, const char *what, struct span prefix,
				 uint64_t max, uint64_t *ret, struct span *span)
{
	struct error *error = scan_number(scan, what, prefix, max, ret, span);

	if (error || span_length(*span) < 2 || scan->text[span->start] != '0' ||
	    !char_is_digit((unsigned char)scan->text[span->start + 1]))
		return error;
	return error_hint(scan->arena,
			  scan_error(scan, *span, "the kernel would read '%s' as octal",
				     scan_copy(scan, *span)),
			  "write %llu", (unsigned long long)*ret);
}

char *scan_copy(const struct scan *scan, struct span span)
{
	return arena_strndup(scan->arena, scan->text + span.start, span_length(span));
}

const char *scan_quote(const struct scan *scan)
{
	int c = scan_peek(scan, 0);

	if (c < 0)
		return "the end";
	if (c < 0x20 || c >= 0x7f)
		return arena_printf(scan->arena, "byte 0x%02x", (unsigned)c);
	return arena_printf(scan->arena, "'%c'", c);
}

struct span scan_rest(const struct scan *scan)
{
	return span_of(scan->pos, scan->end);
}

bool scan_is(const struct scan *scan, struct span span, const char *word)
{
	return span_length(span) == strlen(word) &&
	       !memcmp(scan->text + span.start, word, span_length(span));
}

static struct error *scan_verror(const struct scan *scan, enum error_code code, struct span span,
				 const char *format, va_list args)
{
	struct error *error = error_new(scan->arena, code, "%s",
					arena_vprintf(scan->arena, format, args));

	return error_at(error, scan->text, span);
}

struct error *scan_error(const struct scan *scan, struct span span, const char *format, ...)
{
	struct error *error;
	va_list args;

	va_start(args, format);
	error = scan_verror(scan, ERROR_SYNTAX, span, format, args);
	va_end(args);
	return error;
}

struct error *scan_limit(const struct scan *scan, struct span span, const char *format, ...)
{
	struct error *error;
	va_list args;

	va_start(args, format);
	error = scan_verror(scan, ERROR_LIMIT, span, format, args);
	va_end(args);
	return error;
}

bool word_is_near(const char *word, const char *wanted)
{
	size_t n = strlen(word), m = strlen(wanted);
	unsigned limit = m > 4 ? 3 : 2;

	return n && n <= m + 2 && edit_distance(word, wanted, limit) <= limit;
}
