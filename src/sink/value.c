// SPDX-License-Identifier: GPL-2.0-only
/*
 * A value and its datum in, bytes out, in the notation of a sink. The only walk over renders and
 * arrays: text and JSON differ in how an element is written, never in what it is.
 */
#include "sink/value.h"

#include <string.h>

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

static void put_number(struct strbuf *out, const struct notation *notation,
		       const struct value *value, uint64_t number,
		       const struct sink_context *context)
{
	const char *symbol;

	switch (value->render) {
	case RENDER_SIGNED:
		put_signed(out, (int64_t)number);
		break;
	case RENDER_HEX:
		notation->hex(out, number);
		break;
	case RENDER_CHAR:
		notation->character(out, number);
		break;
	case RENDER_BOOL:
		strbuf_puts(out, number ? "true" : "false");
		break;
	case RENDER_SYMBOL:
		symbol = symbol_of(context, number);
		if (symbol)
			notation->symbol(out, symbol);
		else
			notation->hex(out, number);
		break;
	case RENDER_UNSIGNED:
	case RENDER_STRING: /* a string that is no bytes: can't be, show what there is */
		put_unsigned(out, number);
	}
}

/* One element of an array, sign- or zero-extended. */
static uint64_t element(const struct value *value, const uint8_t *bytes, unsigned size)
{
	uint64_t number = 0;
	unsigned unused = (8 - size) * 8;

	memcpy(&number, bytes, size);
	if (value->is_signed || value->render == RENDER_SIGNED)
		return (uint64_t)((int64_t)(number << unused) >> unused);
	return number;
}

static void put_array(struct strbuf *out, const struct notation *notation,
		      const struct value *value, const struct datum *datum,
		      const struct sink_context *context)
{
	unsigned size = value->size == 2 || value->size == 4 || value->size == 8 ? value->size : 1;
	uint32_t count = datum->length / size;

	if (value->count && value->count < count)
		count = value->count;
	strbuf_puts(out, notation->array_begin);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			strbuf_putc(out, ',');
		put_number(out, notation, value,
			   element(value, (const uint8_t *)datum->bytes + i * size, size),
			   context);
	}
	strbuf_puts(out, notation->array_end);
}

void put_value(struct strbuf *out, const struct notation *notation, const struct value *value,
	       const struct datum *datum, const struct sink_context *context)
{
	bool is_pointee = value->is_pointee && (datum->kind == DATUM_INT || datum->kind == DATUM_BYTES);

	if (is_pointee)
		strbuf_puts(out, notation->pointee_begin);
	switch (datum->kind) {
	case DATUM_INT:
		put_number(out, notation, value, datum->number, context);
		break;
	case DATUM_BYTES:
		if (value->render == RENDER_STRING)
			notation->string(out, datum->bytes, datum->length);
		else
			put_array(out, notation, value, datum, context);
		break;
	case DATUM_FAULT:
		notation->fault(out);
		break;
	case DATUM_NONE:
		notation->none(out, none_reason(value, datum));
	}
	if (is_pointee)
		strbuf_puts(out, notation->pointee_end);
}
