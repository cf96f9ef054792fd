// SPDX-License-Identifier: GPL-2.0-only
/* Keeps each text, file and expression of a build once, and gives them their numbers. */
#include <stdlib.h>

#include "pack/build.h"

uint32_t text_of(struct build *build, const uint8_t *bytes, size_t length)
{
	const struct bytes *strings = &build->source.debug.str;
	struct texts *texts = &build->texts;
	bool is_shared = bytes >= strings->data && bytes < strings->data + strings->size;
	uint32_t hash, *known = NULL;
	size_t at;

	if (is_shared) {
		if (!texts->by_offset)
			texts->by_offset = arena_array(build->arena, uint32_t, strings->size);
		known = &texts->by_offset[bytes - strings->data];
		if (*known)
			return *known - 1;
	}
	hash = (uint32_t)bytes_hash(bytes, length);
	at = lookup_find(&texts->by_content, hash, i,
			 texts->list[i].length == length &&
				 !memcmp(texts->list[i].bytes, bytes, length));
	if (at == LOOKUP_NONE) {
		at = texts->count;
		lookup_add(build->arena, &texts->by_content, hash, at);
		arena_append(build->arena, texts->list, texts->count) =
			(struct text){bytes, (uint32_t)length, HOME_NONE, NONE};
	}
	if (known)
		*known = (uint32_t)at + 1;
	return (uint32_t)at;
}

uint32_t file_of(struct build *build, uint32_t directory, uint32_t name)
{
	struct files *files = &build->files;
	uint32_t hash = number_hash((uint64_t)directory << 32 | name);
	size_t at =
		lookup_find(&files->by_key, hash, i,
			    files->list[i].directory == directory && files->list[i].name == name);

	if (at != LOOKUP_NONE)
		return (uint32_t)at;
	lookup_add(build->arena, &files->by_key, hash, files->count);
	arena_append(build->arena, files->list, files->count) =
		(struct file_key){directory, name, NONE};
	return (uint32_t)files->count - 1;
}

uint32_t file_number(struct build *build, uint32_t index)
{
	struct files *files = &build->files;
	struct file_key *file = &files->list[index];

	if (file->number == NONE) {
		file->number = (uint32_t)files->ncoded;
		arena_append(build->arena, files->coded, files->ncoded) = index;
	}
	return file->number;
}

uint32_t expression_of(struct build *build, const uint8_t *bytes, size_t length)
{
	struct expressions *expressions = &build->expressions;
	uint32_t hash = (uint32_t)bytes_hash(bytes, length);
	size_t at = lookup_find(
		&expressions->by_content, hash, i,
		expressions->list[i].length == length &&
			!memcmp(expressions->bytes.data + expressions->list[i].at, bytes, length));

	if (at != LOOKUP_NONE)
		return (uint32_t)at;
	lookup_add(build->arena, &expressions->by_content, hash, expressions->count);
	arena_append(build->arena, expressions->list, expressions->count) =
		(struct expression_key){expressions->bytes.length, length, HOME_NONE, 0, NONE};
	strbuf_add(&expressions->bytes, bytes, length);
	strbuf_add(&expressions->bytes, "", 1); /* so that there are bytes */
	return (uint32_t)expressions->count - 1;
}

void note_home(uint32_t *home, uint32_t use)
{
	if (*home == HOME_NONE)
		*home = use;
	else if (*home != use)
		*home = HOME_ALL;
}

static void put_text_bytes(struct strbuf *out, const struct text *text)
{
	strbuf_add(out, text->bytes, text->length);
	strbuf_add(out, "", 1);
}

uint32_t text_number(struct build *build, uint32_t index)
{
	struct texts *texts = &build->texts;
	struct text *text = &texts->list[index];

	if (text->number != NONE)
		return text->number;
	if (text->home == HOME_ALL) {
		text->number = texts->ncoded;
		arena_append(build->arena, texts->coded, texts->ncoded) = index;
	} else {
		text->number = texts->nown++;
		put_text_bytes(&texts->own, text);
	}
	return text->number;
}

static void put_expression_bytes(const struct build *build, struct strbuf *out,
				 const struct expression_key *expression)
{
	put_leb(out, expression->length);
	strbuf_add(out, build->expressions.bytes.data + expression->at, expression->length);
}

uint32_t expression_number(struct build *build, uint32_t index)
{
	struct expressions *expressions = &build->expressions;
	struct expression_key *expression = &expressions->list[index];

	if (expression->number == NONE) {
		expression->number = expressions->nown++;
		put_expression_bytes(build, &expressions->own, expression);
	}
	return expression->number;
}

struct by_uses {
	uint32_t uses, index;
};

static int compare_uses(const void *left, const void *right)
{
	const struct by_uses *a = left, *b = right;

	return a->uses != b->uses ? (a->uses < b->uses) - (a->uses > b->uses) :
				    (a->index > b->index) - (a->index < b->index);
}

void number_shared(struct build *build)
{
	struct expressions *expressions = &build->expressions;
	struct by_uses *list = arena_array(build->arena, struct by_uses, expressions->count + 1);

	for (size_t i = 0; i < build->files.ncoded; i++)
		text_number(build, build->files.list[build->files.coded[i]].directory);
	for (size_t i = 0; i < build->files.ncoded; i++)
		text_number(build, build->files.list[build->files.coded[i]].name);
	for (size_t i = 0; i < expressions->count; i++)
		if (expressions->list[i].home == HOME_ALL)
			list[expressions->ncoded++] =
				(struct by_uses){expressions->list[i].uses, (uint32_t)i};
	qsort(list, expressions->ncoded, sizeof(*list), compare_uses);
	expressions->coded = arena_array(build->arena, uint32_t, expressions->ncoded + 1);
	for (uint32_t i = 0; i < expressions->ncoded; i++) {
		expressions->coded[i] = list[i].index;
		expressions->list[list[i].index].number = i;
	}
}

size_t put_shared_texts(const struct build *build, struct coded_block **ret)
{
	const struct texts *texts = &build->texts;
	size_t count = (texts->ncoded + TEXTS_EACH - 1) / TEXTS_EACH;

	*ret = arena_array(build->arena, struct coded_block, count + 1);
	for (uint32_t i = 0; i < texts->ncoded; i++)
		put_text_bytes(&(*ret)[i / TEXTS_EACH].streams[0], &texts->list[texts->coded[i]]);
	return count;
}

size_t put_shared_expressions(const struct build *build, struct coded_block **ret)
{
	const struct expressions *expressions = &build->expressions;
	size_t count = (expressions->ncoded + EXPRESSIONS_EACH - 1) / EXPRESSIONS_EACH;

	*ret = arena_array(build->arena, struct coded_block, count + 1);
	for (uint32_t i = 0; i < expressions->ncoded; i++)
		put_expression_bytes(build, &(*ret)[i / EXPRESSIONS_EACH].streams[0],
				     &expressions->list[expressions->coded[i]]);
	return count;
}
