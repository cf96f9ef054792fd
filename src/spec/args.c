// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the words after a place into the spec's wants, aggregates and keys. What aggregates and
 * keys use are wants like any other, so that later stages needn't distinguish; each is one want
 * however often it is named.
 */
#include "spec/parse.h"

#include <string.h>

#include "ktrace/caps.h"

static struct error *name_twice(const struct scan *scan, const struct spec *spec)
{
	const struct want *last = &spec->wants[spec->nwants - 1];

	for (unsigned i = 0; last->name && i + 1 < spec->nwants; i++)
		if (spec->wants[i].name && !strcmp(spec->wants[i].name, last->name))
			return error_hint(scan->arena,
					  scan_error(scan, last->name_span,
						     "the name '%s' is used twice", last->name),
					  "give one of the values another NAME=");
	return NULL;
}

static bool is_bare(const struct want *want)
{
	return want->kind == WANT_VARIABLE && !want->name && !want->nsteps && !want->type &&
	       !want->user;
}

unsigned find_want(struct arena *arena, const struct spec *spec, const struct want *want)
{
	const char *text = spec_print_want(arena, want);

	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *other = &spec->wants[i];

		if (!want->is_inner && !other->is_inner)
			continue;
		if (!strcmp(spec_print_want(arena, other), text) ||
		    (want->is_inner && is_bare(want) && other->name &&
		     !strcmp(other->name, want->base)))
			return i;
	}
	return spec->nwants;
}

struct error *spec_take_want(const struct scan *scan, struct spec *spec, struct span word,
			     bool is_inner, unsigned *ret)
{
	struct scan inner = scan_within(scan, word);
	struct want want = {.is_inner = is_inner};
	struct error *error = want_parse(&inner, &want);

	if (error)
		return error;
	*ret = find_want(scan->arena, spec, &want);
	if (*ret < spec->nwants) {
		spec->wants[*ret].is_inner &= is_inner;
		return NULL;
	}
	if (is_inner && spec_is_end(spec) && pair_start_want(scan->arena, spec, &want, ret))
		return NULL;
	if (spec->nwants == KERNEL_ARGS_MAX)
		return error_hint(scan->arena,
				  scan_limit(scan, word, "more than %u values", KERNEL_ARGS_MAX),
				  "the kernel takes no more in one event");
	arena_append(scan->arena, spec->wants, spec->nwants) = want;
	return name_twice(scan, spec);
}

/* Refuses $params and $vars in a spec that has aggregates: they are more than one value. */
static struct error *check_all(const struct scan *scan, const struct spec *spec)
{
	for (unsigned i = 0; spec->naggregates && i < spec->nwants; i++)
		if (spec->wants[i].kind == WANT_ALL)
			return error_hint(scan->arena,
					  scan_error(scan, spec->wants[i].span,
						     "%s is many values, and a table needs single "
						     "ones", spec->wants[i].base),
					  "name each value");
	return NULL;
}

static struct error *parse_keys(struct scan *scan, struct spec *spec, struct span by)
{
	struct span word;
	struct error *error = scan_argument(scan, &word);

	if (!error && !span_length(word))
		return error_hint(scan->arena, scan_error(scan, by, "a key is missing after 'by'"),
				  "write by comm, by pid, or by a value");
	while (!error && span_length(word)) {
		struct scan inner = scan_within(scan, word);

		error = key_parse(&inner, spec);
		if (!error)
			error = scan_argument(scan, &word);
	}
	return error;
}

/* Without an aggregate before it, `by` is a variable; but if words follow, a key was meant. */
static struct error *check_by(const struct scan *scan, struct span by)
{
	struct scan rest = *scan;

	scan_blanks(&rest);
	if (rest.pos == rest.end)
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, by, "there is no aggregate before 'by'"),
			  "write count() by KEY; a variable of that name is (by)");
}

static struct error *parse_word(struct scan *scan, struct spec *spec, struct span word)
{
	struct scan inner = scan_within(scan, word);
	struct error *error = NULL;
	unsigned index;

	if (aggregate_starts(&inner))
		return aggregate_parse(&inner, spec);
	if (scan_is(scan, word, BY))
		error = check_by(scan, word);
	return error ? error : spec_take_want(scan, spec, word, false, &index);
}

static struct error *begins_nothing(const struct scan *scan, const struct spec *spec,
				    struct span arrow)
{
	if (spec_is_end(spec))
		return error_hint(scan->arena, scan_error(scan, arrow, "a pair has two places"),
				  "of three, trace the first and the second as a pair, and the "
				  "second and the third");
	if (spec->naggregates)
		return error_hint(scan->arena,
				  scan_error(scan, spec->aggregates->span,
					     "the aggregates of a pair go to its end"),
				  "write PLACE -> PLACE %s", spec->aggregates->name);
	return NULL;
}

struct error *args_parse(struct scan *scan, struct spec *spec, struct span *arrow)
{
	struct span word;
	struct error *error = scan_argument(scan, &word);

	while (!error && span_length(word)) {
		if (scan_is(scan, word, ARROW)) {
			*arrow = word;
			return begins_nothing(scan, spec, word);
		}
		if (spec->naggregates && scan_is(scan, word, BY)) {
			error = parse_keys(scan, spec, word);
			break;
		}
		if (spec_is_end(spec) && scan_is(scan, word, ON)) {
			error = joins_parse(scan, spec, word, &word);
			continue;
		}
		error = parse_word(scan, spec, word);
		if (!error)
			error = scan_argument(scan, &word);
	}
	return error ? error : check_all(scan, spec);
}
