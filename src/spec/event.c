// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the text of -e into a spec without a place in code: SYSTEM:EVENT, both of which may be
 * globs.
 */
#include "spec/parse.h"

#include <string.h>

#define EVENT_HINT "an event is SYSTEM:EVENT, and each may be a glob: 'sched:sched_w*'"

static struct error *bad_character(const struct scan *scan)
{
	struct span here = span_of(scan->pos, scan->pos + 1);
	struct error *error = scan_error(scan, here, "%s can't be in an event's name",
					 scan_quote(scan));

	if (scan_peek(scan, 0) == ',')
		return error_hint(scan->arena, error, "give each event an -e of its own");
	return error_hint(scan->arena, error, EVENT_HINT);
}

/* A name, or a glob of names, up to a ':' or the end. */
static struct error *event_part(struct scan *scan, const char *what, struct span *span,
				const char **ret)
{
	unsigned start = scan->pos;
	struct span there;
	int c;

	while ((c = scan_peek(scan, 0)) >= 0 && c != ':') {
		if (!c || (!char_is_name(c) && !strchr("*?[]!^-.", c)))
			return bad_character(scan);
		scan->pos++;
	}
	*span = span_of(start, scan->pos);
	*ret = scan_copy(scan, *span);
	if (span_length(*span))
		return NULL;
	there = c < 0 ? span_of(start ? start - 1 : 0, start) : span_of(start, start + 1);
	return error_hint(scan->arena, scan_error(scan, there, "the %s is missing", what),
			  EVENT_HINT);
}

/* An event only has fields: refuses variables, registers and the like. */
static struct error *check_fields(const struct scan *scan, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];

		if (want->kind == WANT_STACK || want->is_start ||
		    (spec_is_end(spec) && want_is_duration(want)))
			continue;
		if (want->kind == WANT_PLACE)
			return error_hint(
				scan->arena,
				scan_error(scan, want->span, "an event has no place in the source"),
				"its own name is the key $event");
		if (want->kind != WANT_VARIABLE || want->base[0] == '$')
			return error_hint(
				scan->arena,
				scan_error(scan, want->span, "'%s' isn't a field of an event",
					   scan_copy(scan, want->span)),
				"an event's values are its fields: name them, FIELD[:TYPE]");
		if (want->nsteps)
			return error_hint(
				scan->arena,
				scan_error(scan, want->span, "a field is shown as it was recorded"),
				"write %s", want->base);
		if (want->user)
			return scan_error(scan, want->span,
					  "a field isn't memory, so @user means nothing");
	}
	return NULL;
}

static struct error *event_word(struct scan *scan, struct spec *spec)
{
	struct error *error = event_part(
		scan,
		memchr(scan->text + scan->pos, ':', scan->end - scan->pos) ? "system" : "event",
		&spec->event_span, &spec->event);

	if (!error && scan_eat(scan, ":")) {
		spec->group = spec->event;
		spec->group_span = spec->event_span;
		error = event_part(scan, "event", &spec->event_span, &spec->event);
	}
	return !error && scan->pos < scan->end ? bad_character(scan) : error;
}

static struct error *event_place(struct scan *scan, struct spec *spec)
{
	struct scan inner;
	struct span word;
	struct error *error = scan_word(scan, &word);

	if (!error && !span_length(word))
		error = error_hint(scan->arena,
				   error_new(scan->arena, ERROR_SYNTAX, "the event is missing"),
				   EVENT_HINT);
	if (error)
		return error;
	spec->place.kind = PLACE_EVENT;
	spec->place.span = word;
	inner = scan_within(scan, word);
	return event_word(&inner, spec);
}

struct error *spec_parse_event(struct arena *arena, const char *text, struct spec **ret)
{
	struct spec *spec = arena_new(arena, struct spec);
	struct scan scan;
	struct error *error = scan_init(&scan, arena, text);

	spec->text = text;
	if (!error)
		error = pair_parse(&scan, spec, event_place, &spec);
	if (!error && spec->pairing)
		error = check_fields(&scan, spec->pairing->start);
	if (!error)
		error = check_fields(&scan, spec);
	*ret = spec;
	return error;
}
