// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a comparison with a floating-point number into one for the kernel, which only sees the
 * value's bits, as an unsigned number. Positive numbers have the order of their bits, up to
 * infinity; the negative ones follow after the sign bit, in reverse; after either infinity are
 * NaNs, which compare unequal to all.
 */
#include <math.h>

#include "base/real.h"
#include "plan/kernel_filter.h"

struct bits {
	unsigned long long sign;
	unsigned long long infinity;
	unsigned long long number; /* the constant's bits, without its sign */
	bool is_negative;
};

static struct bits bits_of(long double number, unsigned size)
{
	float narrow = (float)number;
	double wide = (double)number;
	uint32_t half;
	uint64_t all;

	memcpy(&half, &narrow, sizeof(half));
	memcpy(&all, &wide, sizeof(all));
	if (size == 4)
		return (struct bits){1ull << 31, 0x7f800000, half & 0x7fffffff,
				     half >> 31 && number != 0};
	return (struct bits){1ull << 63, 0x7ffull << 52, all & ~(1ull << 63),
			     all >> 63 && number != 0};
}

static char *equal_text(struct arena *arena, const char *field, const struct bits *bits)
{
	if (!bits->number)
		return arena_printf(arena, "(%s == 0 || %s == %llu)", field, field, bits->sign);
	return arena_printf(arena, "%s == %llu", field,
			    bits->number | (bits->is_negative ? bits->sign : 0));
}

/* The numbers further from 0 than the constant, on its side of 0. */
static char *beyond_text(struct arena *arena, const char *field, const struct bits *bits,
			 bool or_equal)
{
	unsigned long long sign = bits->is_negative ? bits->sign : 0;

	return arena_printf(arena, "(%s >%s %llu && %s <= %llu)", field, or_equal ? "=" : "",
			    sign | bits->number, field, sign | bits->infinity);
}

/* The numbers nearer to 0 than the constant, and all on the other side of 0. */
static char *before_text(struct arena *arena, const char *field, const struct bits *bits,
			 bool or_equal)
{
	const char *mark = or_equal ? "<=" : "<";

	if (bits->is_negative)
		return arena_printf(arena, "(%s <= %llu || (%s >= %llu && %s %s %llu))", field,
				    bits->infinity, field, bits->sign, field, mark,
				    bits->sign | bits->number);
	return arena_printf(arena, "(%s %s %llu || (%s >= %llu && %s <= %llu))", field, mark,
			    bits->number, field, bits->sign, field, bits->sign | bits->infinity);
}

/* Compares with 0, which exists with either sign. */
static char *zero_text(struct arena *arena, const char *field, const struct bits *bits,
		       enum filter_op op)
{
	struct bits below = *bits;
	const char *strict;

	below.is_negative = op == FILTER_LT || op == FILTER_LE;
	strict = beyond_text(arena, field, &below, false);
	if (op == FILTER_LT || op == FILTER_GT)
		return (char *)strict;
	return arena_printf(arena, "(%s || %s)", strict, equal_text(arena, field, bits));
}

char *real_text(struct arena *arena, const struct filter *filter, const char *field, unsigned size)
{
	struct bits bits = bits_of(filter->real, size);
	bool or_equal = filter->op == FILTER_LE || filter->op == FILTER_GE;
	bool is_less = filter->op == FILTER_LT || filter->op == FILTER_LE;

	if (filter->op == FILTER_EQ)
		return equal_text(arena, field, &bits);
	if (filter->op == FILTER_NE)
		return arena_printf(arena, "!(%s)", equal_text(arena, field, &bits));
	if (!bits.number)
		return zero_text(arena, field, &bits, filter->op);
	return is_less == bits.is_negative ? beyond_text(arena, field, &bits, or_equal) :
					     before_text(arena, field, &bits, or_equal);
}

/* Rounds the constant to the value's own type: what is shown as 0.1 equals 0.1. */
static struct error *round_constant(const struct assign *assign, struct filter *filter,
				    unsigned size)
{
	const char *text = filter->decimal;
	long double exact;

	if (!text)
		text = filter->constant ? filter->constant :
		       arena_printf(assign->arena, filter->is_negative ? "%lld" : "%llu",
				    (unsigned long long)filter->number);
	real_parse(text, size, &filter->real);
	real_parse(text, 0, &exact);
	if (!isinf(filter->real) || isinf(exact))
		return NULL;
	return error_at(error_new(assign->arena, ERROR_SYNTAX, "%s is beyond what '%s' can be",
				  text, filter->field),
			assign->text, filter->value_span);
}

struct error *real_constant(const struct assign *assign, struct filter *filter,
			    const struct value *value)
{
	struct error *error;

	if (filter->op == FILTER_BITS)
		return error_at(error_new(assign->arena, ERROR_SYNTAX,
					  "'&' is for bits, and there is a floating-point number"),
				assign->text, filter->span);
	filter->is_real = true;
	if (!value || !value_is_float(value)) {
		real_parse(filter->decimal, 0, &filter->real);
		return NULL;
	}
	error = round_constant(assign, filter, value_size(value));
	if (error || !isnan(filter->real))
		return error;
	return error_hint(assign->arena, error_at(
		error_new(assign->arena, ERROR_SYNTAX, "no comparison with nan is true"),
		assign->text, filter->value_span), "to match nan: !(%s <= inf)", filter->field);
}
