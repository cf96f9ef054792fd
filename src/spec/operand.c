// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses a name, number, character or string of a filter. Strings have no escapes, as the kernel's
 * have none: a string that contains one kind of quote is written in the other.
 */
#include "spec/operand.h"

#include <string.h>

#include "base/real.h"

struct error *operand_hint(const struct scan *scan, struct error *error)
{
	return error_hint(scan->arena, error,
			  "write NAME OP CONSTANT, e.g. size > 1000 && pages == 3");
}

static int char_escape(int c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '0':
		return 0;
	case '\\':
		return '\\';
	}
	return -1;
}

static void operand_character(struct operand *operand)
{
	const char *text = operand->string;
	size_t length = strlen(text);

	if (length == 1)
		operand->number = (unsigned char)*text;
	else if (length == 2 && *text == '\\' && char_escape(text[1]) >= 0)
		operand->number = (unsigned)char_escape(text[1]);
	else
		return;
	operand->is_char = true;
	operand->is_string = false;
}

static struct error *operand_string(struct scan *scan, struct operand *operand)
{
	char quote = scan->text[scan->pos++];
	const char *start = scan->text + scan->pos;
	const char *end = memchr(start, quote, scan->end - scan->pos);

	if (!end)
		return error_hint(scan->arena,
				  scan_error(scan, span_of(operand->span.start, scan->end),
					     "the quote is not closed"),
				  "put a second %c at the end", quote);
	scan->pos += (unsigned)(end - start) + 1;
	operand->is_string = true;
	operand->string = arena_strndup(scan->arena, start, (size_t)(end - start));
	if (quote == '\'')
		operand_character(operand);
	return NULL;
}

/* The length of a number with a point or an exponent; 0: not such a number. */
static unsigned decimal_length(const char *text)
{
	bool is_hex = text[0] == '0' && (text[1] | 0x20) == 'x', is_decimal = false;
	const char *at = text, *digits = text + strspn(text, "0123456789.");

	for (; char_is_name(*at) || *at == '.'; at++) {
		bool is_exponent = is_hex ? (*at | 0x20) == 'p' :
					    (*at | 0x20) == 'e' && at == digits;

		is_decimal |= *at == '.' || is_exponent;
		if (is_exponent && (at[1] == '-' || at[1] == '+'))
			at++;
	}
	return is_decimal ? (unsigned)(at - text) : 0;
}

/* In C's notation, with or without C's suffix. */
static struct error *operand_decimal(struct scan *scan, struct operand *operand, unsigned start,
				     unsigned length)
{
	struct span span = span_of(start, scan->pos + length);
	char *text = scan_copy(scan, span);
	size_t end = strlen(text) - 1;
	long double number;

	scan->pos += length;
	if (strchr("fFlL", text[end]) && !strpbrk(text, "xX"))
		text[end] = '\0';
	operand->decimal = text;
	if (real_parse(text, 0, &number))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, span, "a number can't be '%s'", scan_copy(scan, span)),
			  "decimals are written 0.5 or 1.5e-3%s",
			  strchr(text, '.') != strrchr(text, '.') ?
				  "; an address goes in quotes: \"10.0.0.1\"" :
				  "");
}

/* The length of 10ms or 1.5s, which is a number of ns; 0: not such a time. */
static unsigned time_length(const char *text, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	size_t whole = strspn(text, "0123456789"), at = whole;
	uint64_t number = 0, scale;

	at += text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
	for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t length = strlen(units[i].name);

		if (!whole || whole > 9 || strncmp(text + at, units[i].name, length) ||
		    char_is_name(text[at + length]))
			continue;
		for (size_t j = 0; j < whole; j++)
			number = number * 10 + (uint64_t)(text[j] - '0') * units[i].ns;
		scale = units[i].ns;
		for (size_t j = whole + 1; j < at; j++)
			number += (uint64_t)(text[j] - '0') * (scale /= 10);
		*ret = number;
		return (unsigned)(at + length);
	}
	return 0;
}

static struct error *operand_number(struct scan *scan, struct operand *operand)
{
	unsigned start = scan->pos;
	bool negative = scan_eat(scan, "-");
	unsigned length = decimal_length(scan->text + scan->pos);
	struct span digits;
	struct error *error;

	if (time_length(scan->text + scan->pos, &operand->number) && !negative) {
		scan->pos += time_length(scan->text + scan->pos, &operand->number);
		return NULL;
	}
	if (length)
		return operand_decimal(scan, operand, start, length);
	error = scan_quantity(scan, "a number", span_of(start, scan->pos),
			      negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX, &operand->number,
			      &digits);
	operand->is_negative = negative && operand->number;
	if (negative)
		operand->number = -operand->number;
	return error ? operand_hint(scan, error) : NULL;
}

/* The length of 10.0.0.1, fe80::1 or 02:42:ac:11:00:02, also with a port; 0: no such address. */
static unsigned address_length(const char *text)
{
	unsigned length = (unsigned)strspn(text, "0123456789abcdefABCDEF:."), points = 0,
		 colons = 0;

	for (unsigned i = 0; i < length; i++) {
		points += text[i] == '.';
		colons += text[i] == ':';
	}
	if (char_is_name((unsigned char)text[length]) || (points == 3 && text[length - 1] == '.'))
		return 0;
	return points == 3 || (colons >= 2 && !points) ? length : 0;
}

/* NAME, or a path as a spec writes it: NAME->MEMBER.MEMBER[N]. */
static void operand_path(struct scan *scan, struct operand *operand)
{
	scan_variable(scan);
	for (;;) {
		const char *at = scan->text + scan->pos;
		unsigned mark = at[0] == '-' && at[1] == '>' ? 2 : at[0] == '.' ? 1 : 0;
		size_t digits = at[0] == '[' ? strspn(at + 1, "0123456789") : 0;

		if (mark && char_is_name_start(scan_peek(scan, mark))) {
			scan->pos += mark;
			scan_variable(scan);
		} else if (digits && at[1 + digits] == ']') {
			scan->pos += (unsigned)digits + 2;
		} else {
			break;
		}
	}
	operand->field = scan_copy(scan, span_of(operand->span.start, scan->pos));
}

struct error *operand_parse(struct scan *scan, struct operand *operand)
{
	int c = scan_peek(scan, 0);
	unsigned address = c < 0 ? 0 : address_length(scan->text + scan->pos);
	struct error *error = NULL;

	*operand = (struct operand){.span = scan_rest(scan)};
	if (address) {
		operand->is_string = true;
		operand->string = scan_copy(scan, span_of(scan->pos, scan->pos + address));
		scan->pos += address;
	} else if (char_is_name_start(c)) {
		operand_path(scan, operand);
	} else if (c == '\'' || c == '"') {
		error = operand_string(scan, operand);
	} else if (c == '-' && char_is_name_start(scan_peek(scan, 1))) {
		scan->pos++;
		scan_identifier(scan);
		operand->word = scan_copy(scan, span_of(operand->span.start, scan->pos));
	} else if (char_is_digit(c) || c == '-' ||
		   (c == '.' && char_is_digit(scan_peek(scan, 1)))) {
		error = operand_number(scan, operand);
	} else {
		bool at_end = c < 0;
		struct span span = span_of(scan->pos - at_end, scan->pos + !at_end);

		error = scan_error(scan, span, "a name or a constant is missing before %s",
				   scan_quote(scan));
		if (c == '$')
			error_hint(scan->arena, error,
				   "a filter takes comm, pid, cpu, or the NAME of a NAME=..., "
				   "without '$'");
		operand_hint(scan, error);
	}
	operand->span.end = scan->pos;
	return error;
}
