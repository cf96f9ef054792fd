// SPDX-License-Identifier: GPL-2.0-only
/* Keeps each text, file and expression of a build once. */
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
			 texts->list[i].length == length && !memcmp(texts->list[i].bytes, bytes, length));
	if (at == LOOKUP_NONE) {
		at = texts->count;
		lookup_add(build->arena, &texts->by_content, hash, at);
		arena_append(build->arena, texts->list, texts->count) = (struct text){bytes, (uint32_t)length, NONE};
	}
	if (known)
		*known = (uint32_t)at + 1;
	return (uint32_t)at;
}

uint32_t text_number(struct build *build, uint32_t index)
{
	struct texts *texts = &build->texts;
	struct text *text = &texts->list[index];

	if (text->number == NONE) {
		text->number = texts->ncoded++;
		strbuf_add(&texts->coded, text->bytes, text->length);
		strbuf_add(&texts->coded, "", 1);
	}
	return text->number;
}

uint32_t file_of(struct build *build, uint32_t directory, uint32_t name)
{
	struct files *files = &build->files;
	uint32_t hash = number_hash((uint64_t)directory << 32 | name);
	size_t at = lookup_find(&files->by_key, hash, i,
				files->list[i].directory == directory && files->list[i].name == name);

	if (at != LOOKUP_NONE)
		return (uint32_t)at;
	lookup_add(build->arena, &files->by_key, hash, files->count);
	arena_append(build->arena, files->list, files->count) = (struct file_key){directory, name, NONE};
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
	uint32_t hash = (uint32_t)bytes_hash(bytes, length);
	size_t at = lookup_find(&build->by_expression, hash, i,
				build->expression_list[i].length == length &&
				!memcmp(build->expressions.data + build->expression_list[i].at, bytes, length));

	if (at != LOOKUP_NONE)
		return (uint32_t)at;
	lookup_add(build->arena, &build->by_expression, hash, build->nexpressions);
	put_leb(&build->expressions, length);
	arena_append(build->arena, build->expression_list, build->nexpressions) =
		(struct expression_key){build->expressions.length, length};
	strbuf_add(&build->expressions, bytes, length);
	return (uint32_t)build->nexpressions - 1;
}
