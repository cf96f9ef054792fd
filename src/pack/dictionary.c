// SPDX-License-Identifier: GPL-2.0-only
/* Finds texts and expressions by their numbers; a block of them is unpacked when one of its own is
 * asked for. */
#include <stdlib.h>

#include "base/last.h"
#include "pack/decode.h"
#include "pack/die_operands.h"

/* Fills in where each text is. Returns false when the last one doesn't end. */
static bool list_texts(struct text_block *block, struct in in)
{
	const char *start = (const char *)in.at;
	uint64_t room = 0;

	for (const uint8_t *at = in.at; (at = memchr(at, '\0', (size_t)(in.end - at))); at++)
		room++;
	block->bytes = start;
	block->offsets = calloc(room + 1, sizeof(*block->offsets));
	if (!block->offsets)
		out_of_memory();
	for (block->count = 0; in.at < in.end && !in.is_bad; block->count++) {
		block->offsets[block->count] =
			(uint32_t)(block->start + (uint64_t)((const char *)in.at - start));
		get_text(&in);
	}
	return !in.is_bad;
}

static void drop_texts(struct text_block *block)
{
	free(block->offsets);
	block->offsets = NULL;
	block->count = 0;
}

static bool list_expressions(struct expression_block *block, struct in in)
{
	uint64_t room = 0;

	for (struct in at = in; at.at < at.end && !at.is_bad; room++)
		get_bytes(&at, get_leb(&at));
	block->list = calloc(room + 1, sizeof(*block->list));
	if (!block->list)
		out_of_memory();
	for (block->count = 0; in.at < in.end && !in.is_bad; block->count++) {
		uint64_t length = get_leb(&in);
		const uint8_t *bytes = get_bytes(&in, length);

		if (bytes)
			block->list[block->count].bytes = in_bytes(bytes, length);
	}
	return !in.is_bad;
}

static void drop_expressions(struct expression_block *block)
{
	free(block->list);
	free(block->bytes);
	*block = (struct expression_block){0};
}

bool text_numbered(struct decoder *decoder, uint64_t number, uint32_t *offset, const char **bytes)
{
	struct text_block *block = &decoder->texts[number / TEXTS_EACH];

	if (number / TEXTS_EACH >= decoder->ntexts)
		return false;
	if (!block->offsets) {
		size_t size = 0;
		const char *loaded =
			decoder->load(decoder->cookie, GROUP_TEXTS, number / TEXTS_EACH, &size);

		if (!loaded || !list_texts(block, in_bytes(loaded, size)) ||
		    block->count > TEXTS_EACH)
			drop_texts(block);
	}
	if (number % TEXTS_EACH >= block->count)
		return false;
	*offset = block->offsets[number % TEXTS_EACH];
	if (bytes)
		*bytes = block->bytes + (*offset - block->start);
	return true;
}

bool own_text_numbered(const struct decoder *decoder, uint64_t number, uint32_t *offset)
{
	if (number >= decoder->own_texts.count)
		return false;
	*offset = decoder->own_texts.offsets[number];
	return true;
}

uint64_t own_expression(const struct decoder *decoder, uint64_t number)
{
	return decoder->nexpressions * EXPRESSIONS_EACH + number;
}

static void load_expressions(struct decoder *decoder, uint64_t index)
{
	struct expression_block *block = &decoder->expressions[index];
	size_t size = 0;

	block->bytes = decoder->load(decoder->cookie, GROUP_EXPRESSIONS, index, &size);
	if (!block->bytes || !list_expressions(block, in_bytes(block->bytes, size)) ||
	    block->count > EXPRESSIONS_EACH)
		drop_expressions(block);
}

struct expression *expression_numbered(struct decoder *decoder, uint64_t number)
{
	uint64_t index = number / EXPRESSIONS_EACH;
	struct expression_block *block = &decoder->own_expressions;

	if (index >= decoder->nexpressions) {
		number -= own_expression(decoder, 0);
	} else {
		block = &decoder->expressions[index];
		number %= EXPRESSIONS_EACH;
		if (!block->list)
			load_expressions(decoder, index);
	}
	return number < block->count ? &block->list[number] : NULL;
}

int operand_count(struct expression *expression)
{
	struct operand operands[OPERANDS_MAX];

	if (!expression->operands)
		expression->operands =
			(int8_t)(find_operands(expression->bytes.at, in_left(&expression->bytes),
					       operands) +
				 1);
	return expression->operands - 1;
}

bool take_own(struct decoder *decoder, struct in texts, uint64_t start, struct in expressions)
{
	drop_texts(&decoder->own_texts);
	drop_expressions(&decoder->own_expressions);
	decoder->own_texts.start = start;
	return list_texts(&decoder->own_texts, texts) &&
	       list_expressions(&decoder->own_expressions, expressions);
}

void dictionary_end(struct decoder *decoder)
{
	for (uint64_t i = 0; i < decoder->ntexts; i++)
		drop_texts(&decoder->texts[i]);
	for (uint64_t i = 0; i < decoder->nexpressions; i++)
		drop_expressions(&decoder->expressions[i]);
	drop_texts(&decoder->own_texts);
	drop_expressions(&decoder->own_expressions);
	decoder->ntexts = decoder->nexpressions = 0;
}
