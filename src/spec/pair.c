// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses a pair, `PLACE ARG... -> PLACE ARG... [on NAME...]`, into two specs. The end gets a want
 * for each value of the start, in front of its own, so that later stages find all values of the
 * event in one list. What both places have by one name must be the same value: they are joined by
 * it.
 */
#include "spec/parse.h"

#include <string.h>

#define PAIR_HINT "write PLACE [ARG...] -> PLACE [ARG...] [on NAME...]"

static bool is_bare_name(const struct scan *scan, struct span word)
{
	struct scan inner = scan_within(scan, word);

	return char_is_name_start(scan_peek(&inner, 0)) && scan_variable(&inner).end == word.end;
}

static const char *name_of(const struct want *want)
{
	return want->name ? want->name : want->kind == WANT_VARIABLE ? want_last_name(want) : NULL;
}

static bool has_name(const struct want *want, const char *name)
{
	const char *its = name_of(want);

	return its && !strcmp(its, name);
}

bool spec_has_name(const struct spec *spec, const char *name)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].name && !strcmp(spec->wants[i].name, name))
			return true;
	return spec_is_end(spec) && spec_has_name(spec->pairing->start, name);
}

bool want_is_duration(const struct want *want)
{
	return want->kind == WANT_VARIABLE && !want->nsteps && !strcmp(want->base, DURATION);
}

/* The joined values' wants are found once all wants are known; until then `start` and `end` say
 * nothing. */
struct error *joins_parse(struct scan *scan, struct spec *spec, struct span on, struct span *next)
{
	struct pairing *pairing = (struct pairing *)spec->pairing;
	struct error *error = scan_argument(scan, next);

	if (!error && span_length(*next) && !scan_is(scan, *next, BY) && !is_bare_name(scan, *next))
		return error_hint(
			scan->arena,
			scan_error(scan, *next, "'%s' isn't the name of a value",
				   scan_copy(scan, *next)),
			"give it one name in both places: NAME=VALUE -> PLACE NAME=VALUE on NAME");
	if (!error && (!span_length(*next) || scan_is(scan, *next, BY)))
		return error_hint(scan->arena,
				  scan_error(scan, on, "a name is missing after '" ON "'"),
				  "on NAME... joins by values that both places have; a variable of "
				  "that name is (on)");
	while (!error && is_bare_name(scan, *next) && !scan_is(scan, *next, BY)) {
		for (unsigned i = 0; i < pairing->njoins; i++)
			if (scan_is(scan, pairing->joins[i].span, scan_copy(scan, *next)))
				return scan_error(scan, *next, "'%s' joins twice",
						  scan_copy(scan, *next));
		arena_append(scan->arena, pairing->joins, pairing->njoins) =
			(struct join){.span = *next};
		error = scan_argument(scan, next);
	}
	return error;
}

static unsigned add_start_want(struct arena *arena, struct spec *spec, unsigned start)
{
	struct want want = spec->pairing->start->wants[start];

	want.is_start = true;
	want.start = start;
	arena_append(arena, spec->wants, spec->nwants) = want;
	return spec->nwants - 1;
}

/* The end's want for a value of the start, or nwants. */
static unsigned find_start_want(const struct spec *spec, unsigned start)
{
	unsigned i = 0;

	while (i < spec->nwants && !(spec->wants[i].is_start && spec->wants[i].start == start))
		i++;
	return i;
}

bool pair_start_want(struct arena *arena, struct spec *spec, const struct want *want, unsigned *ret)
{
	const struct spec *start = spec->pairing->start;
	unsigned found = find_want(arena, start, want);

	for (unsigned i = 0; i < start->nwants && found == start->nwants; i++)
		if (!want->name && !want->nsteps && !want->type && want->kind == WANT_VARIABLE &&
		    has_name(&start->wants[i], want->base))
			found = i;
	if (found == start->nwants)
		return false;
	*ret = find_start_want(spec, found);
	if (*ret == spec->nwants)
		add_start_want(arena, spec, found);
	return true;
}

/* The want of that name, made if there is none: `on rq` asks for rq. */
static unsigned named_want(const struct scan *scan, struct spec *spec, struct span name)
{
	const char *text = scan_copy(scan, name);

	for (unsigned i = 0; i < spec->nwants; i++)
		if (!spec->wants[i].is_start && has_name(&spec->wants[i], text))
			return i;
	arena_append(scan->arena, spec->wants, spec->nwants) = (struct want){
		.base = text, .base_span = name, .span = name, .is_inner = true};
	return spec->nwants - 1;
}

/* A joined value is the end's own, for an aggregate too that has taken it for the start's. */
static void find_join(const struct scan *scan, struct spec *start, struct spec *end,
		      struct join *join)
{
	unsigned at;

	join->start = named_want(scan, start, join->span);
	at = find_start_want(end, join->start);
	if (at < end->nwants)
		end->wants[at] = (struct want){.base = scan_copy(scan, join->span),
					       .base_span = join->span,
					       .span = join->span,
					       .is_inner = true};
	join->end = named_want(scan, end, join->span);
}

static const struct join *join_of(const struct pairing *pairing, unsigned start)
{
	for (unsigned i = 0; i < pairing->njoins; i++)
		if (pairing->joins[i].start == start)
			return &pairing->joins[i];
	return NULL;
}

/* Two values of one name that aren't joined by it. */
static struct error *check_names(const struct scan *scan, const struct spec *start,
				 const struct spec *end)
{
	for (unsigned i = 0; i < start->nwants; i++)
		for (unsigned j = 0; j < end->nwants; j++) {
			const struct want *want = &end->wants[j];
			const char *name = name_of(want);

			if (want->is_start || !name || !has_name(&start->wants[i], name) ||
			    join_of(start->pairing, i))
				continue;
			return error_hint(
				scan->arena,
				scan_error(scan, want->span, "both places have a value '%s'", name),
				"on %s joins them by it; or give it another name, end_%s=%s", name,
				name,
				scan_copy(scan, span_of(want->base_span.start, want->span.end)));
		}
	return NULL;
}

/* Puts the values of the start in front. */
static void order_wants(struct arena *arena, struct spec *spec, struct pairing *pairing)
{
	struct want *wants = arena_array(arena, struct want, spec->nwants + 1);
	unsigned *places = arena_array(arena, unsigned, spec->nwants + 1), count = 0;

	for (unsigned i = 0; i < pairing->start->nwants; i++) {
		unsigned at = find_start_want(spec, i);

		if (at < spec->nwants)
			places[at] = count;
		if (at < spec->nwants)
			wants[count++] = spec->wants[at];
	}
	for (unsigned i = 0; i < spec->nwants; i++) {
		if (spec->wants[i].is_start)
			continue;
		places[i] = count;
		wants[count++] = spec->wants[i];
	}
	spec->wants = wants;
	for (unsigned i = 0; i < spec->naggregates; i++)
		spec->aggregates[i].want = places[spec->aggregates[i].want];
	for (unsigned i = 0; i < spec->nkeys; i++)
		spec->keys[i].want = places[spec->keys[i].want];
	for (unsigned i = 0; i < pairing->njoins; i++)
		pairing->joins[i].end = places[pairing->joins[i].end];
}

/* A pair that streams shows the time between, asked for or not. */
static void add_duration(struct arena *arena, struct spec *spec)
{
	struct span span = spec->place.span;

	for (unsigned i = 0; i < spec->nwants; i++)
		if (has_name(&spec->wants[i], &DURATION[1]))
			return;
	arena_append(arena, spec->wants, spec->nwants) = (struct want){
		.base = DURATION, .base_span = span, .span = span, .is_inner = true};
}

static struct error *check_all(const struct scan *scan, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind == WANT_ALL)
			return error_hint(scan->arena,
					  scan_error(scan, spec->wants[i].span,
						     "%s is many values, and a pair's have "
						     "names of their own",
						     spec->wants[i].base),
					  "name each value");
	return NULL;
}

static struct error *finish_pair(const struct scan *scan, struct spec *start, struct spec *end,
				 struct pairing *pairing)
{
	struct error *error = check_all(scan, start);

	if (!error)
		error = check_all(scan, end);
	for (unsigned i = 0; i < pairing->njoins && !error; i++)
		find_join(scan, start, end, &pairing->joins[i]);
	if (!error)
		error = check_names(scan, start, end);
	if (error)
		return error;
	for (unsigned i = 0; i < start->nwants; i++)
		if (!join_of(pairing, i) && find_start_want(end, i) == end->nwants)
			add_start_want(scan->arena, end, i);
	if (!end->naggregates)
		add_duration(scan->arena, end);
	order_wants(scan->arena, end, pairing);
	return NULL;
}

static struct error *parse_end(struct scan *scan, struct spec *start, struct span arrow,
			       place_parser *place, struct spec **ret)
{
	struct pairing *pairing = arena_new(scan->arena, struct pairing);
	struct spec *end = arena_new(scan->arena, struct spec);
	struct error *error;

	*pairing = (struct pairing){.start = start, .end = end};
	*end = (struct spec){.text = start->text, .pairing = pairing};
	start->pairing = pairing;
	scan_blanks(scan);
	if (scan->pos == scan->end)
		return error_hint(scan->arena,
				  scan_error(scan, arrow, "a place is missing after '" ARROW "'"),
				  PAIR_HINT);
	error = place(scan, end);
	if (!error)
		error = args_parse(scan, end, &arrow);
	*ret = end;
	return error ? error : finish_pair(scan, start, end, pairing);
}

struct error *pair_parse(struct scan *scan, struct spec *spec, place_parser *place,
			 struct spec **ret)
{
	struct scan ahead = *scan;
	struct span arrow = {0};
	struct error *error = scan_argument(&ahead, &arrow);

	if (!error && scan_is(scan, arrow, ARROW))
		return error_hint(scan->arena,
				  scan_error(scan, arrow, "a place is missing before '" ARROW "'"),
				  PAIR_HINT);
	arrow = (struct span){0};
	error = place(scan, spec);
	if (!error)
		error = args_parse(scan, spec, &arrow);
	if (!error && span_length(arrow))
		return parse_end(scan, spec, arrow, place, ret);
	*ret = spec;
	return error;
}
