// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses an aggregate, `count()`, `sum(E)` or `hist(E,STEP)`, or a key after `by`. A bare name
 * after `by` that is also a named key is the key: the variable is written (comm).
 */
#include "spec/parse.h"

#include <string.h>

#define AGGREGATES_MAX 16
#define KEYS_MAX       8

static const char *const aggregate_names[] = {
	[AGGREGATE_COUNT] = "count", [AGGREGATE_SUM] = "sum", [AGGREGATE_AVG] = "avg",
	[AGGREGATE_MIN] = "min",     [AGGREGATE_MAX] = "max", [AGGREGATE_HIST] = "hist",
};

static const char *const key_names[KEY_KINDS] = {
	[KEY_COMM] = "comm", [KEY_PID] = "pid",	  [KEY_TID] = "tid",	       [KEY_CPU] = "cpu",
	[KEY_EVENT] = "event",
};

const char *aggregate_name(enum aggregate_kind kind)
{
	return aggregate_names[kind];
}

static bool find_aggregate(const struct scan *scan, struct span name, enum aggregate_kind *ret)
{
	for (unsigned i = 0; i <= AGGREGATE_HIST; i++) {
		if (!scan_is(scan, name, aggregate_names[i]))
			continue;
		*ret = (enum aggregate_kind)i;
		return true;
	}
	return false;
}

bool aggregate_starts(const struct scan *scan)
{
	struct scan ahead = *scan;
	struct span name = scan_identifier(&ahead);
	enum aggregate_kind kind;

	return scan_peek(&ahead, 0) == '(' && find_aggregate(scan, name, &kind);
}

/* Returns the position after the ')' that closes the '(' at start, or 0; *comma: the last ','
 * outside inner brackets, or 0. */
static unsigned find_close(const struct scan *scan, unsigned start, unsigned *comma)
{
	unsigned depth = 0;

	*comma = 0;
	for (unsigned i = start; i < scan->end; i++) {
		char c = scan->text[i];

		depth += c == '(';
		if (c == ',' && depth == 1)
			*comma = i;
		if (c == ')' && !--depth)
			return i + 1;
	}
	return 0;
}

static struct span trim(const struct scan *scan, unsigned start, unsigned end)
{
	while (start < end && char_is_blank(scan->text[start]))
		start++;
	while (start < end && char_is_blank(scan->text[end - 1]))
		end--;
	return span_of(start, end);
}

static struct error *parse_step(const struct scan *scan, struct span span, unsigned comma,
				struct aggregate *aggregate)
{
	struct scan inner = scan_within(scan, span);
	struct error *error = scan_quantity(&inner, "a step", span_of(comma, comma + 1), INT64_MAX,
					    &aggregate->step, &aggregate->step_span);

	if (!error && inner.pos < inner.end)
		error = scan_error(scan, scan_rest(&inner), "unexpected '%s' after the step",
				   scan_copy(scan, scan_rest(&inner)));
	if (!error && !aggregate->step)
		error = scan_error(scan, aggregate->step_span, "the step can't be 0");
	return error ? error_hint(scan->arena, error,
				  "write hist(E,100), hist(E,4k) or hist(E,10ms)") :
		       NULL;
}

static struct error *parse_inside(const struct scan *scan, struct spec *spec, struct span inside,
				  unsigned comma, struct aggregate *aggregate)
{
	const char *name = aggregate_names[aggregate->kind];
	bool has_step = comma && aggregate->kind == AGGREGATE_HIST;
	struct span value = trim(scan, inside.start, has_step ? comma : inside.end);
	struct error *error;

	if (aggregate->kind == AGGREGATE_COUNT && span_length(value))
		return error_hint(scan->arena,
				  scan_error(scan, value, "count() counts events, not a value"),
				  "write sum(%s), or count() by %s", scan_copy(scan, value),
				  scan_copy(scan, value));
	if (aggregate->kind == AGGREGATE_COUNT)
		return NULL;
	if (!span_length(value))
		return error_hint(scan->arena,
				  scan_error(scan, aggregate->span, "%s() needs a value", name),
				  "write %s(VAR)", name);
	if (comma && !has_step)
		return error_hint(
			scan->arena,
			scan_error(scan, span_of(comma, inside.end), "%s() takes one value", name),
			"only hist(E,STEP) has a step");
	error = spec_take_want(scan, spec, value, true, &aggregate->want);
	if (error || !has_step)
		return error;
	return parse_step(scan, trim(scan, comma + 1, inside.end), comma, aggregate);
}

static struct error *add_aggregate(const struct scan *scan, struct spec *spec,
				   struct aggregate *aggregate)
{
	aggregate->name = aggregate_print(scan->arena, spec, aggregate);
	if (spec->naggregates == AGGREGATES_MAX)
		return scan_limit(scan, aggregate->span, "more than %u columns", AGGREGATES_MAX);
	for (unsigned i = 0; i < spec->naggregates; i++)
		if (!strcmp(spec->aggregates[i].name, aggregate->name))
			return error_hint(scan->arena,
					  scan_error(scan, aggregate->span, "'%s' is given twice",
						     aggregate->name),
					  "leave one of them out");
	arena_append(scan->arena, spec->aggregates, spec->naggregates) = *aggregate;
	return NULL;
}

struct error *aggregate_parse(struct scan *scan, struct spec *spec)
{
	struct aggregate aggregate = {.span.start = scan->pos};
	struct span name = scan_identifier(scan);
	unsigned open = scan->pos, comma, close = find_close(scan, open, &comma);
	struct error *error;

	find_aggregate(scan, name, &aggregate.kind);
	if (!close)
		return scan_error(scan, span_of(open, open + 1), "the '(' is not closed");
	aggregate.span.end = close;
	if (close < scan->end)
		return error_hint(
			scan->arena,
			scan_error(scan, span_of(close, scan->end), "unexpected '%s' after '%s'",
				   scan_copy(scan, span_of(close, scan->end)),
				   scan_copy(scan, aggregate.span)),
			"the type goes inside: %s(VAR:u32)", aggregate_names[aggregate.kind]);
	error = parse_inside(scan, spec, span_of(open + 1, close - 1), comma, &aggregate);
	return error ? error : add_aggregate(scan, spec, &aggregate);
}

/* A name like `event` is too common as a variable: only $event is the key. */
static enum key_kind find_key(const char *name, bool is_marked)
{
	for (unsigned i = KEY_COMM; i < (is_marked ? KEY_KINDS : KEY_EVENT); i++)
		if (!strcmp(key_names[i], name))
			return (enum key_kind)i;
	return KEY_VALUE;
}

bool want_is_key_name(const struct want *want)
{
	return find_key(want->base, false) != KEY_VALUE;
}

static struct key named_key(const struct scan *scan, const struct spec *spec)
{
	const char *word = scan_copy(scan, scan_rest(scan));
	struct key key = {.is_marked = *word == '$', .span = scan_rest(scan)};

	if (!spec_has_name(spec, word))
		key.kind = find_key(word + key.is_marked, key.is_marked);
	key.is_marked &= key.kind != KEY_VALUE;
	key.name = key_names[key.kind];
	return key;
}

static struct error *check_key(const struct scan *scan, const struct spec *spec)
{
	const struct key *last = &spec->keys[spec->nkeys - 1];

	if (spec->nkeys > KEYS_MAX)
		return scan_limit(scan, last->span, "more than %u keys", KEYS_MAX);
	for (unsigned i = 0; i + 1 < spec->nkeys; i++)
		if (spec->keys[i].kind == last->kind &&
		    (last->kind != KEY_VALUE || spec->keys[i].want == last->want))
			return scan_error(scan, last->span, "the key '%s' is given twice",
					  scan_copy(scan, last->span));
	return NULL;
}

struct error *key_parse(struct scan *scan, struct spec *spec)
{
	struct key key = named_key(scan, spec);
	unsigned comma = key.span.start;
	struct error *error = NULL;

	while (comma < scan->end && !strchr(",(", scan->text[comma]))
		comma++;
	if (comma < scan->end && scan->text[comma] == ',')
		return error_hint(scan->arena,
				  scan_error(scan, span_of(comma, comma + 1), "',' between keys"),
				  "keys are separated by blanks: by comm pid");
	if (aggregate_starts(scan))
		return error_hint(scan->arena,
				  scan_error(scan, key.span, "'%s' is after 'by'",
					     scan_copy(scan, key.span)),
				  "aggregates go before it: %s by ...",
				  scan_copy(scan, key.span));
	if (scan_is(scan, key.span, BY))
		return error_hint(scan->arena, scan_error(scan, key.span, "a second 'by'"),
				  "keys are separated by blanks: by comm pid");
	if (key.kind == KEY_VALUE)
		error = spec_take_want(scan, spec, key.span, true, &key.want);
	if (error)
		return error;
	arena_append(scan->arena, spec->keys, spec->nkeys) = key;
	return check_key(scan, spec);
}
