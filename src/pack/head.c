// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes and reads the head of a pack: its builds, their sections and streams. Nothing of it is
 * believed before it was checked against the file's size: a pack may come from anywhere.
 */
#include <elf.h>

#include "pack/internal.h"

#define IMAGES_MAX   100000
#define ONLY_MAX     100000
#define SECTIONS_MAX 60000
#define STREAMS_MAX  1000000
#define SECTION_NUMBERS 9
#define NAME_BLOCKS_MAX (1 << 16)

/* Numbers of a section, in the order in which they are in the head. */
static void list_numbers(struct section *section, uint64_t *ret[SECTION_NUMBERS])
{
	uint64_t *const list[SECTION_NUMBERS] = {
		&section->type,	 &section->flags, &section->address,
		&section->size,	 &section->link,  &section->info,
		&section->align, &section->entry, &section->stream,
	};

	memcpy(ret, list, sizeof(list));
}

static void put_image(struct strbuf *out, const struct image_head *image)
{
	put_text(out, image->name);
	put_text(out, image->build_id);
	put_leb(out, image->kind);
	put_leb(out, image->type);
	put_leb(out, image->machine);
	put_leb(out, image->nonly);
	for (uint64_t i = 0; i < image->nonly; i++)
		put_text(out, image->only[i]);
	put_leb(out, image->nsections);
	for (uint64_t i = 0; i < image->nsections; i++) {
		uint64_t *numbers[SECTION_NUMBERS];

		put_text(out, image->sections[i].name);
		list_numbers(&image->sections[i], numbers);
		for (unsigned j = 0; j < SECTION_NUMBERS; j++)
			put_leb(out, *numbers[j]);
	}
	put_leb(out, image->nstreams);
	for (uint64_t i = 0; i < image->nstreams; i++) {
		put_leb(out, image->streams[i].packed);
		put_leb(out, image->streams[i].size);
	}
	put_leb(out, image->first_part);
	for (unsigned i = 0; i < NGROUPS; i++)
		put_leb(out, image->counts[i]);
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

static void get_only(struct arena *arena, struct in *in, struct image_head *image)
{
	const char **only;

	image->nonly = get_count(in, ONLY_MAX);
	only = arena_array(arena, const char *, image->nonly + 1);
	for (uint64_t i = 0; i < image->nonly; i++)
		only[i] = copy_text(arena, in);
	image->only = only;
}

static void get_section(struct arena *arena, struct in *in, struct section *ret)
{
	uint64_t *numbers[SECTION_NUMBERS];

	ret->name = copy_text(arena, in);
	list_numbers(ret, numbers);
	for (unsigned i = 0; i < SECTION_NUMBERS; i++)
		*numbers[i] = get_leb(in);
}

static bool is_section_sound(const struct image_head *image, const struct section *section)
{
	return section->type <= UINT32_MAX && section->link <= UINT32_MAX &&
	       section->info <= UINT32_MAX && section->stream <= image->nstreams &&
	       (section->type == SHT_NOBITS || section->size <= STREAM_MAX) &&
	       (!section->stream || image->streams[section->stream - 1].size == section->size);
}

bool is_bounded(const struct image_head *image)
{
	uint64_t packed = 0, streams = 0, sections = 0;

	for (uint64_t i = 0; i < image->nstreams; i++) {
		packed += image->streams[i].packed;
		streams += image->streams[i].size;
	}
	for (uint64_t i = 0; i < image->nsections; i++)
		sections += image->sections[i].type == SHT_NOBITS ? 0 : image->sections[i].size;
	return streams <= RATIO_SLACK + STREAMS_RATIO * packed &&
	       sections <= RATIO_SLACK + IMAGE_RATIO * packed;
}

static bool is_sound(const struct image_head *image)
{
	uint64_t made = NPARTS;

	for (unsigned i = 0; i < NGROUPS; i++) {
		if (image->counts[i] > image->nstreams)
			return false;
		made += image->counts[i] * (i == GROUP_UNITS ? UNIT_STREAMS : 1);
	}
	if (image->counts[GROUP_UNITS] &&
	    (!image->counts[GROUP_NAMES] || image->counts[GROUP_NAMES] > NAME_BLOCKS_MAX ||
	     image->counts[GROUP_NAMES] & (image->counts[GROUP_NAMES] - 1)))
		return false;
	if (image->counts[GROUP_UNITS] ? image->first_part > image->nstreams ||
						 made != image->nstreams - image->first_part :
					 image->first_part || made != NPARTS)
		return false;
	for (uint64_t i = 0; i < image->nsections; i++)
		if (!is_section_sound(image, &image->sections[i]))
			return false;
	return image->type <= UINT16_MAX && image->machine <= UINT16_MAX && image->kind <= 2;
}

static void get_streams(struct arena *arena, struct in *in, struct image_head *image, uint64_t *at,
			uint64_t file_size)
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

static void get_image(struct arena *arena, struct in *in, struct image_head *image, uint64_t *at,
		      uint64_t file_size)
{
	image->name = copy_text(arena, in);
	image->build_id = copy_text(arena, in);
	image->kind = get_leb(in);
	image->type = get_leb(in);
	image->machine = get_leb(in);
	get_only(arena, in, image);
	image->nsections = get_count(in, SECTIONS_MAX);
	image->sections = arena_array(arena, struct section, image->nsections + 1);
	for (uint64_t i = 0; i < image->nsections && !in->is_bad; i++)
		get_section(arena, in, &image->sections[i]);
	get_streams(arena, in, image, at, file_size);
	image->first_part = get_leb(in);
	for (unsigned i = 0; i < NGROUPS; i++)
		image->counts[i] = get_leb(in);
	in->is_bad |= !is_sound(image);
}

bool head_read(struct arena *arena, struct in *in, uint64_t data_at, uint64_t file_size,
	       struct pack *pack)
{
	uint64_t count = get_count(in, IMAGES_MAX), at = data_at;

	pack->images = arena_array(arena, struct image_head, count + 1);
	pack->nimages = (unsigned)count;
	for (uint64_t i = 0; i < count && !in->is_bad; i++) {
		get_image(arena, in, &pack->images[i], &at, file_size);
		pack->is_bloated = !in->is_bad && !is_bounded(&pack->images[i]);
		in->is_bad |= pack->is_bloated;
	}
	return !in->is_bad && in->at == in->end && at == file_size;
}

const struct stream *group_stream(const struct image_head *image, enum group group, uint64_t index,
				  unsigned which)
{
	uint64_t at = image->first_part + NPARTS;

	for (unsigned i = 0; i < group; i++)
		at += image->counts[i];
	return &image->streams[at + (group == GROUP_UNITS ? index * UNIT_STREAMS + which : index)];
}
