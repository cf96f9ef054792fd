// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the words of -L: a function or a file, and its lines. A first line alone means from there
 * to the end.
 */
#include "spec/parse.h"

#include <limits.h>

static struct error *range_line(struct scan *scan, const char *what, struct span before,
				unsigned *ret)
{
	uint64_t value = 0;
	struct span span;
	struct error *error = scan_number(scan, what, before, INT_MAX, &value, &span);

	*ret = (unsigned)value;
	return error ? error_hint(scan->arena, error, "lines are FIRST, FIRST-LAST or FIRST+COUNT")
		     : NULL;
}

static struct error *range_last(struct scan *scan, struct line_range *range)
{
	struct span mark = span_of(scan->pos, scan->pos + 1);
	bool is_count = scan_peek(scan, 0) == '+';
	struct error *error;
	unsigned number;

	scan->pos++;
	error = range_line(scan, is_count ? "a count" : "the last line", mark, &number);
	if (error)
		return error;
	range->range_span.end = scan->pos;
	if (is_count && !number)
		return scan_error(scan, span_of(mark.end, scan->pos), "a count of no lines");
	if (!is_count && number < range->first)
		return error_hint(scan->arena,
				  scan_error(scan, range->range_span,
					     "the last line is before the first"),
				  "write %.*s%u-%u", (int)range->range_span.start, scan->text,
				  number, range->first);
	range->last = is_count ? range->first + number - 1 : number;
	return NULL;
}

static struct error *range_lines(struct scan *scan, struct line_range *range)
{
	struct span colon = span_of(scan->pos, scan->pos + 1);
	struct error *error;

	scan->pos++;
	range->has_range = true;
	error = range_line(scan, "a line", colon, &range->first);
	if (error)
		return error;
	range->range_span = span_of(colon.end, scan->pos);
	range->last = UINT_MAX;
	if (!range->function && !range->first)
		return scan_error(scan, range->range_span, "the lines of a file start at 1");
	if (scan_peek(scan, 0) == '-' || scan_peek(scan, 0) == '+')
		return range_last(scan, range);
	return NULL;
}

static struct error *range_unexpected(const struct scan *scan, const struct line_range *range)
{
	struct error *error = scan_error(scan, scan_rest(scan), "unexpected %s after '%s'",
					 scan_quote(scan), scan_copy(scan, span_of(0, scan->pos)));

	return error_hint(scan->arena, error, "write %s[:FIRST[-LAST|+COUNT]]",
			  range->function ? range->function : range->file);
}

static struct error *range_file(struct scan *scan, struct line_range *range)
{
	struct span at = span_of(scan->pos, scan->pos + 1);

	scan->pos++;
	range->file_span = place_part(scan);
	if (!span_length(range->file_span))
		return error_hint(scan->arena,
				  scan_error(scan, at, "a file is missing after '@'"),
				  "write %s@FILE", range->function);
	return place_file(scan, range->file_span, &range->file);
}

static struct error *range_module(const struct scan *scan, struct span head)
{
	const char *rest = scan_copy(scan, span_of(scan->pos + 1, scan->end));
	struct error *error = scan_error(scan, scan_rest(scan),
					 "a line is a number, not '%s'", rest);

	return error_hint(scan->arena, error, "for a function of a module: -m %s %s",
			  scan_copy(scan, head), rest);
}

static struct error *range_head(struct scan *scan, struct line_range *range)
{
	struct span head = place_part(scan);

	if (!span_length(head))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos, scan->pos + 1),
					     "a function or file is missing before %s",
					     scan_quote(scan)),
				  "write FUNC[:FIRST[-LAST|+COUNT]] or FILE[:FIRST[-LAST|+COUNT]]");
	if (place_is_file(place_text(scan, head))) {
		range->file_span = head;
		return place_file(scan, head, &range->file);
	}
	if (scan_peek(scan, 0) == ':' && char_is_name_start(scan_peek(scan, 1)))
		return range_module(scan, head);
	range->function_span = head;
	return place_function(scan, head, &range->function);
}

static struct error *range_word(struct scan *scan, struct line_range *range)
{
	struct error *error = range_head(scan, range);

	if (!error && range->function && scan_peek(scan, 0) == '@')
		error = range_file(scan, range);
	if (!error && scan_peek(scan, 0) == ':')
		error = range_lines(scan, range);
	if (!error && scan->pos < scan->end)
		error = range_unexpected(scan, range);
	return error;
}

struct error *spec_parse_range(struct arena *arena, const char *text, struct line_range **ret)
{
	struct line_range *range = arena_new(arena, struct line_range);
	struct scan scan, inner;
	struct span word;
	struct error *error = scan_init(&scan, arena, text);

	range->text = text;
	if (!error)
		error = scan_place(&scan, &word);
	if (error)
		return error;
	if (!span_length(word))
		return error_hint(arena, error_new(arena, ERROR_SYNTAX, "the function is missing"),
				  "write FUNC[:FIRST[-LAST|+COUNT]] or FILE[:FIRST[-LAST|+COUNT]]");
	inner = scan_within(&scan, word);
	error = range_word(&inner, range);
	scan_blanks(&scan);
	if (!error && scan.pos < scan.end)
		error = scan_error(&scan, scan_rest(&scan), "more than one function or file");
	if (!error)
		*ret = range;
	return error;
}
