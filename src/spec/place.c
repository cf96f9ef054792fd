// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the word of a place. All of perf's grammar is read. Whether `x:...` is a file, a function
 * or a module is told from the text alone: a '/' or a source suffix makes a file (core.c), any
 * other '.' is part of a function's name (tcp_check_oom.cold), and a ':' without a digit after it
 * makes a module.
 */
#include "spec/parse.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

static const char *place_kind_name(enum place_kind kind)
{
	switch (kind) {
	case PLACE_LINE:
		return "a line";
	case PLACE_OFFSET:
		return "an offset";
	case PLACE_RETURN:
		return "%return";
	case PLACE_PATTERN:
		return "a pattern";
	case PLACE_ADDRESS:
		return "an address";
	default:
		return "a function";
	}
}

/* A place has one of :LINE, +OFFSET, %return and ;PATTERN; start is where the next of them
 * begins. */
static struct error *place_set_kind(const struct scan *scan, struct place *place,
				    enum place_kind kind, unsigned start)
{
	struct error *error;

	if (place->kind == PLACE_FUNCTION) {
		place->kind = kind;
		return NULL;
	}
	if (place->kind == kind)
		return scan_error(scan, span_of(start, scan->end), "%s is given twice",
				  place_kind_name(kind));
	error = scan_error(scan, span_of(start, scan->end), "%s and %s exclude each other",
			   place_kind_name(place->kind), place_kind_name(kind));
	return error_hint(scan->arena, error, "write one of them: %s",
			  scan_copy(scan, span_of(place->span.start, start)));
}

/* FUNC:*: all lines. */
static bool place_is_all_lines(const struct scan *scan)
{
	return scan_peek(scan, 0) == ':' && scan_peek(scan, 1) == '*' && scan_peek(scan, 2) < 0;
}

/* After FUNC:FIRST: `-LAST`. */
static struct error *place_last_line(struct scan *scan, struct place *place)
{
	struct span mark = span_of(scan->pos, scan->pos + 1), span;
	uint64_t last = 0;
	struct error *error;

	if (!place->function || !scan_eat(scan, "-"))
		return NULL;
	error = scan_number(scan, "the last line", mark, INT_MAX, &last, &span);
	if (error)
		return error_hint(scan->arena, error, "write %s:FIRST-LAST, or %s:* for all lines",
				  place->function, place->function);
	place->line_span.end = span.end;
	place->last_line = (unsigned)last;
	if (last >= place->line)
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, place->line_span, "the last line is before the first"),
			  "write %s:%u-%u", place->function, place->last_line, place->line);
}

static struct error *place_line(struct scan *scan, struct place *place)
{
	struct span colon = span_of(scan->pos, scan->pos + 1);
	uint64_t line = 0;
	struct error *error;

	if (place->function && place_is_all_lines(scan)) {
		place->line_span = span_of(scan->pos + 1, scan->end);
		place->last_line = UINT_MAX;
		scan->pos = scan->end;
		return NULL;
	}
	scan->pos++;
	if (scan_peek(scan, 0) == '-' || scan_peek(scan, 0) == '+')
		return error_hint(scan->arena,
				  scan_error(scan, scan_rest(scan), "a line is not %s",
					     scan_peek(scan, 0) == '-' ? "negative" : "an offset"),
				  "%s", place->function ?
				  "lines count from the function's declaration, which is line 0" :
				  "the first line of a file is 1");
	error = scan_number(scan, "a line", colon, INT_MAX, &line, &place->line_span);
	if (error && place->file && char_is_name_start((unsigned char)scan->text[colon.end]))
		error->hint = place->file[0] == '/' ?
			arena_printf(scan->arena, "of a program: -x %s and the function alone",
				     place->file) :
			arena_printf(scan->arena, "a function of a file is %s@%s",
				     scan_copy(scan, place->line_span), place->file);
	if (error)
		return error_hint(scan->arena, error, "write %s:LINE, a number",
				  place->function ? place->function : place->file);
	place->line = place->last_line = (unsigned)line;
	return place_last_line(scan, place);
}

static struct error *place_offset(struct scan *scan, struct place *place)
{
	struct span plus = span_of(scan->pos, scan->pos + 1);
	struct error *error;

	scan->pos++;
	if (scan_peek(scan, 0) == '-')
		return scan_error(scan, scan_rest(scan), "an offset is not negative");
	error = scan_number(scan, "an offset", plus, UINT64_MAX, &place->offset,
			    &place->offset_span);
	return error ? error_hint(scan->arena, error, "write %s+BYTES, e.g. %s+0x10",
				  place->function, place->function)
		     : NULL;
}

static struct error *place_return(struct scan *scan, struct place *place)
{
	unsigned start = scan->pos++;
	struct span word = scan_identifier(scan);
	struct error *error;
	const char *text = scan_copy(scan, word);

	if (scan_is(scan, word, "return"))
		return NULL;
	word.start = start;
	error = *text ? scan_error(scan, word, "unknown '%%%s' after '%s'", text, place->function) :
		scan_error(scan, word, "'return' is missing after '%%'");
	if (!*text || word_is_near(text, "return") || !strcasecmp(text, "return"))
		return error_hint(scan->arena, error, "did you mean %s%%return", place->function);
	return error_hint(scan->arena, error, "only %%return can follow a function");
}

static struct error *place_in_file(struct scan *scan, struct place *place)
{
	unsigned at = scan->pos++;

	if (place->file)
		return scan_error(scan, span_of(at, scan->end), "a file is given twice");
	if (scan_peek(scan, 0) == '@')
		scan->pos++; /* nm marks a default version by a second @: resolve/ knows which
			      * that is */
	place->file_span = place_part(scan);
	if (!span_length(place->file_span))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(at, at + 1),
					     "a file is missing after '@'"),
				  "write %s@FILE, e.g. %s@core.c", place->function,
				  place->function);
	return place_file(scan, place->file_span, &place->file);
}

/* All the rest of the word is the pattern. Blanks mean nothing in it, so they are removed here. */
static struct error *place_pattern(struct scan *scan, struct place *place)
{
	struct span mark = span_of(scan->pos, scan->pos + 1);
	char *pattern = arena_alloc(scan->arena, scan->end - scan->pos);
	size_t n = 0;

	for (unsigned i = mark.end; i < scan->end; i++)
		if (!char_is_blank((unsigned char)scan->text[i]))
			pattern[n++] = scan->text[i];
	scan->pos = scan->end;
	place->pattern = pattern;
	place->pattern_span = span_of(mark.end, scan->end);
	if (n)
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, mark, "a pattern is missing after ';'"),
			  "it matches a whole line, as in %s;*size*",
			  place->function ? place->function : place->file);
}

static struct error *place_unexpected(const struct scan *scan)
{
	struct error *error;

	error = scan_error(scan, span_of(scan->pos, scan->pos + 1), "unexpected %s in a place",
			   scan_quote(scan));
	if (scan_peek(scan, 0) == '=')
		error_hint(scan->arena, error, "one EVENT= may go in front; in a name it is \\=");
	return error;
}

/* A module with a line or a file would say twice which function is meant: use -m instead. */
static struct error *place_suffix(struct scan *scan, struct place *place)
{
	static const enum place_kind kinds[] = {
		['+'] = PLACE_OFFSET, [':'] = PLACE_LINE, ['%'] = PLACE_RETURN,
		[';'] = PLACE_PATTERN};
	unsigned start = scan->pos;
	int c = scan_peek(scan, 0);
	struct error *error;

	if (place->module && (c == ':' || c == '@' || c == ';'))
		return error_hint(scan->arena,
				  scan_error(scan, scan_rest(scan), "%s can't follow MODULE:FUNC",
					     c == ':' ? "a line" : c == '@' ? "a file" :
					     "a pattern"),
				  "use -m %s and leave '%s:' out", place->module, place->module);
	if (c == '@')
		return place_in_file(scan, place);
	if (c != '+' && c != ':' && c != '%' && c != ';')
		return place_unexpected(scan);
	error = c == '+' ? place_offset(scan, place) : c == ':' ? place_line(scan, place) :
		c == ';' ? place_pattern(scan, place) : place_return(scan, place);
	return error ? error : place_set_kind(scan, place, kinds[c], start);
}

/* What follows FILE:LINE: of a range, `ktrace lines` knows the lines with code. */
static struct error *place_file_rest(struct scan *scan, const struct place *place)
{
	struct span rest = scan_rest(scan);
	struct error *error =
		scan_error(scan, rest, "%s can't follow FILE:LINE", scan_quote(scan));
	struct span from_file = span_of(place->file_span.start, rest.end);

	if (scan_peek(scan, 0) == '-' && char_is_digit(scan_peek(scan, 1)))
		return error_command(scan->arena, error, "lines", scan_copy(scan, from_file),
				     "one line is probed at a time; those with code");
	return error_hint(scan->arena, error, "write %s:%u", place->file, place->line);
}

/* "shop.cart.h" may be a function of D's, which can also be written shop.cart::h. */
static struct error *needs_line(const struct scan *scan, const struct place *place)
{
	struct error *error = scan_error(scan, place->file_span, "the file '%s' needs a line",
					 place->file);
	const char *dot = strrchr(place->file, '.');

	return strchr(place->file, '/') || strchr(place->file, '.') == dot ?
		       error_hint(scan->arena, error, "write %s:LINE", place->file) :
		       error_hint(scan->arena, error,
				  "write %s:LINE; a function of that name, as in D, is %.*s::%s",
				  place->file, (int)(dot - place->file), place->file, dot + 1);
}

static struct error *place_file_line(struct scan *scan, struct place *place)
{
	struct error *error;

	place->kind = PLACE_FILE;
	if (scan_peek(scan, 0) < 0)
		return needs_line(scan, place);
	if (scan_peek(scan, 0) == ';') {
		place->kind = PLACE_PATTERN;
		return place_pattern(scan, place);
	}
	if (scan_peek(scan, 0) != ':')
		return error_hint(scan->arena,
				  scan_error(scan, scan_rest(scan), "%s can't follow the file '%s'",
					     scan_quote(scan), place->file),
				  "write %s:LINE or FUNC@%s", place->file, place->file);
	error = place_line(scan, place);
	if (error)
		return error;
	if (scan->pos < scan->end)
		return place_file_rest(scan, place);
	if (!place->line)
		return scan_error(scan, place->line_span, "the lines of a file start at 1");
	return NULL;
}

static struct error *place_head(struct scan *scan, struct place *place, struct span head)
{
	int next = scan_peek(scan, 1);
	struct error *error;

	if (scan_peek(scan, 0) == ':' && next >= 0 && next != ':' && !char_is_digit(next) &&
	    next != '-' && next != '+' && !place_is_all_lines(scan)) {
		error = place_foreign(scan, head);
		if (!error)
			error = place_module(scan, head, &place->module);
		if (error)
			return error;
		scan->pos++;
		head = place_part(scan);
		if (!span_length(head))
			return scan_error(scan, span_of(head.start, head.start + 1),
					  "a function is missing after '%s:'", place->module);
	}
	place->function_span = head;
	return place_function(scan, head, &place->function);
}

/* 0xADDRESS[%return]: an address takes nothing else. */
static struct error *place_address(struct scan *scan, struct place *place)
{
	unsigned start = scan->pos;
	struct error *error = scan_number(scan, "an address", scan_rest(scan), UINT64_MAX,
					  &place->address, &place->function_span);

	if (error)
		return error;
	place->has_address = true;
	place->kind = PLACE_ADDRESS;
	place->function = arena_printf(scan->arena, "0x%llx", (unsigned long long)place->address);
	if (scan->pos == scan->end)
		return NULL;
	if (scan_peek(scan, 0) != '%')
		return error_hint(scan->arena,
				  scan_error(scan, scan_rest(scan), "%s can't follow an address",
					     scan_quote(scan)),
				  "write %s, or %s%%return",
				  scan_copy(scan, span_of(start, scan->pos)),
				  scan_copy(scan, span_of(start, scan->pos)));
	error = place_return(scan, place);
	place->kind = PLACE_RETURN;
	if (!error && scan->pos < scan->end)
		error = place_unexpected(scan);
	return error;
}

/* 0x12.c and 0x12-core.c are files, not addresses. */
static bool place_is_address(const struct scan *scan)
{
	unsigned n = 2;
	int c;

	if (scan_peek(scan, 0) != '0' || (scan_peek(scan, 1) | 0x20) != 'x')
		return false;
	while ((c = scan_peek(scan, n)) > 0 && strchr("0123456789abcdefABCDEF", c))
		n++;
	return n > 2 && (c < 0 || strchr(PLACE_SPECIAL, c));
}

/* FUNC@*: a function, even if it looks like a file. */
static bool place_is_any_file(const struct scan *scan)
{
	return scan_peek(scan, 0) == '@' && scan_peek(scan, 1) == '*' &&
	       (scan_peek(scan, 2) < 0 || strchr(PLACE_SPECIAL, scan_peek(scan, 2)));
}

struct error *place_parse(struct scan *scan, struct place *place)
{
	struct error *error;
	struct span head;

	place->span = scan_rest(scan);
	if (place_is_address(scan))
		return place_address(scan, place);
	head = place_part(scan);
	if (!span_length(head))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos, scan->pos + 1),
					     "a function or file is missing before %s",
					     scan_quote(scan)),
				  "%s", PLACE_HINT);
	if (place_is_file(place_text(scan, head)) && !place_is_any_file(scan)) {
		place->file_span = head;
		error = place_file(scan, head, &place->file);
		return error ? error : place_file_line(scan, place);
	}
	error = place_head(scan, place, head);
	while (!error && scan->pos < scan->end)
		error = place_suffix(scan, place);
	if (!error && place->file && !strcmp(place->file, ANY_FILE)) {
		place->file = NULL;
		place->file_span = span_of(0, 0);
	}
	return error;
}
