// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses a whole spec. A first word `p:...` or `r:...` makes it a pasted definition, whose event
 * comes before the place in a word of its own; everything else is the same.
 */
#include "spec/parse.h"

#include <string.h>

#include "ktrace/caps.h"

/* The name with '_' for each character that an identifier can't have. */
static const char *event_suggest(const struct scan *scan, struct span span)
{
	char *name = scan_copy(scan, span);

	for (char *c = name; *c; c++)
		if (!char_is_name((unsigned char)*c) || (*c & 0x80))
			*c = '_';
	return char_is_digit((unsigned char)*name) ? arena_printf(scan->arena, "_%s", name) : name;
}

static bool event_is_name(const struct scan *scan, struct span span, bool is_group)
{
	for (unsigned i = span.start; i < span.end; i++) {
		int c = (unsigned char)scan->text[i];

		if (c >= 0x80 || (!char_is_name(c) && !(is_group && c == '-' && i > span.start)))
			return false;
	}
	return !char_is_digit((unsigned char)scan->text[span.start]);
}

static struct error *event_name(const struct scan *scan, struct span span, bool is_group,
				const char **ret)
{
	const char *what = is_group ? "group" : "event";
	struct error *error;

	if (!span_length(span)) {
		unsigned at = span.start == scan->end ? span.start - 1 : span.start;

		error = scan_error(scan, span_of(at, at + 1), "the %s's name is missing", what);
		return error_hint(scan->arena, error, "write GROUP/EVENT=PLACE or EVENT=PLACE");
	}
	if (span_length(span) > KERNEL_NAME_MAX)
		return scan_limit(scan, span,
				  "the %s's name is %u characters long; the kernel takes %u", what,
				  span_length(span), KERNEL_NAME_MAX);
	if (!event_is_name(scan, span, is_group)) {
		error = scan_error(scan, span, "'%s' can't be an %s name", scan_copy(scan, span),
				   is_group ? "event group's" : "event's");
		return error_hint(scan->arena, error, "letters, digits and '_': %s",
				  event_suggest(scan, span));
	}
	*ret = scan_copy(scan, span);
	return NULL;
}

/* [GROUP/]EVENT, or perf's GROUP:EVENT. */
static struct error *event_parse(const struct scan *scan, struct spec *spec)
{
	struct error *error;
	unsigned at = scan->pos;

	while (at < scan->end && scan->text[at] != '/' && scan->text[at] != ':')
		at++;
	spec->event_span = scan_rest(scan);
	if (at < scan->end) {
		spec->group_span = span_of(scan->pos, at);
		spec->event_span.start = at + 1;
		error = event_name(scan, spec->group_span, true, &spec->group);
		if (error)
			return error;
	}
	return event_name(scan, spec->event_span, false, &spec->event);
}

/* EVENT= before the place, if the first unescaped '=' comes before any other special character. */
static struct error *event_prefix(struct scan *scan, struct spec *spec)
{
	unsigned at = scan->pos, length, symbol;
	struct scan name;
	struct error *error;

	while (at < scan->end &&
	       ((symbol = operator_symbol(scan->text, scan->pos, at, scan->end)) ||
		!strchr("=@+;%", scan->text[at])))
		at = symbol ? at + symbol : scan->text[at] == '\\' && at + 1 < scan->end ? at + 2 :
		     text_skip_quotes(scan->text, at, scan->end);
	if (at == scan->end || scan->text[at] != '=')
		return NULL;
	name = scan_within(scan, span_of(scan->pos, at));
	length = scan->end - at - 1;
	scan->pos = at + 1;
	if (name.pos == name.end)
		return event_name(scan, span_of(at, at), false, &spec->event);
	error = event_parse(&name, spec);
	if (error || length)
		return error;
	return error_hint(scan->arena,
			  scan_error(scan, span_of(at, at + 1), "a place is missing after '%s='",
				     spec->event),
			  "write %s=FUNC or %s=FUNC:LINE", spec->event, spec->event);
}

unsigned pasted_word(const char *text)
{
	const char *at = text, *end;

	if (*at != 'p' && *at != 'r')
		return 0;
	at++;
	end = at + strspn(at, " \t\n\r");
	if (char_is_blank(*at))
		return *end && strncmp(end, ARROW " ", 3) != 0 ? (unsigned)(at - text) : 0;
	if (*text == 'r')
		at += strspn(at, "0123456789");
	end = at + strcspn(at, " \t\n\r");
	if (*at != ':' || at[1] == ':' || char_is_digit(at[1]) ||
	    memchr(at, '=', (size_t)(end - at)))
		return 0;
	return (unsigned)(end - text);
}

/* PATH:0xOFFSET, as in uprobe_events: the offset is what follows the last ':'. */
static struct error *pasted_program(struct scan *scan, struct spec *spec)
{
	struct place *place = &spec->place;
	struct span word = scan_rest(scan);
	unsigned at = word.end;
	struct error *error;

	while (at > word.start && scan->text[at - 1] != ':')
		at--;
	if (at == word.start || at == word.end || scan->text[at] != '0')
		return error_hint(
			scan->arena,
			scan_error(scan, word, "a program's definition has an offset in its file"),
			"write PATH:0xOFFSET, or leave the 'p:' out and name a function");
	scan->pos = at;
	error = place_parse(scan, place);
	if (!error && !place->has_address)
		error = scan_error(scan, span_of(at, word.end),
				   "the offset isn't a hexadecimal number");
	if (error)
		return error;
	place->span = word;
	place->path = scan_copy(scan, span_of(word.start, at - 1));
	if (spec->is_return_definition)
		place->kind = PLACE_RETURN;
	return NULL;
}

/* The kernel's probe place is a symbol and an offset: no lines, no files. */
static struct error *pasted_place(struct scan *scan, struct spec *spec)
{
	struct place *place = &spec->place;
	struct error *error;

	if (memchr(scan->text + scan->pos, '/', scan->end - scan->pos))
		return pasted_program(scan, spec);
	error = place_parse(scan, place);
	if (error)
		return error;
	if (place->kind == PLACE_LINE || place->kind == PLACE_FILE || place->file ||
	    place->kind == PLACE_PATTERN)
		return error_hint(scan->arena,
				  scan_error(scan, place->span, "a definition has no source lines"),
				  "write [MODULE:]SYMBOL+OFFSET, or leave the 'p:' out");
	if (!spec->is_return_definition)
		return NULL;
	if (place->kind != PLACE_OFFSET || !place->offset)
		place->kind = PLACE_RETURN;
	return NULL;
}

static struct error *pasted_parse(struct scan *scan, struct spec *spec, unsigned length)
{
	struct scan head = scan_within(scan, span_of(scan->pos, scan->pos + length)), inner;
	struct error *error = NULL;
	struct span word;

	spec->is_return_definition = scan_eat(&head, "r");
	while (head.pos < head.end && scan_peek(&head, 0) != ':')
		head.pos++;
	scan->pos = head.end;
	if (head.pos < head.end) {
		head.pos++;
		error = event_parse(&head, spec);
	}
	if (!error)
		error = scan_word(scan, &word);
	if (error)
		return error;
	if (!span_length(word))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(head.end - length, head.end),
					     "a symbol is missing after '%s'",
					     scan_copy(scan, span_of(head.end - length, head.end))),
				  "a definition is p:GROUP/EVENT [MODULE:]SYMBOL+OFFSET ARG...");
	inner = scan_within(scan, word);
	return pasted_place(&inner, spec);
}

static struct error *spec_place(struct scan *scan, struct spec *spec, bool with_event)
{
	struct scan inner;
	struct span word;
	struct error *error = scan_place(scan, &word);

	if (error)
		return error;
	if (!span_length(word))
		return error_hint(scan->arena,
				  error_new(scan->arena, ERROR_SYNTAX, "the place is missing"),
				  "write FUNC, FUNC:LINE, FUNC+OFFSET, FUNC%%return or FILE:LINE");
	inner = scan_within(scan, word);
	error = event_prefix(&inner, spec);
	if (!error && spec->event && !with_event)
		return error_hint(scan->arena,
				  scan_error(scan, span_of(word.start, inner.pos),
					     "an event's name has no use here"),
				  "leave '%s' out",
				  scan_copy(scan, span_of(word.start, inner.pos)));
	return error ? error : place_parse(&inner, &spec->place);
}

static struct error *any_place(struct scan *scan, struct spec *spec)
{
	unsigned pasted;

	scan_blanks(scan);
	pasted = pasted_word(scan->text + scan->pos);
	return pasted ? pasted_parse(scan, spec, pasted) : spec_place(scan, spec, true);
}

/* A line of the source that was pasted as a pattern has blanks, behind which values are read. */
static struct error *blame_pattern(struct arena *arena, const struct spec *spec,
				   struct error *error)
{
	if (spec->place.kind != PLACE_PATTERN || error->span.start < spec->place.span.end)
		return error;
	error->hint = arena_printf(arena, "%s%sif this is still the pattern, leave its blanks out: "
				   "those of lines don't count",
				   error->hint ?: "", error->hint ? "; " : "");
	return error;
}

struct error *spec_parse(struct arena *arena, const char *text, struct spec **ret)
{
	struct spec *spec = arena_new(arena, struct spec);
	struct scan scan;
	struct error *error = scan_init(&scan, arena, text);

	spec->text = text;
	if (error)
		return error;
	error = pair_parse(&scan, spec, any_place, ret);
	return error ? blame_pattern(arena, spec, error) : NULL;
}

struct error *spec_parse_place(struct arena *arena, const char *text, struct spec **ret)
{
	struct spec *spec = arena_new(arena, struct spec);
	struct scan scan;
	struct error *error = scan_init(&scan, arena, text);

	if (error)
		return error;
	spec->text = text;
	error = spec_place(&scan, spec, false);
	if (error)
		return error;
	scan_blanks(&scan);
	if (scan.pos < scan.end)
		return error_hint(arena,
				  scan_error(&scan, scan_rest(&scan), "more than a place"),
				  "give FUNC, FUNC:LINE, FUNC+OFFSET or FILE:LINE alone");
	*ret = spec;
	return NULL;
}
