// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills .debug_frame in, an entry at a time. A kernel has sixty thousand, and libdw would read and
 * keep all those before the one that it looks for.
 *
 * The surprise: what libdw reads is not the section as it was packed, but the entries that were
 * asked for, in the order in which they were. They end with a length that no entry can have: libdw
 * stops there, and goes on there when it looks for another one.
 */
#include <elf.h>
#include <stdlib.h>

#include "base/search.h"
#include "pack/image.h"

#define CIE_ID    UINT32_MAX
#define NO_LENGTH 0xfffffff0u
#define LENGTH    4 /* its bytes, which it doesn't count */
#define FEW       64 /* for more, libdw's own search is as fast */

struct frame_cie {
	uint32_t at;  /* in the section as it was packed */
	uint32_t now; /* in what libdw reads */
	bool is_put;
};

struct frame_entry {
	uint64_t start, size; /* of the code */
	uint32_t at, cie;
};

struct frames {
	const struct section *section;
	uint8_t *packed; /* the section as it was packed */
	struct frame_cie *cies;
	struct frame_entry *entries;
	size_t ncies, nentries;
	const struct frame_entry *last; /* the last one that was asked for */
	bool *is_put;  /* by entry */
	uint64_t length; /* of what libdw reads */
	unsigned asked;
	bool is_done;
};

/* Bytes of the entry at `in`; false: it has none that are as gcc and clang write them. */
static bool entry_length(const struct in *in, uint32_t *ret)
{
	struct in at = *in;
	uint64_t length = get_fixed(&at, LENGTH);

	*ret = (uint32_t)length + LENGTH;
	return !at.is_bad && length >= 20 && length < NO_LENGTH && length <= in_left(&at);
}

/* CIEs come before the entries that name them. */
static bool find_cie(const struct frames *frames, uint64_t at, uint32_t *ret)
{
	size_t index = partition_point(frames->ncies, i, frames->cies[i].at < at);

	*ret = (uint32_t)index;
	return index < frames->ncies && frames->cies[index].at == at;
}

/* Version 1 or 3, without an augmentation: entries have addresses of 8 bytes. */
static bool is_plain_cie(struct in *in)
{
	uint64_t version = get_fixed(in, 1);

	return (version == 1 || version == 3) && !get_fixed(in, 1);
}

static bool list_entries(struct arena *arena, struct frames *frames)
{
	struct in in = in_bytes(frames->packed, frames->section->size);

	frames->entries =
		arena_array(arena, struct frame_entry, frames->section->size / (20 + LENGTH) + 1);
	while (in.at < in.end) {
		uint32_t at = (uint32_t)(in.at - frames->packed), length;
		struct frame_entry *entry = &frames->entries[frames->nentries];
		struct in fields;
		uint64_t id;

		if (!entry_length(&in, &length))
			return false;
		fields = in_bytes(in.at + LENGTH, length - LENGTH);
		in.at += length;
		id = get_fixed(&fields, 4);
		if (id == CIE_ID) {
			if (!is_plain_cie(&fields))
				return false;
			arena_append(arena, frames->cies, frames->ncies) =
				(struct frame_cie){.at = at};
			continue;
		}
		*entry = (struct frame_entry){
			.at = at, .start = get_fixed(&fields, 8), .size = get_fixed(&fields, 8)};
		if (!find_cie(frames, id, &entry->cie))
			return false;
		frames->nentries++;
	}
	return true;
}

/* Adds an entry to what libdw reads. Returns where it is. */
static uint8_t *put(struct pack_image *image, uint32_t at)
{
	struct frames *frames = image->frames;
	uint8_t *to = image->bytes + frames->section->offset + frames->length;
	const uint8_t *from = frames->packed + at;
	uint32_t length;

	memcpy(&length, from, LENGTH);
	length += LENGTH;
	memcpy(to, from, length);
	frames->length += length;
	return to;
}

static void put_entry(struct pack_image *image, size_t index)
{
	struct frames *frames = image->frames;
	const struct frame_entry *entry = &frames->entries[index];
	struct frame_cie *cie = &frames->cies[entry->cie];

	if (frames->is_put[index])
		return;
	if (!cie->is_put) {
		cie->now = (uint32_t)frames->length;
		cie->is_put = true;
		put(image, cie->at);
	}
	frames->is_put[index] = true;
	memcpy(put(image, entry->at) + LENGTH, &cie->now, sizeof(cie->now));
}

static void put_end(struct pack_image *image)
{
	const struct frames *frames = image->frames;
	uint32_t end = NO_LENGTH;

	if (frames->section->size - frames->length >= sizeof(end))
		memcpy(image->bytes + frames->section->offset + frames->length, &end, sizeof(end));
}

/* Reads the section. One that isn't understood, or that libdwfl relocates, is filled in as it
 * is. */
static bool open_frames(struct pack_image *image)
{
	const struct section *section = image_section(image, ".debug_frame");
	struct frames *frames = arena_new(image->arena, struct frames);

	image->frames = frames;
	frames->section = section;
	frames->is_done = true;
	if (!section || !section->stream || !section->size)
		return true;
	frames->packed = part_read(image->pack, &image->head->streams[section->stream - 1]);
	if (!frames->packed)
		return false;
	frames->is_done = image->head->type == ET_REL || !list_entries(image->arena, frames);
	if (frames->is_done)
		memcpy(image->bytes + section->offset, frames->packed, section->size);
	frames->is_put = arena_array(image->arena, bool, frames->nentries + 1);
	return true;
}

static bool is_of(const struct frame_entry *entry, uint64_t address)
{
	return entry && address - entry->start < entry->size;
}

/* Puts the first one that libdw would find. */
static void put_of(struct pack_image *image, uint64_t address)
{
	struct frames *frames = image->frames;

	for (size_t i = 0; i < frames->nentries; i++)
		if (is_of(&frames->entries[i], address)) {
			frames->last = &frames->entries[i];
			put_entry(image, i);
			return;
		}
}

bool pack_fill_frames(struct pack_image *image, uint64_t address)
{
	struct frames *frames;

	if (!image->frames && !open_frames(image))
		return false;
	frames = image->frames;
	if (frames->is_done || is_of(frames->last, address))
		return true;
	frames->is_done = frames->asked++ == FEW;
	if (!frames->is_done)
		put_of(image, address);
	for (size_t i = 0; frames->is_done && i < frames->nentries; i++)
		put_entry(image, i);
	put_end(image);
	return true;
}

void frames_close(struct pack_image *image)
{
	if (image->frames)
		free(image->frames->packed);
	image->frames = NULL;
}
