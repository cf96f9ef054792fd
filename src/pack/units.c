// SPDX-License-Identifier: GPL-2.0-only
/* Fills units in when they are asked for. */
#include <stdlib.h>

#include "pack/units.h"

#define UNIT_LEAST 16 /* bytes of .debug_info */

static void drop_block(struct units *units)
{
	struct open_block *block = &units->block;

	for (unsigned i = 0; i < UNIT_STREAMS; i++)
		free(block->streams[i]);
	arena_deinit(&block->arena);
	*block = (struct open_block){.number = UINT64_MAX};
}

static bool read_part(struct pack_image *image, enum part part, struct in *ret)
{
	const struct stream *stream = &image->head->streams[image->head->first_part + part];

	if (!image->units->parts[part])
		image->units->parts[part] = part_read(image->pack, stream);
	if (!image->units->parts[part])
		return false;
	*ret = in_bytes(image->units->parts[part], stream->size);
	return true;
}

/* Texts go to where they are in .debug_str. */
static void *load_block(void *cookie, enum group group, uint64_t index, size_t *size)
{
	const struct pack_image *image = cookie;
	const struct stream *stream = group_stream(image->head, group, index, 0);
	uint8_t *texts;

	*size = stream->size;
	if (group != GROUP_TEXTS)
		return part_read(image->pack, stream);
	texts = image->units->strings + image->units->decoder.texts[index].start;
	return part_read_to(image->pack, stream, texts) ? texts : NULL;
}

/* The ends of blocks: each is behind the one before. */
static bool read_end(struct in *in, uint64_t last, uint64_t most, uint64_t *ret)
{
	*ret = get_leb(in);
	return !in->is_bad && *ret >= last && *ret <= most;
}

static bool read_blocks(struct pack_image *image, struct in *in)
{
	struct units *units = image->units;
	struct decoder *decoder = &units->decoder;
	const uint64_t *counts = image->head->counts;
	uint64_t last = 0, end;

	decoder->npools = counts[GROUP_POOL];
	decoder->pools = arena_array(image->arena, struct pool_block, decoder->npools + 1);
	for (uint64_t i = 0; i < decoder->npools; i++, last = end) {
		/* each class takes a byte or more */
		if (!read_end(in, last, last + group_stream(image->head, GROUP_POOL, i, 0)->size,
			      &end) ||
		    end >= UINT32_MAX)
			return false;
		decoder->pools[i] =
			(struct pool_block){.first = (uint32_t)last, .end = (uint32_t)end};
	}
	units->blocks = arena_array(image->arena, struct unit_block, counts[GROUP_UNITS] + 1);
	last = 0;
	for (uint64_t i = 0; i < counts[GROUP_UNITS]; i++, last = end) {
		if (!read_end(in, last, units->count, &end))
			return false;
		for (uint64_t j = last; j < end; j++)
			units->list[j].block = (uint32_t)i;
		units->blocks[i].end = end;
	}
	return in->at == in->end && last == units->count;
}

/* Where each block's texts are: they make up .debug_str. */
static bool place_texts(struct pack_image *image)
{
	struct units *units = image->units;
	struct decoder *decoder = &units->decoder;
	const struct section *strings = image_section(image, ".debug_str");
	const uint64_t *counts = image->head->counts;
	uint64_t at = 0;

	decoder->ntexts = counts[GROUP_TEXTS];
	decoder->texts = arena_array(image->arena, struct text_block, decoder->ntexts + 1);
	decoder->nexpressions = counts[GROUP_EXPRESSIONS];
	decoder->expressions =
		arena_array(image->arena, struct expression_block, decoder->nexpressions + 1);
	for (uint64_t i = 0; i < decoder->ntexts; i++) {
		decoder->texts[i].start = at;
		at += group_stream(image->head, GROUP_TEXTS, i, 0)->size;
	}
	for (uint64_t i = 0; i < counts[GROUP_UNITS]; i++) {
		units->blocks[i].texts = at;
		at += group_stream(image->head, GROUP_UNITS, i, STREAM_TEXTS)->size;
	}
	units->strings = image->bytes + (strings ? strings->offset : 0);
	return strings && !strings->stream && strings->size == at && at < UINT32_MAX;
}

static bool read_sizes(struct pack_image *image, struct in *in)
{
	struct units *units = image->units;
	const struct section *info = image_section(image, ".debug_info");
	struct unit_at at[2] = {0};

	units->count = get_leb(in);
	if (units->count > in_left(in) / (1 + UNIT_PARTS) || !info ||
	    units->count > info->size / UNIT_LEAST)
		return false;
	units->list = arena_array(image->arena, struct unit, units->count + 1);
	for (uint64_t i = 0; i < units->count; i++) {
		struct unit *unit = &units->list[i];
		bool is_new;

		unit->version = (uint8_t)get_leb(in);
		is_new = unit->version >= 5;
		if (unit->version < 4 || unit->version > 5)
			return false;
		for (unsigned j = 0; j < UNIT_PARTS; j++) {
			uint64_t *end = &at[j >= UNIT_LOCATIONS && is_new].at[j];

			unit->sizes[j] = get_leb(in);
			unit->at.at[j] = *end;
			unit->at.most[j] = unit->sizes[j];
			if (unit->sizes[j] > STREAM_MAX || *end > STREAM_MAX)
				return false;
			*end += unit->sizes[j];
		}
		if (unit->sizes[UNIT_INFO] < UNIT_LEAST)
			return false;
	}
	return !in->is_bad;
}

/* Where the sections are in the image, which must be as long as all units need. */
static bool find_sections(struct pack_image *image)
{
	static const char *const names[2][UNIT_PARTS] = {
		{".debug_info", ".debug_abbrev", ".debug_line", ".debug_loc", ".debug_ranges"},
		{".debug_info", ".debug_abbrev", ".debug_line", ".debug_loclists",
		 ".debug_rnglists"},
	};
	struct units *units = image->units;
	const struct section *sections[2][UNIT_PARTS];

	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < UNIT_PARTS; j++) {
			sections[i][j] = image_section(image, names[i][j]);
			units->sections[i][j] =
				image->bytes + (sections[i][j] ? sections[i][j]->offset : 0);
		}
	for (uint64_t i = 0; i < units->count; i++)
		for (unsigned j = 0; j < UNIT_PARTS; j++) {
			const struct unit *unit = &units->list[i];
			const struct section *section = sections[unit->version >= 5][j];

			if (unit->sizes[j] && (!section || section->stream ||
					       unit->at.at[j] + unit->sizes[j] > section->size))
				return false;
		}
	return true;
}

/* libdw reads the headers of the units before the one that it is asked for; DWARF 5's says what
 * kind of unit it is. */
static void write_head(struct units *units, const struct unit *unit, uint64_t end)
{
	uint8_t *at = units->sections[0][UNIT_INFO] + unit->at.at[UNIT_INFO];
	uint32_t length = (uint32_t)(end - unit->at.at[UNIT_INFO] - 4),
		 abbrev = (uint32_t)unit->at.at[UNIT_ABBREV];
	bool is_new = unit->version >= 5;

	memcpy(at, &length, 4);
	at[4] = unit->version;
	at[is_new ? 7 : 10] = 8;
	memcpy(at + (is_new ? 8 : 6), &abbrev, 4);
	if (is_new)
		at[6] = DW_UT_compile;
}

void pack_write_head(struct pack_image *image, size_t index, size_t end)
{
	struct units *units = image->units;

	write_head(units, &units->list[index],
		   units->list[end - 1].at.at[UNIT_INFO] + units->list[end - 1].sizes[UNIT_INFO]);
}

static bool open_decoder(struct pack_image *image)
{
	struct units *units = image->units;
	struct in in, shapes, files, labels;

	if (!read_part(image, PART_UNITS, &in) || !read_sizes(image, &in) ||
	    !read_blocks(image, &in) || !find_sections(image) || !place_texts(image) ||
	    !read_part(image, PART_SHAPES, &shapes) || !read_part(image, PART_FILES, &files) ||
	    !read_part(image, PART_LABELS, &labels))
		return false;
	units->decoder.arena = image->arena;
	units->decoder.load = load_block;
	units->decoder.cookie = image;
	return decoding_begin(&units->decoder, shapes, files, labels);
}

bool units_open(struct pack_image *image)
{
	image->units = arena_new(image->arena, struct units);
	image->units->block.number = UINT64_MAX;
	if (!open_decoder(image))
		return false;
	image->units->emitter = emitter_new(&image->units->decoder);
	return true;
}

void units_close(struct pack_image *image)
{
	struct units *units = image->units;

	if (!units)
		return;
	drop_block(units);
	emitter_free(units->emitter);
	decoding_end(&units->decoder);
	for (unsigned i = 0; i < NPARTS; i++)
		free(units->parts[i]);
	image->units = NULL;
}

size_t pack_units(const struct pack_image *image)
{
	return image->units ? image->units->count : 0;
}

struct pack_unit pack_unit(const struct pack_image *image, size_t index)
{
	const struct unit *unit = &image->units->list[index];

	return (struct pack_unit){
		.start = unit->at.at[UNIT_INFO],
		.die = unit->at.at[UNIT_INFO] + (unit->version >= 5 ? 12 : 11),
		.end = unit->at.at[UNIT_INFO] + unit->sizes[UNIT_INFO],
		.version = unit->version,
	};
}

static bool write_unit(struct units *units, const struct unit *unit, const struct strbuf *parts,
		       uint8_t version)
{
	if (version != unit->version)
		return false;
	for (unsigned i = 0; i < UNIT_PARTS; i++) {
		if (parts[i].length != unit->sizes[i])
			return false;
		if (parts[i].length)
			memcpy(units->sections[version >= 5][i] + unit->at.at[i], parts[i].data,
			       parts[i].length);
	}
	return true;
}

static bool read_streams(struct pack_image *image, uint64_t number, struct in ret[UNIT_STREAMS])
{
	struct units *units = image->units;
	uint8_t *texts = units->strings + units->blocks[number].texts;

	for (unsigned i = 0; i < UNIT_STREAMS; i++) {
		const struct stream *stream = group_stream(image->head, GROUP_UNITS, number, i);

		if (i == STREAM_TEXTS) {
			if (!part_read_to(image->pack, stream, texts))
				return false;
			ret[i] = in_bytes(texts, stream->size);
			continue;
		}
		units->block.streams[i] = part_read(image->pack, stream);
		if (!units->block.streams[i])
			return false;
		ret[i] = in_bytes(units->block.streams[i], stream->size);
	}
	return true;
}

/* Opens a block, and keeps it: units that follow each other are asked for one after another. */
static bool open_block(struct pack_image *image, uint64_t number)
{
	struct units *units = image->units;
	struct open_block *block = &units->block;
	struct in in[UNIT_STREAMS];

	if (block->number == number)
		return true;
	drop_block(units);
	if (!read_streams(image, number, in) ||
	    !take_own(&units->decoder, in[STREAM_TEXTS], units->blocks[number].texts,
		      in[STREAM_EXPRESSIONS]) ||
	    !columns_open(
		    &block->arena,
		    &(struct unit_bytes){in[STREAM_NODES], in[STREAM_FILES], in[STREAM_COLUMNS]},
		    units->blocks[number].end - block_start(units, number),
		    units->decoder.shapes.ncolumns, &block->columns))
		return false;
	block->number = number;
	return true;
}

bool pack_fill(struct pack_image *image, size_t index)
{
	struct units *units = image->units;
	struct unit *unit;
	struct strbuf *parts;
	uint8_t version;

	if (!units || index >= units->count || units->list[index].is_filled)
		return true;
	unit = &units->list[index];
	if (!open_block(image, unit->block))
		return false;
	columns_take(&units->block.columns, index - block_start(units, unit->block));
	unit->is_filled =
		emit_unit(units->emitter, &units->block.columns, &unit->at, &parts, &version) &&
		write_unit(units, unit, parts, version);
	return unit->is_filled;
}
