// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the rows of a spec as a whole: which sites are its start's or its end's, what it asks for,
 * and its definitions.
 *
 * The surprise: a spec is parsed as its text has it first. `want` rows then say what $params and
 * $vars were where the plan was made, and must agree with the text in all else.
 */
#include "planfile/internal.h"
#include "spec/spec.h"

/* Ends the sites that are being read. */
static struct error *end_sites(struct reading *reading)
{
	struct error *error = check_shape(reading);

	if (!error && reading->sites)
		error = check_sites(reading);
	reading->sites = NULL;
	reading->spec = NULL;
	reading->site = NULL;
	reading->capture = NULL;
	reading->has_wants = false;
	reading->shapes = NULL;
	reading->nshapes = 0;
	return error;
}

/* Ends the spec that is being read: a pair has both its places. */
struct error *end_planned(struct reading *reading)
{
	struct error *error = end_sites(reading);
	const struct planned *planned = reading->planned;

	if (!error && planned &&
	    (!planned->ends.count || (reading->parsed->pairing && !planned->starts.count)))
		error = bad(reading, "the pair '%s' has one place only", reading->parsed->text);
	reading->planned = NULL;
	return error;
}

/* $params and $vars: `want` rows say what they were. */
static void drop_all(struct arena *arena, struct spec *spec)
{
	struct want *wants = arena_array(arena, struct want, spec->nwants + 1);
	unsigned count = 0;

	for (unsigned i = 0; i < spec->nwants; i++)
		if (spec->wants[i].kind != WANT_ALL)
			wants[count++] = spec->wants[i];
	spec->wants = wants;
	spec->nwants = count;
}

/* Whether the sites belong to the pair that is being read: its starts come first. */
static bool is_same_pair(const struct reading *reading, const char *text, bool is_start)
{
	const struct planned *planned = reading->planned;

	return planned && reading->parsed->pairing && !strcmp(reading->parsed->text, text) &&
	       !(is_start && planned->ends.count);
}

static struct error *begin_planned(struct reading *reading, const char *text)
{
	struct variant *variant = reading->variant;
	struct spec *parsed;
	struct error *error = end_planned(reading);

	if (!error)
		error = spec_parse(reading->arena, text, &parsed);
	if (error)
		return error;
	reading->parsed = parsed;
	reading->planned = arena_new(reading->arena, struct planned);
	reading->planned->line = reading->line;
	arena_append(reading->arena, variant->specs, variant->nspecs) = reading->planned;
	return NULL;
}

static void begin_sites(struct reading *reading, const struct spec *given, bool is_start)
{
	struct half *half = is_start ? &reading->planned->starts : &reading->planned->ends;
	struct spec *spec = arena_new(reading->arena, struct spec);

	*spec = *given;
	drop_all(reading->arena, spec);
	reading->spec = spec;
	reading->sites = arena_new(reading->arena, struct sites);
	reading->sites->spec = given; /* until all of the spec is read */
	reading->sites->arch = reading->variant->arch;
	arena_append(reading->arena, half->batches, half->count) = reading->sites;
}

static struct error *read_half(struct reading *reading, const struct row_kind *kind, bool is_start)
{
	struct spec written = {0};
	struct error *error = end_sites(reading);

	if (!error)
		error = read_fields(reading, kind, &written);
	if (!error && !is_same_pair(reading, written.text, is_start))
		error = begin_planned(reading, written.text);
	if (error)
		return error;
	if (is_start && !reading->parsed->pairing)
		return bad(reading, "'%s' is not a pair", written.text);
	begin_sites(reading, is_start ? reading->parsed->pairing->start : reading->parsed,
		    is_start);
	reading->spec->event = written.event ?: reading->spec->event;
	return NULL;
}

static struct error *read_spec(struct reading *reading)
{
	return read_half(reading, &row_spec, false);
}

static struct error *read_start(struct reading *reading)
{
	return read_half(reading, &row_start, true);
}

/* The want as the text has it, if it names this one. */
static const struct want *given_want(const struct spec *parsed, const struct want *want)
{
	for (unsigned i = 0; i < parsed->nwants; i++)
		if (parsed->wants[i].kind != WANT_ALL &&
		    parsed->wants[i].span.start == want->span.start &&
		    parsed->wants[i].span.end == want->span.end)
			return &parsed->wants[i];
	return NULL;
}

static struct error *read_want(struct reading *reading)
{
	struct spec *spec = reading->spec;
	const struct want *given;
	struct want want = {.kind = WANT_VARIABLE};
	struct error *error = read_fields(reading, &row_want, &want);

	if (error)
		return error;
	if (want.span.end > strlen(spec->text) || want.span.start > want.span.end)
		return bad(reading, "'%s' isn't in the spec", want.base);
	if (!reading->has_wants) {
		spec->wants = NULL;
		spec->nwants = 0;
	}
	reading->has_wants = true;
	given = given_want(reading->sites->spec, &want);
	if (!given && !want.is_expanded)
		return bad(reading, "the spec has no '%s' there", want.base);
	arena_append(reading->arena, spec->wants, spec->nwants) = given ? *given : want;
	spec->wants[spec->nwants - 1].is_expanded = want.is_expanded;
	spec->wants[spec->nwants - 1].base_span = given ? given->base_span : want.span;
	return NULL;
}

static struct error *read_constant(struct reading *reading)
{
	struct sites *sites = reading->sites;
	struct enumerator *list = (struct enumerator *)sites->constants;
	struct error *error = read_fields(reading, &row_constant,
					  &arena_append(reading->arena, list, sites->nconstants));

	sites->constants = list;
	return error;
}

static struct error *read_warning(struct reading *reading)
{
	struct sites *sites = reading->sites;

	return read_fields(reading, &row_warning,
			   &arena_append(reading->arena, sites->warnings, sites->nwarnings));
}

static struct error *read_define(struct reading *reading)
{
	struct planned *planned = reading->planned;

	return read_one_word(reading, &arena_append(reading->arena, planned->definitions,
						    planned->ndefinitions));
}

const struct row_reader planned_rows[] = {
	{"spec", A_PLAN, read_spec},
	{"start", A_PLAN, read_start},
	{"want", A_SPEC, read_want},
	{"constant", A_SPEC, read_constant},
	{"warning", A_SPEC, read_warning},
	{"define", A_SPEC, read_define},
	{0},
};
