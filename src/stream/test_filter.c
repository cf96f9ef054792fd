// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides by the user's filter whether an event is shown. The answer may be "unknown" (the value
 * faulted, or is unavailable): &&, || and ! keep that, and the event is not shown.
 */
#include <string.h>

#include "base/glob.h"
#include "base/real.h"
#include "stream/internal.h"

enum answer {
	NO,
	YES,
	UNKNOWN,
};

enum field_source {
	SOURCE_VALUE,
	SOURCE_COMM,
	SOURCE_PID,
	SOURCE_CPU,
};

struct test {
	const struct filter *filter;
	const struct test *left;
	const struct test *right;
	enum field_source source;
	unsigned value;
	size_t string_length;
};

static struct error *find_field(struct arena *arena, const struct probe *probe,
				const struct filter *filter, struct test *test)
{
	static const char *const builtins[] = {
		[SOURCE_COMM] = "comm", [SOURCE_PID] = "pid", [SOURCE_CPU] = "cpu"};

	for (unsigned i = 0; i < probe->nvalues; i++) {
		if (strcmp(probe->values[i].name, filter->field))
			continue;
		test->source = SOURCE_VALUE;
		test->value = i;
		return NULL;
	}
	for (unsigned i = SOURCE_COMM; i <= SOURCE_CPU; i++) {
		if (strcmp(builtins[i], filter->field))
			continue;
		test->source = (enum field_source)i;
		return NULL;
	}
	return error_new(arena, ERROR_NOT_FOUND, "the filter's '%s' isn't a value of '%s'",
			 filter->field, probe->event);
}

static struct error *test_new(struct arena *arena, const struct probe *probe,
			      const struct filter *filter, const struct test **ret)
{
	struct test *test = arena_new(arena, struct test);
	struct error *error;

	test->filter = filter;
	*ret = test;
	if (filter->op > FILTER_NOT) {
		test->string_length = filter->is_string ? strlen(filter->string) : 0;
		return find_field(arena, probe, filter, test);
	}
	error = test_new(arena, probe, filter->left, &test->left);
	if (!error && filter->op != FILTER_NOT)
		error = test_new(arena, probe, filter->right, &test->right);
	return error;
}

struct error *filter_compile(struct arena *arena, const struct probe *probe,
			     const struct test **ret)
{
	*ret = NULL;
	return probe->filter ? test_new(arena, probe, probe->filter, ret) : NULL;
}

static enum answer both(enum answer a, enum answer b)
{
	if (a == NO || b == NO)
		return NO;
	return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : YES;
}

static enum answer opposite(enum answer a)
{
	return a == UNKNOWN ? UNKNOWN : a == YES ? NO : YES;
}

static enum answer compare_reals(const struct filter *filter, long double a)
{
	switch (filter->op) {
	case FILTER_EQ: return a == filter->real ? YES : NO;
	case FILTER_NE: return a != filter->real ? YES : NO;
	case FILTER_LT: return a < filter->real ? YES : NO;
	case FILTER_LE: return a <= filter->real ? YES : NO;
	case FILTER_GT: return a > filter->real ? YES : NO;
	case FILTER_GE: return a >= filter->real ? YES : NO;
	default: return UNKNOWN;
	}
}

/* Exact whatever the signs: u64 against -1 is greater, not equal. */
static enum answer compare_numbers(const struct filter *filter, __int128 a)
{
	__int128 b = filter->is_negative ? (__int128)(int64_t)filter->number :
					   (__int128)filter->number;

	if (filter->is_real)
		return compare_reals(filter, (long double)a); /* exact: 64 bits of mantissa */
	switch (filter->op) {
	case FILTER_EQ: return a == b ? YES : NO;
	case FILTER_NE: return a != b ? YES : NO;
	case FILTER_LT: return a < b ? YES : NO;
	case FILTER_LE: return a <= b ? YES : NO;
	case FILTER_GT: return a > b ? YES : NO;
	case FILTER_GE: return a >= b ? YES : NO;
	case FILTER_BITS: return (uint64_t)a & filter->number ? YES : NO;
	default: return UNKNOWN;
	}
}

/* A cut text may go on with anything: only a pattern that ends in '*' ("abc*") can still match. */
static enum answer match_text(const struct test *test, const char *text, size_t length, bool is_cut)
{
	const char *pattern = test->filter->string;
	char copy[KERNEL_RECORD_MAX + 1];

	if (length >= sizeof(copy))
		return UNKNOWN;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (glob_matches(pattern, copy))
		return !is_cut || pattern[test->string_length - 1] == '*' ? YES : UNKNOWN;
	return is_cut ? UNKNOWN : NO;
}

static enum answer compare_text(const struct test *test, const char *text, size_t length,
				bool is_cut)
{
	const struct filter *filter = test->filter;
	bool begins = length <= test->string_length && !memcmp(text, filter->string, length);
	enum answer equal = !begins			  ? NO :
			    is_cut			  ? UNKNOWN :
			    length == test->string_length ? YES :
							    NO;

	switch (filter->op) {
	case FILTER_EQ: return equal;
	case FILTER_NE: return opposite(equal);
	case FILTER_MATCH: return match_text(test, text, length, is_cut);
	default: return UNKNOWN;
	}
}

static enum answer compare_float(const struct filter *filter, const struct value *value,
				 const struct datum *datum)
{
	unsigned size = value_size(value);

	if (datum->kind == DATUM_INT && (size == 4 || size == 8))
		return compare_reals(filter, real_decode(&datum->number, size)); /* little endian */
	if (datum->kind == DATUM_BYTES && size == 16 && datum->length >= size)
		return compare_reals(filter, real_decode(datum->bytes, size));
	return UNKNOWN;
}

static enum answer compare_bytes(const struct filter *filter, const struct datum *datum)
{
	const uint8_t *bytes = datum->bytes;
	bool equal = true;

	if (datum->kind != DATUM_BYTES || datum->length < filter->nbytes)
		return UNKNOWN;
	for (unsigned i = 0; i < filter->nbytes; i++)
		equal = equal && !((bytes[i] ^ filter->bytes[i]) & filter->mask[i]);
	return equal == (filter->op == FILTER_EQ) ? YES : NO;
}

static enum answer compare_value(const struct test *test, const struct event *event)
{
	const struct datum *datum = &event->values[test->value];
	const struct value *value = &event->probe->values[test->value];

	if (test->filter->bytes)
		return compare_bytes(test->filter, datum);
	if (value_is_float(value) && test->filter->is_real)
		return compare_float(test->filter, value, datum);
	if (datum->kind == DATUM_INT && !test->filter->is_string)
		return compare_numbers(test->filter, value->is_signed ?
				       (__int128)(int64_t)datum->number :
				       (__int128)datum->number);
	if (datum->kind == DATUM_BYTES && value->render == RENDER_STRING &&
	    test->filter->is_string)
		return compare_text(test, datum->bytes, datum->length, datum->reason);
	return UNKNOWN;
}

static enum answer compare(const struct test *test, const struct event *event)
{
	if (test->source == SOURCE_VALUE)
		return compare_value(test, event);
	if ((test->source == SOURCE_COMM) != test->filter->is_string)
		return UNKNOWN;
	if (test->source == SOURCE_COMM)
		return compare_text(test, event->comm, strlen(event->comm), false);
	return compare_numbers(test->filter, test->source == SOURCE_PID ? event->pid : event->cpu);
}

static enum answer ask(const struct test *test, const struct event *event)
{
	switch (test->filter->op) {
	case FILTER_AND:
		return both(ask(test->left, event), ask(test->right, event));
	case FILTER_OR: /* !(!a && !b) */
		return opposite(both(opposite(ask(test->left, event)),
				     opposite(ask(test->right, event))));
	case FILTER_NOT:
		return opposite(ask(test->left, event));
	default:
		return compare(test, event);
	}
}

struct error *conditions_compile(struct arena *arena, const struct probe *probe, unsigned count,
				 const struct test *const **ret)
{
	const struct test **tests = arena_array(arena, const struct test *, count + 1);
	struct error *error = NULL;

	for (unsigned i = 0; i < count && !error; i++)
		if (probe->watched[i])
			error = test_new(arena, probe, probe->watched[i], &tests[i]);
	*ret = tests;
	return error;
}

void conditions_test(const struct test *const *tests, unsigned count, struct event *event)
{
	event->tested = event->held = 0;
	for (unsigned i = 0; i < count; i++) {
		enum answer answer = tests[i] ? ask(tests[i], event) : UNKNOWN;

		event->tested |= (uint64_t)(answer != UNKNOWN) << i;
		event->held |= (uint64_t)(answer == YES) << i;
	}
}

bool filter_passes(const struct test *test, const struct event *event)
{
	return !test || ask(test, event) == YES;
}
