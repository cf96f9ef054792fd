// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes and reads the head of a pack: its builds, their sections and streams. Nothing of it is believed
 * before it was checked against the file's size: a pack may come from anywhere.
 */
#include <elf.h>

#include "pack/internal.h"

#define IMAGES_MAX   100000
#define SECTIONS_MAX 60000
#define STREAMS_MAX  1000000

static void put_section(struct strbuf *out, const struct section *section)
{
	put_text(out, section->name);
	put_leb(out, section->type);
	put_leb(out, section->flags);
	put_leb(out, section->address);
	put_leb(out, section->size);
	put_leb(out, section->link);
	put_leb(out, section->info);
	put_leb(out, section->align);
	put_leb(out, section->entry);
	put_leb(out, section->stream);
}

static void put_image(struct strbuf *out, const struct image_head *image)
{
	put_text(out, image->name);
	put_text(out, image->build_id);
	put_leb(out, image->kind);
	put_leb(out, image->type);
	put_leb(out, image->machine);
	put_leb(out, image->nsections);
	for (uint64_t i = 0; i < image->nsections; i++)
		put_section(out, &image->sections[i]);
	put_leb(out, image->nstreams);
	for (uint64_t i = 0; i < image->nstreams; i++) {
		put_leb(out, image->streams[i].packed);
		put_leb(out, image->streams[i].size);
	}
	put_leb(out, image->first_part);
	put_leb(out, image->npools);
	put_leb(out, image->nblocks);
}

void head_write(struct strbuf *out, const struct image_head *images, unsigned count)
{
	put_leb(out, count);
	for (unsigned i = 0; i < count; i++)
		put_image(out, &images[i]);
}

/* A count of things of which each takes a byte or more. */
static uint64_t get_count(struct in *in, uint64_t most)
{
	uint64_t count = get_leb(in);

	if (count <= most && count <= in_left(in))
		return count;
	in->is_bad = true;
	return 0;
}

static const char *copy_text(struct arena *arena, struct in *in)
{
	return arena_strdup(arena, get_text(in));
}

static void get_section(struct arena *arena, struct in *in, struct section *ret)
{
	ret->name = copy_text(arena, in);
	ret->type = get_leb(in);
	ret->flags = get_leb(in);
	ret->address = get_leb(in);
	ret->size = get_leb(in);
	ret->link = get_leb(in);
	ret->info = get_leb(in);
	ret->align = get_leb(in);
	ret->entry = get_leb(in);
	ret->stream = get_leb(in);
}

static bool is_section_sound(const struct image_head *image, const struct section *section)
{
	return section->type <= UINT32_MAX && section->link <= UINT32_MAX && section->info <= UINT32_MAX &&
	       section->stream <= image->nstreams && (section->type == SHT_NOBITS || section->size <= STREAM_MAX) &&
	       (!section->stream || image->streams[section->stream - 1].size == section->size);
}

static bool is_sound(const struct image_head *image)
{
	uint64_t made = image->npools + 2 * image->nblocks, total = 0;

	if (made ? image->first_part > image->nstreams || image->npools > image->nstreams ||
	    image->nblocks > image->nstreams || NPARTS + made != image->nstreams - image->first_part :
	    image->first_part)
		return false;
	for (uint64_t i = 0; i < image->nsections; i++) {
		if (!is_section_sound(image, &image->sections[i]))
			return false;
		total += image->sections[i].type == SHT_NOBITS ? 0 : image->sections[i].size;
	}
	return total <= IMAGE_MAX && image->type <= UINT16_MAX && image->machine <= UINT16_MAX && image->kind <= 2;
}

static void get_streams(struct arena *arena, struct in *in, struct image_head *image, uint64_t *at, uint64_t file_size)
{
	image->nstreams = get_count(in, STREAMS_MAX);
	image->streams = arena_array(arena, struct stream, image->nstreams + 1);
	for (uint64_t i = 0; i < image->nstreams; i++) {
		struct stream *stream = &image->streams[i];

		stream->at = *at;
		stream->packed = get_leb(in);
		stream->size = get_leb(in);
		in->is_bad |= stream->packed > file_size - *at || stream->size > STREAM_MAX;
		if (in->is_bad)
			return;
		*at += stream->packed;
	}
}

static void get_image(struct arena *arena, struct in *in, struct image_head *image, uint64_t *at, uint64_t file_size)
{
	image->name = copy_text(arena, in);
	image->build_id = copy_text(arena, in);
	image->kind = get_leb(in);
	image->type = get_leb(in);
	image->machine = get_leb(in);
	image->nsections = get_count(in, SECTIONS_MAX);
	image->sections = arena_array(arena, struct section, image->nsections + 1);
	for (uint64_t i = 0; i < image->nsections && !in->is_bad; i++)
		get_section(arena, in, &image->sections[i]);
	get_streams(arena, in, image, at, file_size);
	image->first_part = get_leb(in);
	image->npools = get_leb(in);
	image->nblocks = get_leb(in);
	in->is_bad |= !is_sound(image);
}

bool head_read(struct arena *arena, struct in *in, uint64_t data_at, uint64_t file_size, struct pack *pack)
{
	uint64_t count = get_count(in, IMAGES_MAX), at = data_at;

	pack->images = arena_array(arena, struct image_head, count + 1);
	pack->nimages = (unsigned)count;
	for (uint64_t i = 0; i < count && !in->is_bad; i++)
		get_image(arena, in, &pack->images[i], &at, file_size);
	return !in->is_bad && in->at == in->end && at == file_size;
}
