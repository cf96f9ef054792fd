// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads nodes from columns: the mirror of encode.c. Nothing is believed: a number that is too large for what it
 * counts or names ends the block as damaged.
 */
#include <stdlib.h>

#include "base/last.h"
#include "base/search.h"
#include "pack/decode.h"
#include "pack/expression.h"

#define TOKENS_MAX  ((size_t)1 << 26)
#define COLUMNS_MAX 1000000

void add_token(struct tokens *tokens, uint64_t value)
{
	if (tokens->count == tokens->size) {
		tokens->size = tokens->size ? 2 * tokens->size : 1024;
		tokens->list = realloc(tokens->list, tokens->size * sizeof(*tokens->list));
		if (!tokens->list)
			out_of_memory();
	}
	tokens->list[tokens->count++] = value;
}

static bool list_texts(struct decoder *decoder, struct in strings)
{
	const uint8_t *start = strings.at;
	uint64_t room = 0;

	for (const uint8_t *at = start; (at = memchr(at, '\0', (size_t)(strings.end - at))); at++)
		room++;
	decoder->texts = arena_array(decoder->arena, uint32_t, room + 1);
	while (strings.at < strings.end && !strings.is_bad) {
		decoder->texts[decoder->ntexts++] = (uint32_t)(strings.at - start);
		get_text(&strings);
	}
	return !strings.is_bad;
}

static bool list_expressions(struct decoder *decoder, struct in in)
{
	uint64_t room = 0;

	for (struct in at = in; at.at < at.end && !at.is_bad; room++)
		get_bytes(&at, get_leb(&at));
	decoder->expressions = arena_array(decoder->arena, struct in, room + 1);
	while (in.at < in.end && !in.is_bad) {
		uint64_t length = get_leb(&in);
		const uint8_t *bytes = get_bytes(&in, length);

		if (bytes)
			decoder->expressions[decoder->nexpressions++] = in_bytes(bytes, length);
	}
	decoder->operands = arena_array(decoder->arena, int8_t, decoder->nexpressions + 1);
	return !in.is_bad;
}

static bool list_files(struct decoder *decoder, struct in in)
{
	decoder->files = arena_array(decoder->arena, struct file_parts, in_left(&in) / 2 + 1);
	while (in.at < in.end) {
		uint64_t directory = get_leb(&in), name = get_leb(&in);

		if (in.is_bad || directory >= decoder->ntexts || name >= decoder->ntexts)
			return false;
		decoder->files[decoder->nfiles++] = (struct file_parts){(uint32_t)directory, (uint32_t)name};
	}
	return true;
}

bool decoding_begin(struct decoder *decoder, struct arena *arena, struct in strings, struct in shapes, struct in expressions,
		  struct in files)
{
	decoder->arena = arena;
	decoder->strings = (const char *)strings.at;
	shapes_init(&decoder->shapes, arena);
	return shapes_read(&shapes, &decoder->shapes) && list_texts(decoder, strings) &&
	       list_expressions(decoder, expressions) && list_files(decoder, files);
}

uint64_t class_count(const struct decoder *decoder)
{
	return decoder->npools ? decoder->pools[decoder->npools - 1].end : 0;
}

bool read_labels(struct decoder *decoder, struct in in, uint64_t nlabels)
{
	uint64_t count = class_count(decoder);

	if (count > in_left(&in) || nlabels >= NONE)
		return false;
	decoder->nlabels = nlabels;
	decoder->labels = arena_array(decoder->arena, uint32_t, count + 1);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t label = get_leb(&in);

		if (label > nlabels)
			return false;
		decoder->labels[i] = (uint32_t)label;
	}
	return in.at == in.end;
}

static uint64_t part_count(const struct pool_block *block)
{
	return (block->end - block->first + PART_CLASSES - 1) / PART_CLASSES;
}

static void drop_pool(struct pool_block *block)
{
	for (uint64_t i = 0; block->parts && i < part_count(block); i++)
		free(block->parts[i].tokens.list);
	free(block->bytes);
}

void decoding_end(struct decoder *decoder)
{
	for (uint64_t i = 0; i < decoder->npools; i++)
		drop_pool(&decoder->pools[i]);
	free(decoder->scratch.list);
	decoder->npools = 0;
}

/* Reads the lengths of one column, and makes starts of them. */
static bool read_starts(struct in *in, uint64_t *starts, uint64_t nparts, uint64_t *at)
{
	for (uint64_t i = 0; i < nparts; i++) {
		uint64_t length = get_leb(in);

		starts[i] = *at;
		if (length > STREAM_MAX || *at > STREAM_MAX)
			return false;
		*at += length;
	}
	starts[nparts] = *at;
	return !in->is_bad;
}

bool columns_open(struct arena *arena, struct in in, struct in nodes, uint64_t nparts, uint64_t least,
		  struct columns *ret)
{
	uint64_t count = get_leb(&in), at = 0, node_at = 0;

	*ret = (struct columns){.nparts = nparts, .node_data = nodes.at};
	if (count > COLUMNS_MAX || (count + 1) > in_left(&in) / (nparts ?: 1))
		return false;
	ret->count = count > least ? count : least;
	ret->list = arena_array(arena, struct in, ret->count);
	ret->starts = arena_array(arena, uint64_t, (ret->count + 1) * (nparts + 1));
	for (uint64_t i = 0; i < count; i++)
		if (!read_starts(&in, ret->starts + i * (nparts + 1), nparts, &at))
			return false;
	if (!read_starts(&in, ret->starts + ret->count * (nparts + 1), nparts, &node_at))
		return false;
	ret->data = in.at;
	return at == in_left(&in) && node_at == in_left(&nodes);
}

void columns_take(struct columns *columns, uint64_t part)
{
	const uint64_t *starts = columns->starts + part;

	for (uint64_t i = 0; i < columns->count; i++, starts += columns->nparts + 1)
		columns->list[i] = in_bytes(columns->data + starts[0], starts[1] - starts[0]);
	columns->nodes = in_bytes(columns->node_data + starts[0], starts[1] - starts[0]);
}

bool columns_close(const struct columns *columns)
{
	for (uint64_t i = 0; i < columns->count; i++)
		if (columns->list[i].is_bad || columns->list[i].at != columns->list[i].end)
			return false;
	return columns->nodes.at == columns->nodes.end && !columns->nodes.is_bad;
}

int operand_count(struct decoder *decoder, uint64_t expression)
{
	struct operand operands[OPERANDS_MAX];
	const struct in *in = &decoder->expressions[expression];

	if (!decoder->operands[expression])
		decoder->operands[expression] = (int8_t)(find_operands(in->at, in_left(in), operands) + 1);
	return decoder->operands[expression] - 1;
}

struct decoding {
	struct decoder *decoder;
	struct in *columns;
	struct tracker *tracker;
	struct tokens *tokens;
	uint32_t class;
	bool is_bad;
};

static uint64_t number(struct decoding *decoding, uint32_t column)
{
	return get_leb(&decoding->columns[column]);
}

static uint64_t delta(struct decoding *decoding, uint32_t column)
{
	return get_near(&decoding->columns[column]);
}

/* The class << 1, or the label << 1 | 1. */
static uint64_t class_or_label(uint32_t class, uint64_t value)
{
	if (value & 1)
		return value;
	if (value & 2)
		return value >> 2 << 1;
	value >>= 2;
	return (class - (value >> 1 ^ (value & 1 ? ~(uint64_t)0 : 0))) << 1;
}

static void decode_reference(struct decoding *decoding, const struct shape *shape, const struct field *field, unsigned depth)
{
	const struct place *expected = expected_origin(decoding->tracker, depth, shape->tag, field->name);
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

static void decode_expression(struct decoding *decoding, uint32_t column, bool has_operands)
{
	uint64_t expression = number(decoding, column);

	decoding->is_bad |= expression >= decoding->decoder->nexpressions;
	if (decoding->is_bad)
		return;
	add_token(decoding->tokens, expression);
	for (int i = has_operands ? operand_count(decoding->decoder, expression) : 0; i > 0; i--) {
		add_token(decoding->tokens, number(decoding, COLUMN_OPERAND_NODE));
		add_token(decoding->tokens, number(decoding, COLUMN_OPERAND_PLACE));
	}
}

static void decode_location(struct decoding *decoding, const struct shape *shape, const struct field *field)
{
	uint64_t count = number(decoding, COLUMN_LIST_COUNT), last = decoding->tracker->address;

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
	if (!shape->has_views || field->name != DW_AT_location)
		return;
	for (uint64_t i = 0; i < count; i++) {
		add_token(decoding->tokens, number(decoding, COLUMN_VIEW_START));
		add_token(decoding->tokens, number(decoding, COLUMN_VIEW_END));
	}
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

static uint64_t decode_text(struct decoding *decoding, uint32_t column)
{
	uint64_t value = number(decoding, column);

	if (!(value & 1)) {
		value = decoding->tracker->next_text + (value >> 1);
		decoding->tracker->next_text = value + 1;
	} else {
		value >>= 1;
	}
	if (value < decoding->decoder->ntexts)
		return decoding->decoder->texts[value];
	decoding->is_bad = true;
	return 0;
}

static void decode_field(struct decoding *decoding, const struct shape *shape, const struct field *field, unsigned depth)
{
	struct tracker *tracker = decoding->tracker;
	bool is_call = is_of_call(field->name);

	switch (field->code) {
	case CODE_NUMBER: add_token(decoding->tokens, number(decoding, field->column)); break;
	case CODE_SIGNED: add_token(decoding->tokens, delta(decoding, field->column)); break;
	case CODE_LINE:
		add_token(decoding->tokens, tracker->lines[is_call] += delta(decoding, field->column));
		break;
	case CODE_FILE:
		add_token(decoding->tokens, tracker->files[is_call] += delta(decoding, field->column));
		break;
	case CODE_TEXT: add_token(decoding->tokens, decode_text(decoding, field->column)); break;
	case CODE_ADDRESS:
		add_token(decoding->tokens, tracker->address += delta(decoding, field->column));
		break;
	case CODE_REF: decode_reference(decoding, shape, field, depth); break;
	case CODE_BLOCK: decode_expression(decoding, field->column, field->form == DW_FORM_exprloc); break;
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

bool decode_fields(struct decoder *decoder, struct columns *columns, struct tracker *tracker, const struct shape *shape,
		   unsigned depth, uint32_t class, struct tokens *ret)
{
	struct decoding decoding = {decoder, columns->list, tracker, ret, class, false};

	return decode_die(&decoding, shape, depth);
}

bool decode_node(struct decoder *decoder, struct columns *columns, struct tracker *tracker, uint32_t class,
		 struct tokens *ret)
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

static bool load_pool(struct decoder *decoder, uint64_t index)
{
	struct pool_block *block = &decoder->pools[index];
	uint64_t nparts = part_count(block);
	size_t size;

	block->bytes = decoder->load_pool(decoder->cookie, index, &size);
	if (!block->bytes || !columns_open(decoder->arena, in_bytes(block->bytes, size), in_bytes("", 0), nparts,
					   decoder->shapes.ncolumns, &block->columns)) {
		free(block->bytes);
		block->bytes = NULL;
		return false;
	}
	block->parts = arena_array(decoder->arena, struct pool_part, nparts + 1);
	return true;
}

static bool decode_part(struct decoder *decoder, struct pool_block *block, uint32_t number)
{
	struct pool_part *part = &block->parts[number];
	uint32_t first = block->first + number * PART_CLASSES, left = block->end - first;
	uint32_t count = left < PART_CLASSES ? left : PART_CLASSES;
	struct tracker tracker = {0};
	bool is_good = true;

	part->tokens.count = 0;
	columns_take(&block->columns, number);
	for (uint32_t i = 0; i < count && is_good; i++) {
		part->starts[i] = part->tokens.count;
		is_good = decode_node(decoder, &block->columns, &tracker, first + i, &part->tokens);
	}
	part->starts[count] = part->tokens.count;
	part->is_there = is_good && columns_close(&block->columns);
	return part->is_there;
}

bool pool_node(struct decoder *decoder, uint32_t class, const uint64_t **tokens, size_t *count)
{
	size_t at = partition_point(decoder->npools, i, decoder->pools[i].end <= class);
	struct pool_block *block = &decoder->pools[at];

	struct pool_part *part;
	uint32_t number;

	if (at == decoder->npools || (!block->bytes && !load_pool(decoder, at)))
		return false;
	number = (class - block->first) / PART_CLASSES;
	part = &block->parts[number];
	if (!part->is_there && !decode_part(decoder, block, number))
		return false;
	number = (class - block->first) % PART_CLASSES;
	*tokens = part->tokens.list + part->starts[number];
	*count = part->starts[number + 1] - part->starts[number];
	return true;
}
