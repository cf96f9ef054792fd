/* SPDX-License-Identifier: GPL-2.0-only */
/* For the tests of spec/: equality of what was parsed, spans aside, and spans inside the text. */
#ifndef TESTS_SPEC_SAME_H
#define TESTS_SPEC_SAME_H

#include <string.h>

#include "spec/spec.h"

static inline bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static inline bool same_want(const struct want *a, const struct want *b)
{
	if (a->kind != b->kind || !same_text(a->name, b->name) || !same_text(a->base, b->base) ||
	    a->nsteps != b->nsteps || !same_text(a->type, b->type) || a->user != b->user ||
	    a->is_inner != b->is_inner || a->is_start != b->is_start || a->start != b->start)
		return false;
	for (unsigned i = 0; i < a->nsteps; i++)
		if (a->steps[i].kind != b->steps[i].kind ||
		    !same_text(a->steps[i].name, b->steps[i].name) ||
		    a->steps[i].index != b->steps[i].index ||
		    a->steps[i].last != b->steps[i].last)
			return false;
	return true;
}

static inline bool same_place(const struct place *a, const struct place *b)
{
	return a->kind == b->kind && same_text(a->module, b->module) &&
	       same_text(a->function, b->function) && same_text(a->file, b->file) && same_text(a->path, b->path) &&
	       a->line == b->line && a->offset == b->offset &&
	       same_text(a->pattern, b->pattern) && a->has_address == b->has_address &&
	       a->address == b->address;
}

static inline bool same_aggregate(const struct aggregate *a, const struct aggregate *b)
{
	return a->kind == b->kind && a->want == b->want && a->step == b->step;
}

static inline bool same_key(const struct key *a, const struct key *b)
{
	return a->kind == b->kind && a->want == b->want && a->is_marked == b->is_marked;
}

static inline bool same_spec(const struct spec *a, const struct spec *b);

static inline bool same_pairing(const struct pairing *a, const struct pairing *b)
{
	if (!a || !b || a->njoins != b->njoins)
		return a == b;
	for (unsigned i = 0; i < a->njoins; i++)
		if (a->joins[i].start != b->joins[i].start || a->joins[i].end != b->joins[i].end)
			return false;
	return same_spec(a->start, b->start);
}

static inline bool same_spec(const struct spec *a, const struct spec *b)
{
	if (spec_is_end(a) && !same_pairing(a->pairing, b->pairing))
		return false;
	if (!same_text(a->group, b->group) || !same_text(a->event, b->event) ||
	    a->is_return_definition != b->is_return_definition ||
	    !same_place(&a->place, &b->place) || a->nwants != b->nwants ||
	    a->naggregates != b->naggregates || a->nkeys != b->nkeys)
		return false;
	for (unsigned i = 0; i < a->naggregates; i++)
		if (!same_aggregate(&a->aggregates[i], &b->aggregates[i]))
			return false;
	for (unsigned i = 0; i < a->nkeys; i++)
		if (!same_key(&a->keys[i], &b->keys[i]))
			return false;
	for (unsigned i = 0; i < a->nwants; i++)
		if (!same_want(&a->wants[i], &b->wants[i]))
			return false;
	return true;
}

static inline bool same_filter(const struct filter *a, const struct filter *b)
{
	if (!a || !b)
		return a == b;
	return a->op == b->op && same_text(a->field, b->field) && a->is_string == b->is_string &&
	       a->is_negative == b->is_negative && same_text(a->decimal, b->decimal) && a->number == b->number &&
	       same_text(a->constant, b->constant) && same_text(a->string, b->string) &&
	       same_filter(a->left, b->left) &&
	       same_filter(a->right, b->right);
}

static inline bool span_inside(struct span span, size_t length)
{
	return span.start <= span.end && span.end <= length;
}

/* A node that is there has bytes, and they are the text's. */
static inline bool span_holds(struct span span, const void *node, size_t length)
{
	return span_inside(span, length) && (span.end > span.start) == !!node;
}

static inline bool want_spans_hold(const struct want *want, size_t length)
{
	if (!span_holds(want->span, want, length) ||
	    !span_holds(want->base_span, want->base, length) ||
	    !span_holds(want->name_span, want->name, length) ||
	    !span_holds(want->type_span, want->type, length))
		return false;
	for (unsigned i = 0; i < want->nsteps; i++)
		if (!span_holds(want->steps[i].span, want, length))
			return false;
	return true;
}

/* What an aggregate or key is of is one of the wants, and stands there or somewhere by itself. */
static inline bool table_holds(const struct spec *spec, size_t length)
{
	for (unsigned i = 0; i < spec->naggregates; i++)
		if (!span_holds(spec->aggregates[i].span, spec, length) ||
		    (spec->aggregates[i].kind != AGGREGATE_COUNT &&
		     spec->aggregates[i].want >= spec->nwants))
			return false;
	for (unsigned i = 0; i < spec->nkeys; i++)
		if (!span_holds(spec->keys[i].span, spec, length) ||
		    (spec->keys[i].kind == KEY_VALUE && spec->keys[i].want >= spec->nwants))
			return false;
	return spec->naggregates || !spec->nkeys;
}

static inline bool spec_spans_hold(const struct spec *spec, size_t length)
{
	const struct place *place = &spec->place;

	if (!span_holds(spec->group_span, spec->group, length) ||
	    !span_holds(spec->event_span, spec->event, length) ||
	    !span_holds(place->span, place, length) ||
	    !span_holds(place->function_span, place->function, length) ||
	    !span_holds(place->file_span, place->file, length) ||
	    !span_holds(place->pattern_span, place->pattern, length) ||
	    !span_inside(place->line_span, length) || !span_inside(place->offset_span, length))
		return false;
	for (unsigned i = 0; i < spec->nwants; i++)
		if (!want_spans_hold(&spec->wants[i], length))
			return false;
	return table_holds(spec, length);
}

static inline bool filter_spans_hold(const struct filter *filter, size_t length)
{
	return !filter || (span_holds(filter->span, filter, length) &&
			   span_holds(filter->field_span, filter->field, length) &&
			   span_holds(filter->value_span, filter->field, length) &&
			   filter_spans_hold(filter->left, length) &&
			   filter_spans_hold(filter->right, length));
}

/* An error has words, and its caret something to stand under. */
static inline bool error_holds(const struct error *error, const char *text)
{
	if (error->code != ERROR_SYNTAX && error->code != ERROR_LIMIT)
		return false;
	if (!error->message || !*error->message)
		return false;
	if (!error->text)
		return !text[strspn(text, " \t\r\n")] || strlen(text) > 65535;
	return error->text == text && error->span.end > error->span.start &&
	       span_inside(error->span, strlen(text));
}

#endif
