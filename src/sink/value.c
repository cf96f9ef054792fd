// SPDX-License-Identifier: GPL-2.0-only
/*
 * A value and its datum in, bytes out, in the notation of a sink. The only walk over shapes: text and
 * JSON differ in how an element is written, never in what it is. A value whose one number or array
 * says all has no shape, and is given one here.
 */
#include "sink/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/expr.h"

#define DIGITS_MAX 20 /* of a 64-bit number */

char *prepend_padded(char *p, uint64_t number, unsigned width, char fill)
{
	const char *from = p - width;

	do {
		*--p = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (p > from)
		*--p = fill;
	return p;
}

void put_unsigned(struct strbuf *out, uint64_t number)
{
	char buffer[DIGITS_MAX];
	char *p = prepend_padded(buffer + DIGITS_MAX, number, 0, ' ');

	strbuf_add(out, p, (size_t)(buffer + DIGITS_MAX - p));
}

void put_signed(struct strbuf *out, int64_t number)
{
	char buffer[DIGITS_MAX + 1];
	uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char *p = prepend_padded(buffer + sizeof(buffer), size, 0, ' ');

	if (number < 0)
		*--p = '-';
	strbuf_add(out, p, (size_t)(buffer + sizeof(buffer) - p));
}

void put_hex(struct strbuf *out, uint64_t number)
{
	char buffer[18];
	char *p = buffer + sizeof(buffer);

	do {
		*--p = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	*--p = 'x';
	*--p = '0';
	strbuf_add(out, p, (size_t)(buffer + sizeof(buffer) - p));
}

const char *none_reason(const struct value *value, const struct datum *datum)
{
	if (datum->reason)
		return datum->reason;
	if (value->reason)
		return value->reason;
	return value->finish || value->by_cpu ? "division by zero" : "not recorded";
}

const char *symbol_of(const struct sink_context *context, uint64_t address)
{
	return context && context->symbolize ? context->symbolize(context->cookie, address) : NULL;
}


/* What is handed down the walk. */
struct writer {
	struct strbuf *out;
	const struct notation *notation;
	const struct sink_context *context;
	unsigned depth; /* of structs around */
};

static void put_symbol(const struct writer *to, uint64_t number)
{
	const char *symbol = symbol_of(to->context, number);

	if (symbol)
		to->notation->word(to->out, symbol);
	else
		to->notation->hex(to->out, number);
}

static void put_plain(const struct writer *to, const struct shape *shape, uint64_t number)
{
	if (shape->is_signed)
		put_signed(to->out, (int64_t)number);
	else
		put_unsigned(to->out, number);
}

static const char *enumerator_name(const struct shape *shape, uint64_t number)
{
	for (unsigned i = 0; i < shape->nenumerators; i++)
		if (shape->enumerators[i].number == number)
			return shape->enumerators[i].name;
	return NULL;
}

/* Names of the bits, joined by '|'. false: some bit has none, or it doesn't fit. */
static bool flag_names(const struct shape *shape, uint64_t number, char *text, size_t size)
{
	size_t used = 0;

	for (; number; number &= number - 1) {
		const char *name = enumerator_name(shape, number & -number);
		size_t length = name ? strlen(name) : 0;

		if (!name || used + length + 2 > size)
			return false;
		if (used)
			text[used++] = '|';
		memcpy(text + used, name, length + 1);
		used += length;
	}
	return used;
}

static void put_enum(const struct writer *to, const struct shape *shape, uint64_t number)
{
	const char *name = enumerator_name(shape, number);
	char flags[512];

	if (!name && shape->is_flags && flag_names(shape, number, flags, sizeof(flags)))
		name = flags;
	if (name)
		to->notation->word(to->out, name);
	else
		put_plain(to, shape, number);
}

static void put_errno(const struct writer *to, const struct shape *shape, uint64_t number)
{
	bool is_error = (int64_t)number < 0 && (int64_t)number >= -ERRNO_MAX;
	const char *name = is_error ? errno_name(-(int)(int64_t)number) : NULL;
	char text[32];

	if (name) {
		snprintf(text, sizeof(text), "-%s", name);
		to->notation->word(to->out, text);
	} else if (is_error) {
		put_signed(to->out, (int64_t)number);
	} else {
		put_plain(to, shape, number);
	}
}

/* The fewest digits that tell the number from its neighbours. JSON has no word for "nan". */
static void put_float(const struct writer *to, long double number, unsigned size)
{
	int digits = size == 4 ? 6 : size == 8 ? 15 : 18;
	int most = size == 4 ? 9 : size == 8 ? 17 : 21;
	char text[64];

	for (; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*Lg", digits, number);
		if (size == 4 ? strtof(text, NULL) == (float)number :
		    size == 8 ? strtod(text, NULL) == (double)number :
				strtold(text, NULL) == number)
			break;
	}
	if (isfinite(number))
		strbuf_puts(to->out, text);
	else
		to->notation->word(to->out, text);
}

static void put_float_bits(const struct writer *to, uint64_t number, unsigned size)
{
	uint32_t half = (uint32_t)number;
	double value;
	float narrow;

	if (size == 4) {
		memcpy(&narrow, &half, sizeof(narrow));
		put_float(to, (long double)narrow, size);
	} else {
		memcpy(&value, &number, sizeof(value));
		put_float(to, (long double)value, size);
	}
}

static void put_number(const struct writer *to, const struct shape *shape, uint64_t number)
{
	switch (shape->render) {
	case RENDER_SIGNED:
		put_signed(to->out, (int64_t)number);
		break;
	case RENDER_HEX:
		to->notation->hex(to->out, number);
		break;
	case RENDER_CHAR:
		to->notation->character(to->out, number);
		break;
	case RENDER_BOOL:
		strbuf_puts(to->out, number ? "true" : "false");
		break;
	case RENDER_SYMBOL:
		put_symbol(to, number);
		break;
	case RENDER_ENUM:
		put_enum(to, shape, number);
		break;
	case RENDER_ERRNO:
		put_errno(to, shape, number);
		break;
	case RENDER_FLOAT:
		put_float_bits(to, number, shape->size);
		break;
	case RENDER_UNSIGNED:
	case RENDER_STRING: /* a string that is no bytes: can't be, show what there is */
		put_unsigned(to->out, number);
	}
}

/* x87: 64 bits of mantissa with its leading one, 15 of exponent, the sign; six bytes of nothing. */
static void put_x87(const struct writer *to, const uint8_t *bytes)
{
	uint64_t mantissa;
	uint16_t top;
	long double number;
	int exponent;

	memcpy(&mantissa, bytes, 8);
	memcpy(&top, bytes + 8, 2);
	exponent = top & 0x7fff;
	if (exponent == 0x7fff)
		number = mantissa << 1 ? (long double)NAN : (long double)INFINITY;
	else
		number = ldexpl((long double)mantissa, (exponent ? exponent : 1) - 16383 - 63);
	put_float(to, top & 0x8000 ? -number : number, 16);
}

static void put_wide(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	unsigned __int128 number;
	char buffer[48];
	char *p = buffer + sizeof(buffer) - 1;
	bool is_hex = shape->render == RENDER_HEX || shape->render == RENDER_SYMBOL;
	bool is_negative;

	if (shape->render == RENDER_FLOAT) {
		put_x87(to, bytes);
		return;
	}
	memcpy(&number, bytes, sizeof(number));
	is_negative = shape->is_signed && !is_hex && (__int128)number < 0;
	if (is_negative)
		number = -number;
	*p = '\0';
	do {
		*--p = "0123456789abcdef"[number % (is_hex ? 16 : 10)];
		number /= is_hex ? 16 : 10;
	} while (number);
	if (is_hex)
		*--p = 'x';
	if (is_hex || is_negative)
		*--p = is_hex ? '0' : '-';
	to->notation->wide(to->out, p);
}

static void put_shape(const struct writer *to, const struct shape *shape, const uint8_t *bytes);

static void put_array(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	strbuf_puts(to->out, to->notation->array_begin);
	for (uint32_t i = 0; i < shape->count; i++) {
		if (i)
			strbuf_putc(to->out, ',');
		put_shape(to, shape->element, bytes + (size_t)i * shape->element->size);
	}
	strbuf_puts(to->out, to->notation->array_end);
}

/* A bit-field's bytes may be as many as nine; those of the struct are all there. */
static uint64_t bit_field(const struct shape_member *member, const uint8_t *bytes)
{
	unsigned used = (member->bit_offset + member->bit_size + 7u) / 8;
	unsigned __int128 all = 0;

	memcpy(&all, bytes + member->offset, used);
	return extend_bits((uint64_t)(all >> member->bit_offset), member->bit_size,
			   member->shape->is_signed);
}

static void put_line(const struct writer *to, unsigned depth)
{
	strbuf_putc(to->out, '\n');
	for (unsigned i = 0; i < depth; i++)
		strbuf_puts(to->out, "    ");
}

static void put_struct(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	bool is_nested = to->notation->can_nest && to->context && to->context->is_nested;
	struct writer inner = *to;

	inner.depth++;
	strbuf_puts(to->out, to->notation->struct_begin);
	for (unsigned i = 0; i < shape->nmembers; i++) {
		const struct shape_member *member = &shape->members[i];

		if (i && !is_nested)
			strbuf_puts(to->out, to->notation->member_end);
		if (is_nested)
			put_line(to, inner.depth);
		to->notation->member(to->out, member->name);
		if (member->bit_size)
			put_number(&inner, member->shape, bit_field(member, bytes));
		else
			put_shape(&inner, member->shape, bytes + member->offset);
		if (is_nested)
			strbuf_putc(to->out, ',');
	}
	if (is_nested && shape->nmembers)
		put_line(to, to->depth);
	strbuf_putc(to->out, '}');
}

static void put_shape(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	uint64_t number = 0;

	switch (shape->kind) {
	case SHAPE_NUMBER:
		if (shape->size > 8) {
			put_wide(to, shape, bytes);
			break;
		}
		memcpy(&number, bytes, shape->size);
		put_number(to, shape, extend_bits(number, shape->size * 8u, shape->is_signed));
		break;
	case SHAPE_TEXT:
		to->notation->string(to->out, (const char *)bytes,
				     strnlen((const char *)bytes, shape->size));
		break;
	case SHAPE_ARRAY:
		put_array(to, shape, bytes);
		break;
	case SHAPE_STRUCT:
		put_struct(to, shape, bytes);
	}
}

/* Of a value without a shape: the elements that were recorded. */
static void put_elements(const struct writer *to, const struct value *value,
			 const struct datum *datum)
{
	unsigned size = value->size == 2 || value->size == 4 || value->size == 8 ? value->size : 1;
	const struct shape element = {
		.kind = SHAPE_NUMBER,
		.size = size,
		.render = value->render,
		.is_signed = value->is_signed || value->render == RENDER_SIGNED,
	};
	struct shape array = {
		.kind = SHAPE_ARRAY,
		.element = &element,
		.count = datum->length / size,
	};

	if (value->count && value->count < array.count)
		array.count = value->count;
	put_array(to, &array, datum->bytes);
}

static void put_bytes(const struct writer *to, const struct value *value,
		      const struct datum *datum)
{
	if (value->render == RENDER_STRING)
		to->notation->string(to->out, datum->bytes, datum->length);
	else if (!value->shape)
		put_elements(to, value, datum);
	else if (datum->length < value->shape->size)
		to->notation->none(to->out, "not recorded");
	else
		put_shape(to, value->shape, datum->bytes);
}

static void put_scalar(const struct writer *to, const struct value *value, uint64_t number)
{
	const struct shape shape = {
		.kind = SHAPE_NUMBER,
		.size = value->size,
		.render = value->render,
		.is_signed = value->is_signed,
	};

	put_number(to, value->shape ? value->shape : &shape, number);
}

void put_value(struct strbuf *out, const struct notation *notation, const struct value *value,
	       const struct datum *datum, const struct sink_context *context)
{
	const struct writer to = {out, notation, context, 0};

	switch (datum->kind) {
	case DATUM_INT:
		put_scalar(&to, value, datum->number);
		break;
	case DATUM_BYTES:
		put_bytes(&to, value, datum);
		break;
	case DATUM_FAULT:
		notation->fault(out);
		break;
	case DATUM_NONE:
		notation->none(out, none_reason(value, datum));
	}
}
