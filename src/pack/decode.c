// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads nodes from columns: the mirror of encode.c. Nothing is believed: a number that is too large
 * for what it counts or names ends the block as damaged.
 */
#include <stdlib.h>

#include "base/last.h"
#include "pack/decode.h"

#define TOKENS_MAX  ((size_t)1 << 26)
#define LABELS_MAX  ((uint64_t)1 << 24)

void tokens_grow(struct tokens *tokens)
{
	tokens->list = list_room(tokens->list, tokens->count, &tokens->size, sizeof(*tokens->list));
}

static bool list_files(struct decoder *decoder, struct in in)
{
	decoder->files = arena_array(decoder->arena, struct file_parts, in_left(&in) / 2 + 1);
	while (in.at < in.end) {
		uint64_t directory = get_leb(&in), name = get_leb(&in);

		if (in.is_bad || directory >= NONE || name >= NONE)
			return false;
		decoder->files[decoder->nfiles++] =
			(struct file_parts){(uint32_t)directory, (uint32_t)name};
	}
	return true;
}

uint64_t class_count(const struct decoder *decoder)
{
	return decoder->npools ? decoder->pools[decoder->npools - 1].end : 0;
}

static bool read_labels(struct decoder *decoder, struct in in)
{
	uint64_t count = class_count(decoder);

	decoder->nlabels = get_leb(&in);
	if (count > in_left(&in) || decoder->nlabels > LABELS_MAX)
		return false;
	decoder->labels = arena_array(decoder->arena, uint32_t, count + 1);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t label = get_leb(&in);

		if (label > decoder->nlabels)
			return false;
		decoder->labels[i] = (uint32_t)label;
	}
	return !in.is_bad && in.at == in.end;
}

bool decoding_begin(struct decoder *decoder, struct in shapes, struct in files, struct in labels)
{
	shapes_init(&decoder->shapes, decoder->arena);
	return shapes_read(&shapes, &decoder->shapes) && list_files(decoder, files) &&
	       read_labels(decoder, labels);
}

void decoding_end(struct decoder *decoder)
{
	pool_end(decoder);
	dictionary_end(decoder);
	free(decoder->scratch.list);
}

struct decoding {
	struct decoder *decoder;
	struct in *columns;
	struct tracker *tracker;
	struct tokens *tokens;
	uint32_t class;
	bool is_bad;
};

/* Nothing goes on behind the end of a column: there each number would be 0, as many as one
 * likes. */
static uint64_t number(struct decoding *decoding, uint32_t column)
{
	uint64_t value = get_leb(&decoding->columns[column]);

	decoding->is_bad |= decoding->columns[column].is_bad;
	return value;
}

static uint64_t delta(struct decoding *decoding, uint32_t column)
{
	return unfold_sign(number(decoding, column));
}

/* The class << 1, or the label << 1 | 1. */
static uint64_t class_or_label(uint32_t class, uint64_t value)
{
	if (value & 1)
		return value;
	if (value & 2)
		return value >> 2 << 1;
	value >>= 2;
	return (class - unfold_sign(value)) << 1;
}

static void decode_reference(struct decoding *decoding, const struct shape *shape,
			     const struct field *field, unsigned depth)
{
	const struct place *expected =
		expected_origin(decoding->tracker, depth, shape->tag, field->name);
	struct place place;

	if (expected) {
		place.node = expected->node + delta(decoding, field->column);
		place.place = expected->place + 1 + delta(decoding, field->column + 1);
	} else {
		place.node = number(decoding, field->column);
		if (decoding->class != NONE)
			place.node = class_or_label(decoding->class, place.node);
		place.place = number(decoding, field->column + 1);
	}
	note_reference(decoding->tracker, depth, shape->tag, field->name, place);
	add_token(decoding->tokens, place.node);
	add_token(decoding->tokens, place.place);
}

/* The number of an expression: 0 for the next one of the block of units, else one told apart by the
 * lowest bit: a number of all blocks, or how far back in this one. */
static uint64_t expression_number(struct decoding *decoding, uint32_t column)
{
	struct tracker *tracker = decoding->tracker;
	uint64_t value = number(decoding, column), back;

	if (value-- && !(value & 1))
		return value >> 1;
	decoding->is_bad |= decoding->class != NONE;
	if (value == UINT64_MAX)
		return own_expression(decoding->decoder, tracker->next_expression++);
	back = value >> 1;
	decoding->is_bad |= back >= tracker->next_expression;
	return decoding->is_bad ?
		       0 :
		       own_expression(decoding->decoder, tracker->next_expression - 1 - back);
}

static void decode_expression(struct decoding *decoding, uint32_t column, bool has_operands)
{
	uint64_t token = expression_number(decoding, column);
	struct expression *expression =
		decoding->is_bad ? NULL : expression_numbered(decoding->decoder, token);

	decoding->is_bad |= !expression;
	if (decoding->is_bad)
		return;
	add_token(decoding->tokens, token);
	for (int i = has_operands ? operand_count(expression) : 0; i > 0; i--) {
		add_token(decoding->tokens, number(decoding, COLUMN_OPERAND_NODE));
		add_token(decoding->tokens, number(decoding, COLUMN_OPERAND_PLACE));
	}
}

/* A location that begins where the last one ends begins in the same view. starts: of the list. */
static void decode_views(struct decoding *decoding, struct in starts, uint64_t count)
{
	uint64_t last = 0;

	for (uint64_t i = 0; i < count; i++) {
		bool goes_on = !get_near(&starts);

		add_token(decoding->tokens,
			  (goes_on ? last : 0) + delta(decoding, COLUMN_VIEW_START));
		last = number(decoding, COLUMN_VIEW_END);
		add_token(decoding->tokens, last);
	}
}

static void decode_location(struct decoding *decoding, const struct shape *shape,
			    const struct field *field)
{
	uint64_t count = number(decoding, COLUMN_LIST_COUNT), last = decoding->tracker->address;
	struct in starts = decoding->columns[COLUMN_LIST_START];

	decoding->is_bad |= count > in_left(&decoding->columns[COLUMN_LIST_START]);
	if (decoding->is_bad)
		return;
	add_token(decoding->tokens, count);
	for (uint64_t i = 0; i < count && !decoding->is_bad; i++) {
		uint64_t start = last + delta(decoding, COLUMN_LIST_START);

		last = start + number(decoding, COLUMN_LIST_LENGTH);
		add_token(decoding->tokens, start);
		add_token(decoding->tokens, last);
		decode_expression(decoding, COLUMN_LIST_EXPRESSION, true);
	}
	if (shape->has_views && field->name == DW_AT_location)
		decode_views(decoding, starts, count);
}

static void decode_ranges(struct decoding *decoding)
{
	uint64_t count = number(decoding, COLUMN_RANGE_COUNT), last = decoding->tracker->address;

	decoding->is_bad |= count > in_left(&decoding->columns[COLUMN_RANGE_START]);
	if (decoding->is_bad)
		return;
	add_token(decoding->tokens, count);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = last + delta(decoding, COLUMN_RANGE_START);

		if (!i)
			decoding->tracker->address = start;
		last = start + number(decoding, COLUMN_RANGE_LENGTH);
		add_token(decoding->tokens, start);
		add_token(decoding->tokens, last);
	}
}

/* The two lowest bits tell whether the text is one of this block of units, and whether its number
 * is its own or how far it is behind the highest so far. */
static uint64_t decode_text(struct decoding *decoding, uint32_t column)
{
	struct decoder *decoder = decoding->decoder;
	uint64_t value = number(decoding, column), at = value >> 2;
	bool is_own = value & 2;
	uint64_t *next = is_own ? &decoding->tracker->next_own_text : &decoding->tracker->next_text;
	uint32_t offset = 0;

	if (!(value & 1)) {
		at += *next;
		*next = at + 1;
	}
	decoding->is_bad |=
		is_own ? decoding->class != NONE || !own_text_numbered(decoder, at, &offset) :
			 !text_numbered(decoder, at, &offset, NULL);
	return offset;
}

static void decode_field(struct decoding *decoding, const struct shape *shape,
			 const struct field *field, unsigned depth)
{
	struct tracker *tracker = decoding->tracker;
	bool is_call = is_of_call(field->name);

	switch (field->code) {
	case CODE_NUMBER: add_token(decoding->tokens, number(decoding, field->column)); break;
	case CODE_SIGNED: add_token(decoding->tokens, delta(decoding, field->column)); break;
	case CODE_LINE:
		add_token(decoding->tokens,
			  tracker->lines[is_call] += delta(decoding, field->column));
		break;
	case CODE_FILE:
		add_token(decoding->tokens,
			  tracker->files[is_call] += delta(decoding, field->column));
		break;
	case CODE_TEXT: add_token(decoding->tokens, decode_text(decoding, field->column)); break;
	case CODE_ADDRESS:
		add_token(decoding->tokens, tracker->address += delta(decoding, field->column));
		break;
	case CODE_REF: decode_reference(decoding, shape, field, depth); break;
	case CODE_BLOCK:
		decode_expression(decoding, field->column, field->form == DW_FORM_exprloc);
		break;
	case CODE_BYTES: decode_expression(decoding, field->column, false); break;
	case CODE_LOCATION: decode_location(decoding, shape, field); break;
	case CODE_RANGES: decode_ranges(decoding); break;
	default: break;
	}
}

static bool decode_die(struct decoding *decoding, const struct shape *shape, unsigned depth)
{
	decoding->tracker->has_origin = false;
	for (unsigned i = 0; i < shape->nfields && !decoding->is_bad; i++)
		decode_field(decoding, shape, &shape->fields[i], depth);
	return !decoding->is_bad && decoding->tokens->count < TOKENS_MAX;
}

bool decode_first(struct decoder *decoder, struct columns *columns, struct tracker *tracker,
		  const struct shape *shape, struct tokens *ret)
{
	struct decoding decoding = {decoder, columns->list, tracker, ret, NONE, false};

	return decode_die(&decoding, shape, 0);
}

bool decode_node(struct decoder *decoder, struct columns *columns, struct tracker *tracker,
		 uint32_t class, struct tokens *ret)
{
	struct decoding decoding = {decoder, columns->list, tracker, ret, class, false};
	uint32_t shapes[DEPTH_MAX + 2] = {[1] = decoder->shapes.top};
	unsigned depth = 1;

	for (;;) {
		struct in *in = &columns->list[shapes[depth]];
		uint64_t at = get_leb(in);
		const struct shape *shape;

		if (in->is_bad || at > decoder->shapes.count || (!at && depth == 1))
			return false;
		add_token(ret, at);
		if (!at) {
			if (--depth == 1)
				return true;
			continue;
		}
		shape = &decoder->shapes.list[at - 1];
		if (!decode_die(&decoding, shape, depth))
			return false;
		if (!shape->has_children) {
			if (depth == 1)
				return true;
			continue;
		}
		if (depth == DEPTH_MAX)
			return false;
		enter_children(tracker, depth++);
		shapes[depth] = shape->children;
	}
}
