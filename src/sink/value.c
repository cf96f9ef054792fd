// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a value in the notation of a sink. This is the only walk over shapes: text and JSON differ
 * in how an element is written, never in what it is. A value that is one number or one plain array
 * has no shape, and is given one here.
 */
#include "sink/value.h"

#include <string.h>

#include "expr/expr.h"

const char lost_reason[] = "it was optimised out";

const char *none_reason(const struct value *value, const struct datum *datum)
{
	if (datum->reason)
		return datum->reason;
	if (value->reason)
		return value->reason;
	if (value->finish && expr_has_no_value(value->finish))
		return "debug information calculates it, and doesn't tell on how many bits or with "
		       "which sign, which matters for these numbers";
	return value->finish || value->by_cpu ? "division by zero" : "not recorded";
}

static void put_shape(const struct writer *to, const struct shape *shape, const uint8_t *bytes);

static void put_array(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	size_t stride = shape->stride ?: shape->element->size;

	strbuf_puts(to->out, to->notation->array_begin);
	for (uint32_t i = 0; i < shape->count; i++) {
		if (i)
			strbuf_putc(to->out, ',');
		put_shape(to, shape->element, bytes + i * stride);
	}
	strbuf_puts(to->out, to->notation->array_end);
}

/* A bit-field may span nine bytes; those of the struct are all there. */
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
		break;
	case SHAPE_FORMATTED:
		put_formatted(to, shape, bytes);
		break;
	case SHAPE_LOST:
		to->notation->none(to->out, lost_reason);
	}
}

/* The recorded elements of a value without a shape. */
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
	if (value->render == RENDER_STRING) {
		to->notation->string(to->out, datum->bytes, datum->length);
		if (datum->reason)
			strbuf_puts(to->out, to->notation->cut);
	} else if (!value->shape) {
		put_elements(to, value, datum);
	} else if (datum->length < value->shape->size) {
		to->notation->none(to->out, "not recorded");
	} else {
		put_shape(to, value->shape, datum->bytes);
	}
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
	bool is_pointee =
		value->is_pointee && (datum->kind == DATUM_INT || datum->kind == DATUM_BYTES);
	const struct writer to = {out, notation, context, 0};

	if (is_pointee)
		strbuf_puts(out, notation->pointee_begin);
	if (value->stack && datum->kind == DATUM_BYTES) {
		const struct stack_frame *frames;
		unsigned count;

		frames = stack_frames(value, datum, context, &count);
		notation->stack(out, frames, count, datum->reason);
		return;
	}
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
	if (is_pointee)
		strbuf_puts(out, notation->pointee_end);
}
