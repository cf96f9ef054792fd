// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes one value of a hit: as it was recorded, computed, put together from pieces, or the reason
 * why there isn't one. Root can write to the buffer in other ways too: no offset or length in a
 * record is trusted.
 */
#include <string.h>

#include "expr/expr.h"
#include "stream/internal.h"

/* Whether it is an object, or a number too wide for a datum, recorded piece by piece. */
bool value_is_gathered(const struct value *value)
{
	const struct shape *shape = value->shape;

	return shape && (shape->kind != SHAPE_NUMBER || shape->size > 8) && value->nfetches > 1 &&
	       !value->finish && !value->by_cpu && !value->parts;
}

static bool holds(const struct record *record, const struct field *field)
{
	return (uint32_t)field->offset + field->size <= record->length;
}

bool record_int(const struct record *record, const struct field *field, uint64_t *ret)
{
	if (field->kind != FIELD_INT || !holds(record, field))
		return false;
	*ret = load_number(record->data + field->offset, field->size, field->is_signed);
	return true;
}

static void set_kind(struct datum *datum, enum datum_kind kind)
{
	*datum = (struct datum){.kind = kind};
}

static const char *const missing_reasons[PART_COUNT] = {
	[PART_MEMORY] = "its record is not there",
	[PART_ENTRY] = "entry not seen",
};

/* Where fetch `number` was recorded. Returns false when that record is not there. */
static bool find_field(const struct decoder *decoder, unsigned number, const struct record **record,
		       const struct field **field)
{
	*record = &decoder->parts[number / KERNEL_ARGS_MAX];
	if (!(*record)->layout)
		return false;
	*field = &(*record)->layout->fetches[number % KERNEL_ARGS_MAX];
	return true;
}

/* Whether a string faulted, told by the next one. Where the memory it is reached through could
 * not be read, the kernel sets its length to all the space left for strings and lets the next
 * one begin at the same place (trace_probe_tmpl.h: store_trace_args); a string that was read
 * takes at least a byte. */
static bool is_overtaken(const struct record *record, const struct field *field, uint32_t offset)
{
	uint32_t location;

	if (!field->next || (uint32_t)field->next + sizeof(location) > record->length)
		return false;
	memcpy(&location, record->data + field->next, sizeof(location));
	return (location & 0xffff) == offset;
}

void record_dynamic(const struct record *record, const struct field *field, struct datum *datum)
{
	uint32_t location, offset, length;

	set_kind(datum, DATUM_NONE);
	if (!holds(record, field))
		return;
	memcpy(&location, record->data + field->offset, sizeof(location));
	offset = (location & 0xffff) + field->base;
	length = location >> 16;
	if (offset + length > record->length)
		return;
	set_kind(datum, DATUM_BYTES);
	datum->bytes = record->data + offset;
	datum->length = length;
	/* "" has its NUL: only a fault has no byte at all */
	if (!field->may_be_empty && (!length || is_overtaken(record, field, location & 0xffff)))
		set_kind(datum, DATUM_FAULT);
}

void record_string(const struct record *record, const struct field *field, struct datum *datum)
{
	record_dynamic(record, field, datum);
	if (datum->kind == DATUM_BYTES)
		datum->length = (uint32_t)strnlen((const char *)datum->bytes, datum->length);
}

static void read_bytes(const struct record *record, const struct field *field,
		       struct datum *datum)
{
	set_kind(datum, holds(record, field) ? DATUM_BYTES : DATUM_NONE);
	datum->bytes = record->data + field->offset;
	datum->length = field->size;
}

/* What the kernel recorded for one field. */
static void read_field(const struct record *record, const struct field *field, struct datum *datum)
{
	switch (field->kind) {
	case FIELD_INT:
		set_kind(datum, DATUM_INT);
		if (!record_int(record, field, &datum->number))
			set_kind(datum, DATUM_NONE);
		break;
	case FIELD_STRING:
		record_dynamic(record, field, datum);
		break;
	case FIELD_BYTES:
		read_bytes(record, field, datum);
		break;
	case FIELD_ABSENT:
		set_kind(datum, DATUM_NONE);
	}
}

/* Whether the memory that a guard (index + 1; 0: none) covers could be read. A guard works the
 * other way round: its own string has no byte then. */
static bool was_read(const struct record *record, unsigned guard)
{
	const struct field *field;
	uint32_t location;

	if (!guard)
		return true;
	field = &record->layout->fetches[guard - 1];
	if (field->kind != FIELD_STRING || !holds(record, field))
		return false;
	memcpy(&location, record->data + field->offset, sizeof(location));
	return !(location >> 16) || !is_overtaken(record, field, location & 0xffff);
}

#define PAGE 4096u /* the smallest */

/* How many bytes of a window could be read, from its start. */
static uint32_t readable(const struct window *window, const struct record *record)
{
	bool first = was_read(record, window->first), last = was_read(record, window->last);
	uint64_t at = 0;
	uint32_t rest;

	if (!window->is_checked || (first && last))
		return window->size;
	if (window->at != UINT32_MAX && !record_int(record, &record->layout->fetches[
	    window->at % KERNEL_ARGS_MAX], &at))
		return 0;
	at += (uint64_t)window->at_offset;
	if (at % PAGE < 7) /* `first` reaches into the page before */
		first = last;
	if (!first)
		return 0;
	if (last || at % PAGE + window->size <= PAGE)
		return window->size;
	rest = (uint32_t)(PAGE - at % PAGE);
	return at >> 63 ? rest / 8 * 8 : rest; /* kernel memory is read by whole elements */
}

uint32_t window_readable(const struct decoder *decoder, unsigned number)
{
	const struct record *record = &decoder->parts[number / KERNEL_ARGS_MAX];

	return readable(record->layout->probe->fetches[number % KERNEL_ARGS_MAX].window, record);
}

/* Whether a fetch's memory could not be read, told by its guards. */
static bool has_faulted(const struct decoder *decoder, unsigned number)
{
	const struct record *record = &decoder->parts[number / KERNEL_ARGS_MAX];
	const struct fetch *fetch = &record->layout->probe->fetches[number % KERNEL_ARGS_MAX];

	if (fetch->window)
		return readable(fetch->window, record) < fetch->window->size;
	return !was_read(record, fetch->guards[0]) &&
	       !(fetch->guards[1] && was_read(record, fetch->guards[1]));
}

/* Whether an expression over fetches uses one that has faulted. */
static bool uses_fault(const struct decoder *decoder, const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_FETCH)
		return has_faulted(decoder, (unsigned)expr->value);
	return uses_fault(decoder, expr->a) || uses_fault(decoder, expr->b);
}

static const char *missing_reason(const struct decoder *decoder, const struct value *value)
{
	for (unsigned i = 0; i < value->nfetches; i++) {
		enum part part = value->fetches[i] / KERNEL_ARGS_MAX;

		if (!decoder->parts[part].layout)
			return missing_reasons[part];
	}
	return NULL;
}

/* Reads the numbers that an expression over fetches needs. */
static bool read_numbers(struct decoder *decoder, const unsigned *fetches, unsigned count)
{
	const struct record *record;
	const struct field *field;

	for (unsigned i = 0; i < count; i++)
		if (!find_field(decoder, fetches[i], &record, &field) ||
		    (field->kind == FIELD_INT &&
		     !record_int(record, field, &decoder->numbers[fetches[i]])))
			return false;
	return true;
}

static void finish(struct decoder *decoder, const struct value *value, const struct expr *finish,
		   struct datum *datum)
{
	if (uses_fault(decoder, finish)) {
		set_kind(datum, DATUM_FAULT);
		return;
	}
	set_kind(datum, DATUM_INT);
	if (!read_numbers(decoder, value->fetches, value->nfetches) ||
	    !expr_eval(finish, decoder->numbers, &datum->number))
		set_kind(datum, DATUM_NONE);
}

/* Puts the pieces of an object side by side. */
static void gather(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	uint8_t *to = decoder->objects + decoder->objects_used;
	const struct record *record;
	const struct field *field;
	struct datum piece;

	set_kind(datum, DATUM_NONE);
	for (unsigned i = 0; i < value->nfetches; i++) {
		if (!find_field(decoder, value->fetches[i], &record, &field))
			return;
		if (has_faulted(decoder, value->fetches[i])) {
			set_kind(datum, DATUM_FAULT);
			return;
		}
		read_bytes(record, field, &piece);
		if (piece.kind != DATUM_BYTES || datum->length + piece.length > value->shape->size)
			return;
		memcpy(to + datum->length, piece.bytes, piece.length);
		datum->length += piece.length;
	}
	decoder->objects_used += datum->length;
	datum->kind = DATUM_BYTES;
	datum->bytes = to;
}

/* Cuts a number to the value's width, and a string to its length. */
static void fit(const struct value *value, struct datum *datum)
{
	if (datum->kind == DATUM_INT && value->size)
		datum->number = extend_bits(datum->number, value->size * 8u, value->is_signed);
	if (datum->kind == DATUM_INT && value->shape && value->shape->kind != SHAPE_NUMBER) {
		datum->kind = DATUM_BYTES; /* an object in a register */
		datum->bytes = &datum->number;
		datum->length = value->shape->size;
	}
	if (datum->kind != DATUM_BYTES || value->render != RENDER_STRING || value->windows)
		return;
	if (value->string_max && datum->length > value->string_max)
		datum->length = value->string_max;
	datum->length = (uint32_t)strnlen((const char *)datum->bytes, datum->length);
}

/* The value is exactly what was recorded. */
static void fetched(const struct decoder *decoder, unsigned number, struct datum *datum)
{
	const struct record *record;
	const struct field *field;

	if (!find_field(decoder, number, &record, &field))
		set_kind(datum, DATUM_NONE);
	else if (has_faulted(decoder, number))
		set_kind(datum, DATUM_FAULT);
	else
		read_field(record, field, datum);
}

static const char cut_reason[] = "it is longer";

/* A string of which a window was recorded: up to its NUL; without one it was cut. */
static void read_text(const struct decoder *decoder, const struct value *value,
		      const struct window *window, unsigned number, struct datum *datum)
{
	const struct record *record;
	const struct field *field;
	uint32_t length, there;

	set_kind(datum, DATUM_NONE);
	if (!find_field(decoder, number, &record, &field) ||
	    (uint32_t)field->offset + window->size > record->length)
		return;
	there = readable(window, record);
	length = window->size;
	if (value->string_max && value->string_max < length)
		length = value->string_max;
	set_kind(datum, DATUM_BYTES);
	datum->bytes = record->data + field->offset;
	datum->length = (uint32_t)strnlen(datum->bytes, there < length ? there : length);
	if (datum->length == there && there < length)
		set_kind(datum, DATUM_FAULT);
	else if (datum->length == length && length != value->string_max)
		datum->reason = cut_reason;
}

/* A per-CPU value: the one of the CPU of the hit. */
static void pick(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	unsigned cpu = (unsigned)decoder->event.cpu;
	const struct expr *its = cpu < value->ncpus ? value->by_cpu[cpu] : NULL;

	if (!its)
		set_kind(datum, DATUM_NONE);
	else if (value->windows)
		read_text(decoder, value, &value->windows[cpu], (unsigned)its->value, datum);
	else if (its->op != EXPR_FETCH)
		finish(decoder, value, its, datum);
	else
		fetched(decoder, (unsigned)its->value, datum);
}

/* The object's bytes, from the values of its parts. */
static void compute_parts(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	uint8_t *to = decoder->objects + decoder->objects_used;
	uint32_t length = 0;

	for (unsigned i = 0; i < value->nparts; i++) {
		const struct part_value *part = &value->parts[i];
		struct datum number;

		finish(decoder, value, part->expr, &number);
		if (number.kind != DATUM_INT) {
			*datum = number;
			return;
		}
		memcpy(to + length, &number.number, part->size); /* little endian */
		length += part->size;
	}
	decoder->objects_used += length;
	*datum = (struct datum){.kind = DATUM_BYTES, .bytes = to, .length = length};
}

void value_decode(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	const char *missing = NULL;

	if (value->status == VALUE_OK && decoder->keeper)
		missing = missing_reason(decoder, value);
	if (value->status != VALUE_OK || missing || value->is_start ||
	    value->is_between) /* see pairs.c */
		*datum = (struct datum){.kind = DATUM_NONE, .reason = missing};
	else if (value->stack)
		stack_decode(decoder, value, datum);
	else if (value->text)
		*datum = (struct datum){.kind = DATUM_BYTES, .bytes = value->text,
					.length = (uint32_t)strlen(value->text)};
	else if (value->is_duration)
		*datum = (struct datum){
			.kind = DATUM_INT,
			.number = decoder->parts[PART_OWN].time - decoder->parts[PART_ENTRY].time,
		};
	else if (value->by_cpu)
		pick(decoder, value, datum);
	else if (value->finish)
		finish(decoder, value, value->finish, datum);
	else if (value->parts)
		compute_parts(decoder, value, datum);
	else if (value_is_gathered(value))
		gather(decoder, value, datum);
	else if (value->windows)
		read_text(decoder, value, value->windows, value->fetch, datum);
	else
		fetched(decoder, value->fetch, datum);
	fit(value, datum);
}

/* Whether the value needs only this record, so that nothing can be missing. */
static bool is_own(const struct probe *probe, const struct value *value)
{
	for (unsigned i = 0; i < value->nfetches; i++)
		if (value->fetches[i] >= KERNEL_ARGS_MAX)
			return false;
	return value->fetch < probe->nfetches;
}

void value_plan(struct layout *layout, const struct value *value, struct plain *ret)
{
	unsigned size = value->size;
	const struct field *field;
	uint32_t end;

	if (value->status != VALUE_OK || value->stack || value->is_duration || value->is_start ||
	    value->is_between || value->by_cpu || value->finish || value->parts ||
	    value_is_gathered(value) || !is_own(layout->probe, value) ||
	    (value->shape && value->shape->kind != SHAPE_NUMBER))
		return;
	field = &layout->fetches[value->fetch];
	if (value->windows || field->kind != FIELD_INT ||
	    fetch_is_guarded(&layout->probe->fetches[value->fetch]) || size > field->size ||
	    (size & (size - 1)))
		return;
	end = (uint32_t)field->offset + (size ? size : field->size);
	if (end < sizeof(uint64_t))
		return;
	*ret = (struct plain){
		.is_plain = true,
		.is_signed = size ? value->is_signed : field->is_signed,
		.shift = (uint8_t)(64 - (end - field->offset) * 8),
		.offset = (uint16_t)(end - sizeof(uint64_t)),
	};
	end = (uint32_t)field->offset + field->size;
	layout->plain_end = end > layout->plain_end ? end : layout->plain_end;
}
