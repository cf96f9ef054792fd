// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks kernel fetch syntax, and returns it unchanged, so that a missing bracket or a wrong
 * register is found under the user's caret. Nesting is counted, not recursed into: dereferences
 * open from the left and all close at the right.
 */
#include "spec/parse.h"

#include <string.h>

bool raw_starts(int c)
{
	return c > 0 && strchr("%$@+-\\", c);
}

/* The '(' that the next ')' would close; `left` are open. */
static struct span raw_open(const struct scan *scan, unsigned start, unsigned left)
{
	for (unsigned i = start; i < scan->end; i++)
		if (scan->text[i] == '(' && !--left)
			return span_of(i, i + 1);
	return span_of(start, scan->end);
}

/* +OFFSET( or +uOFFSET( */
static struct error *raw_deref(struct scan *scan)
{
	unsigned start = scan->pos++;
	struct error *error;
	struct span span;
	uint64_t offset;

	scan_eat(scan, "u");
	/* the kernel takes 64 bits and keeps 32 */
	error = scan_kernel_number(scan, "an offset", span_of(start, scan->pos), INT32_MAX, &offset,
				   &span);
	if (error)
		return error_hint(scan->arena, error, "memory is +OFFSET(WHERE), e.g. +8(%%di)");
	if (scan_eat(scan, "("))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, span_of(start, scan->pos), "'(' is missing after '%s'",
				     scan_copy(scan, span_of(start, scan->pos))),
			  "memory is +OFFSET(WHERE), e.g. +8(%%di)");
}

static struct error *raw_register(struct scan *scan)
{
	unsigned start = scan->pos++;

	if (span_length(scan_identifier(scan)))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, span_of(start, start + 1),
				     "a register is missing after '%%'"),
			  "registers are written %%di, %%si, %%ax, %%r8");
}

static bool raw_is_numbered(const struct scan *scan, struct span name, const char *word,
			    bool from_one)
{
	unsigned length = (unsigned)strlen(word);

	if (span_length(name) <= length || memcmp(scan->text + name.start, word, length))
		return false;
	for (unsigned i = name.start + length; i < name.end; i++)
		if (!char_is_digit((unsigned char)scan->text[i]))
			return false;
	return !from_one || scan->text[name.start + length] != '0';
}

static struct error *raw_unknown_special(const struct scan *scan, struct span span)
{
	static const char *const later[] = {"$duration", "$arg"};
	struct error *error;

	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++)
		if (scan_is(scan, span, later[i]) &&
		    (i < 1 || scan_peek(scan, 0) == '*'))
			return error_hint(scan->arena,
					  scan_error(scan, span, "'%s' is not supported yet",
						     i < 1 ? later[i] : "$arg*"),
					  "name each value, or all with $params");
	error = scan_error(scan, span, "unknown '%s'", scan_copy(scan, span));
	return error_hint(
		scan->arena, error,
		"there are $retval, $comm, $current, $duration, $params, $vars, $line, $function, "
		"$kstack, $ustack, $stack, $stackN and $argN (N from 1)");
}

static struct error *raw_special(struct scan *scan)
{
	unsigned start = scan->pos++;
	struct span name = scan_identifier(scan);

	if (scan_is(scan, name, "retval") || scan_is(scan, name, "comm") ||
	    scan_is(scan, name, "stack") || raw_is_numbered(scan, name, "stack", false) ||
	    raw_is_numbered(scan, name, "arg", true))
		return NULL;
	return raw_unknown_special(scan, span_of(start, name.end));
}

/* @SYMBOL[+OFFSET|-OFFSET], @ADDRESS, @+OFFSET */
static struct error *raw_memory(struct scan *scan)
{
	unsigned start = scan->pos++;
	struct span span;
	uint64_t value;

	if (char_is_digit(scan_peek(scan, 0)))
		return scan_kernel_number(scan, "an address", span_of(start, scan->pos), UINT64_MAX,
					  &value, &span);
	while (char_is_name(scan_peek(scan, 0)) || scan_peek(scan, 0) == '.' ||
	       scan_peek(scan, 0) == '$')
		scan->pos++;
	if (scan_peek(scan, 0) != '+' && (scan_peek(scan, 0) != '-' || scan->pos == start + 1)) {
		if (scan->pos > start + 1)
			return NULL;
		return error_hint(scan->arena,
				  scan_error(scan, span_of(start, start + 1),
					     "a symbol or an address is missing after '@'"),
				  "e.g. @jiffies or @jiffies+8");
	}
	scan->pos++;
	return scan_kernel_number(scan, "an offset", span_of(scan->pos - 1, scan->pos), INT64_MAX,
				  &value, &span);
}

/* \NUMBER or \"text" */
static struct error *raw_immediate(struct scan *scan)
{
	unsigned start = scan->pos++;
	struct span span;
	uint64_t value;
	int c;

	if (!scan_eat(scan, "\"")) {
		bool negative = scan_eat(scan, "-");

		return scan_kernel_number(scan, "a number", span_of(start, scan->pos),
				   negative ? INT64_MAX : UINT64_MAX, &value, &span);
	}
	while ((c = scan_peek(scan, 0)) != '"' && c > ' ')
		scan->pos++;
	if (scan_eat(scan, "\""))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, span_of(start, scan->pos), "the text is not closed"),
			  "a constant text is \\\"word\", without blanks");
}

static struct error *raw_base(struct scan *scan, unsigned start)
{
	switch (scan_peek(scan, 0)) {
	case '%':
		return raw_register(scan);
	case '$':
		return raw_special(scan);
	case '@':
		return raw_memory(scan);
	case '\\':
		return raw_immediate(scan);
	}
	if (scan->pos < scan->end && scan_peek(scan, 0) != ')')
		return error_hint(scan->arena,
				  scan_error(scan, scan_rest(scan),
					     "'%s' is not the kernel's syntax for a value",
					     scan_copy(scan, scan_rest(scan))),
				  "a register is %%di, a symbol @jiffies; a variable's member is "
				  "VAR->MEMBER");
	return error_hint(scan->arena,
			  scan_error(scan, span_of(scan->pos - 1, scan->pos),
				     "nothing behind '%s'",
				     scan_copy(scan, span_of(start, scan->pos))),
			  "memory is +OFFSET(WHERE), e.g. +8(%%di)");
}

struct error *raw_parse(struct scan *scan, struct want *want)
{
	unsigned start = scan->pos, depth = 0;
	struct error *error = NULL;

	want->kind = WANT_RAW;
	while (!error && (scan_peek(scan, 0) == '+' || scan_peek(scan, 0) == '-')) {
		error = raw_deref(scan);
		depth++;
	}
	if (!error)
		error = raw_base(scan, start);
	if (error)
		return error;
	while (depth && scan_eat(scan, ")"))
		depth--;
	if (depth)
		return error_hint(scan->arena,
				  scan_error(scan, raw_open(scan, start, depth),
					     "the '(' is not closed"),
				  "a ')' is missing before %s", scan_quote(scan));
	want->base_span = span_of(start, scan->pos);
	want->base = scan_copy(scan, want->base_span);
	return NULL;
}
