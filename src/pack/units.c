// SPDX-License-Identifier: GPL-2.0-only
/* Fills units in when they are asked for, and says which of them have a name. */
#include <stdlib.h>

#include "base/search.h"
#include "pack/decode.h"
#include "pack/image.h"

#define LABELS_MAX ((uint64_t)1 << 24)

struct unit {
	struct unit_at at;
	uint64_t sizes[UNIT_PARTS];
	uint8_t version;
	bool is_filled;
	uint32_t block;
};

struct units {
	struct decoder decoder;
	struct emitter *emitter;
	struct unit *list;
	uint64_t count;
	uint64_t *block_ends; /* by block: how many units there are up to its end */
	struct open_block {
		uint64_t number; /* UINT64_MAX: none */
		void *nodes, *bytes;
		struct arena arena;
		struct columns columns;
	} block;
	void *parts[NPARTS]; /* unpacked, while they are needed */
	uint8_t *sections[2][UNIT_PARTS]; /* by whether it is DWARF 5: where they are in the image */
	struct in class_names, unit_names;
};

static void drop_block(struct units *units)
{
	struct open_block *block = &units->block;

	free(block->nodes);
	free(block->bytes);
	arena_deinit(&block->arena);
	*block = (struct open_block){.number = UINT64_MAX};
}

static const struct stream *part_stream(const struct pack_image *image, uint64_t number)
{
	return &image->head->streams[image->head->first_part + number];
}

static const struct stream *block_stream(const struct pack_image *image, uint64_t block, bool are_columns)
{
	return part_stream(image, NPARTS + image->head->npools + 2 * block + are_columns);
}

static bool read_part(struct pack_image *image, enum part part, struct in *ret)
{
	const struct stream *stream = part_stream(image, part);

	if (!image->units->parts[part])
		image->units->parts[part] = part_read(image->pack, stream);
	if (!image->units->parts[part])
		return false;
	*ret = in_bytes(image->units->parts[part], stream->size);
	return true;
}

static void *load_pool(void *cookie, uint64_t index, size_t *size)
{
	const struct pack_image *image = cookie;
	const struct stream *stream = part_stream(image, NPARTS + index);

	*size = stream->size;
	return part_read(image->pack, stream);
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
	uint64_t last = 0, end;

	decoder->npools = image->head->npools;
	decoder->pools = arena_array(image->arena, struct pool_block, decoder->npools + 1);
	for (uint64_t i = 0; i < decoder->npools; i++, last = end) {
		if (!read_end(in, last, UINT32_MAX - 1, &end))
			return false;
		decoder->pools[i] = (struct pool_block){.first = (uint32_t)last, .end = (uint32_t)end};
	}
	units->block_ends = arena_array(image->arena, uint64_t, image->head->nblocks + 1);
	last = 0;
	for (uint64_t i = 0; i < image->head->nblocks; i++, last = end) {
		if (!read_end(in, last, units->count, &end))
			return false;
		for (uint64_t j = last; j < end; j++)
			units->list[j].block = (uint32_t)i;
		units->block_ends[i] = end;
	}
	return in->at == in->end && last == units->count;
}

static bool read_sizes(struct pack_image *image, struct in *in)
{
	struct units *units = image->units;
	struct unit_at at[2] = {0};

	units->decoder.nlabels = get_leb(in);
	units->count = get_leb(in);
	if (units->count > in_left(in))
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
			if (unit->sizes[j] > STREAM_MAX || *end > STREAM_MAX)
				return false;
			*end += unit->sizes[j];
		}
		if (unit->sizes[UNIT_INFO] < 16)
			return false;
	}
	return !in->is_bad;
}

/* Where the sections are in the image, which must be as long as all units need. */
static bool find_sections(struct pack_image *image)
{
	static const char *const names[2][UNIT_PARTS] = {
		{".debug_info", ".debug_abbrev", ".debug_line", ".debug_loc", ".debug_ranges"},
		{".debug_info", ".debug_abbrev", ".debug_line", ".debug_loclists", ".debug_rnglists"},
	};
	struct units *units = image->units;
	const struct section *sections[2][UNIT_PARTS];

	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < UNIT_PARTS; j++) {
			sections[i][j] = image_section(image, names[i][j]);
			units->sections[i][j] = image->bytes + (sections[i][j] ? sections[i][j]->offset : 0);
		}
	for (uint64_t i = 0; i < units->count; i++)
		for (unsigned j = 0; j < UNIT_PARTS; j++) {
			const struct unit *unit = &units->list[i];
			const struct section *section = sections[unit->version >= 5][j];

			if (unit->sizes[j] && (!section || section->stream || unit->at.at[j] + unit->sizes[j] > section->size))
				return false;
		}
	return true;
}

/* The headers of all units: libdw reads those before the one that it is asked for. */
static void write_heads(struct pack_image *image)
{
	struct units *units = image->units;

	for (uint64_t i = 0; i < units->count; i++) {
		const struct unit *unit = &units->list[i];
		uint8_t *at = units->sections[0][UNIT_INFO] + unit->at.at[UNIT_INFO];
		uint32_t length = (uint32_t)unit->sizes[UNIT_INFO] - 4, abbrev = (uint32_t)unit->at.at[UNIT_ABBREV];
		bool is_new = unit->version >= 5;

		memcpy(at, &length, 4);
		at[4] = unit->version;
		at[is_new ? 7 : 10] = 8;
		memcpy(at + (is_new ? 8 : 6), &abbrev, 4);
		if (is_new)
			at[6] = DW_UT_compile;
	}
}

static bool open_decoder(struct pack_image *image)
{
	struct units *units = image->units;
	const struct section *strings = image_section(image, ".debug_str");
	struct in in, shapes, expressions, files, labels;

	if (!strings || !read_part(image, PART_UNITS, &in) || !read_sizes(image, &in) || !read_blocks(image, &in) ||
	    !find_sections(image) || !read_part(image, PART_SHAPES, &shapes) ||
	    !read_part(image, PART_EXPRESSIONS, &expressions) || !read_part(image, PART_FILES, &files) || !read_part(image, PART_LABELS, &labels) ||
	    units->decoder.nlabels > LABELS_MAX)
		return false;
	units->decoder.load_pool = load_pool;
	units->decoder.cookie = image;
	return decoding_begin(&units->decoder, image->arena, in_bytes(image->bytes + strings->offset, strings->size), shapes,
			      expressions, files) && read_labels(&units->decoder, labels, units->decoder.nlabels);
}

bool units_open(struct pack_image *image)
{
	image->units = arena_new(image->arena, struct units);
	image->units->block.number = UINT64_MAX;
	if (!open_decoder(image))
		return false;
	image->units->emitter = emitter_new(&image->units->decoder);
	write_heads(image);
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

static bool write_unit(struct units *units, const struct unit *unit, const struct strbuf *parts, uint8_t version)
{
	if (version != unit->version)
		return false;
	for (unsigned i = 0; i < UNIT_PARTS; i++) {
		if (parts[i].length != unit->sizes[i])
			return false;
		if (parts[i].length)
			memcpy(units->sections[version >= 5][i] + unit->at.at[i], parts[i].data, parts[i].length);
	}
	return true;
}

static uint64_t block_start(const struct units *units, uint64_t block)
{
	return block ? units->block_ends[block - 1] : 0;
}

/* Opens a block, and keeps it: units that follow each other are asked for one after another. */
static bool open_block(struct pack_image *image, uint64_t number)
{
	struct units *units = image->units;
	struct open_block *block = &units->block;

	if (block->number == number)
		return true;
	drop_block(units);
	block->nodes = part_read(image->pack, block_stream(image, number, false));
	block->bytes = part_read(image->pack, block_stream(image, number, true));
	if (!block->nodes || !block->bytes ||
	    !columns_open(&block->arena, in_bytes(block->bytes, block_stream(image, number, true)->size),
			  in_bytes(block->nodes, block_stream(image, number, false)->size),
			  units->block_ends[number] - block_start(units, number), units->decoder.shapes.ncolumns,
			  &block->columns))
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
	unit->is_filled = emit_unit(units->emitter, &units->block.columns, &unit->at, &parts, &version) &&
			  write_unit(units, unit, parts, version);
	return unit->is_filled;
}

/* The text's number; UINT64_MAX when there is no such text. */
static uint64_t find_text(const struct pack_image *image, const char *name)
{
	const struct decoder *decoder = &image->units->decoder;
	const struct section *section = image_section(image, ".debug_str");
	const char *start = decoder->strings, *at = start, *end = start + section->size;
	size_t length = strlen(name) + 1;

	while (at < end && (at = memmem(at, (size_t)(end - at), name, length))) {
		if (at == start || !at[-1])
			return partition_point(decoder->ntexts, i, decoder->texts[i] < (uint32_t)(at - start));
		at++;
	}
	return UINT64_MAX;
}

/* Marks the classes that have the name. */
static bool mark_classes(struct pack_image *image, uint64_t text, bool *has_name, bool *any)
{
	const struct decoder *decoder = &image->units->decoder;
	uint64_t nclasses = class_count(decoder);
	struct in in;

	if (!read_part(image, PART_CLASS_NAMES, &in))
		return false;
	for (uint64_t i = 0; i < nclasses && !in.is_bad; i++)
		for (uint64_t count = get_leb(&in); count && !in.is_bad; count--)
			if (get_leb(&in) == text)
				*any = has_name[i] = true;
	return !in.is_bad && in.at == in.end;
}

static bool mark_own(struct pack_image *image, uint64_t text, bool *is_candidate)
{
	struct in in;

	if (!read_part(image, PART_UNIT_NAMES, &in))
		return false;
	for (uint64_t i = 0; i < image->units->count && !in.is_bad; i++)
		for (uint64_t count = get_leb(&in); count && !in.is_bad; count--)
			is_candidate[i] |= get_leb(&in) == text;
	return !in.is_bad && in.at == in.end;
}

/* Marks the units of a block that have one of the classes. */
static bool mark_users(struct pack_image *image, uint64_t block, const bool *has_name, uint64_t nclasses, bool *is_candidate)
{
	const struct units *units = image->units;
	const struct stream *stream = block_stream(image, block, false);
	void *bytes = part_read(image->pack, stream);
	struct in in = in_bytes(bytes, bytes ? stream->size : 0);

	for (uint64_t i = block_start(units, block); i < units->block_ends[block] && bytes; i++) {
		uint64_t last = 0;

		for (uint64_t count = get_leb(&in); count && !in.is_bad; count--) {
			uint64_t value = get_leb(&in);

			if (!value--) {
				get_leb(&in);
				continue;
			}
			last += value >> 1 ^ (value & 1 ? ~(uint64_t)0 : 0);
			in.is_bad |= last >= nclasses;
			is_candidate[i] |= !in.is_bad && has_name[last];
			last++;
		}
	}
	free(bytes);
	return bytes && !in.is_bad && in.at == in.end;
}

bool pack_mark(struct pack_image *image, const char *name, bool *is_candidate)
{
	const struct decoder *decoder = &image->units->decoder;
	uint64_t text = find_text(image, name), nclasses = class_count(decoder);
	bool *has_name, any = false, is_good;

	if (text == UINT64_MAX)
		return true;
	has_name = calloc(nclasses + 1, sizeof(*has_name));
	is_good = has_name && mark_classes(image, text, has_name, &any) && mark_own(image, text, is_candidate);
	for (uint64_t i = 0; i < image->head->nblocks && any && is_good; i++)
		is_good = mark_users(image, i, has_name, nclasses, is_candidate);
	free(has_name);
	return is_good;
}
