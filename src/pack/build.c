// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packs the units of a build. It reads back what it has coded, and so learns how large each unit's
 * parts will be, and that it can be read.
 */
#include <elf.h>
#include <stdlib.h>

#include "pack/build.h"
#include "pack/decode.h"

static struct bytes section_bytes(const struct source_file *file, const char *name)
{
	const struct source_section *section = source_section(file, name);

	return section ? (struct bytes){section->data, section->head.size} : (struct bytes){0};
}

static void open_sections(const struct source_file *file, struct debug *ret)
{
	*ret = (struct debug){
		.info = section_bytes(file, ".debug_info"),
		.abbrev = section_bytes(file, ".debug_abbrev"),
		.str = section_bytes(file, ".debug_str"),
		.line_str = section_bytes(file, ".debug_line_str"),
		.str_offsets = section_bytes(file, ".debug_str_offsets"),
		.addr = section_bytes(file, ".debug_addr"),
		.line = section_bytes(file, ".debug_line"),
		.loclists = section_bytes(file, ".debug_loclists"),
		.loc = section_bytes(file, ".debug_loc"),
		.rnglists = section_bytes(file, ".debug_rnglists"),
		.ranges = section_bytes(file, ".debug_ranges"),
	};
}

static struct in in_buffer(const struct strbuf *buffer)
{
	return in_bytes(buffer->data ?: "", buffer->length);
}

static void *load_block(void *cookie, enum group group, uint64_t index, size_t *size)
{
	const struct coded *coded = cookie;
	struct strbuf *stream = &coded->blocks[group][index]
					 .streams[group == GROUP_POOL ? STREAM_COLUMNS : 0],
		      copy = {0};

	*size = stream->length;
	if (group == GROUP_TEXTS)
		return stream->data;
	strbuf_add(&copy, stream->data, stream->length);
	return copy.data;
}

static void list_blocks(struct decoder *decoder, const struct coded *coded)
{
	uint32_t first = 0;
	uint64_t at = 0;

	decoder->npools = coded->counts[GROUP_POOL];
	decoder->pools = arena_array(decoder->arena, struct pool_block, decoder->npools + 1);
	for (size_t i = 0; i < decoder->npools; i++) {
		decoder->pools[i] = (struct pool_block){.first = first,
							.end = coded->blocks[GROUP_POOL][i].end};
		first = decoder->pools[i].end;
	}
	decoder->ntexts = coded->counts[GROUP_TEXTS];
	decoder->texts = arena_array(decoder->arena, struct text_block, decoder->ntexts + 1);
	for (size_t i = 0; i < decoder->ntexts; i++) {
		decoder->texts[i].start = at;
		at += coded->blocks[GROUP_TEXTS][i].streams[0].length;
	}
	decoder->nexpressions = coded->counts[GROUP_EXPRESSIONS];
	decoder->expressions =
		arena_array(decoder->arena, struct expression_block, decoder->nexpressions + 1);
	decoder->load = load_block;
	decoder->cookie = (void *)coded;
}

static void put_sizes(struct strbuf *out, uint8_t version, const struct strbuf *parts)
{
	put_leb(out, version);
	for (unsigned i = 0; i < UNIT_PARTS; i++)
		put_leb(out, parts[i].length);
}

/* Reads a block as a reader will. Where its texts will be doesn't change how large units are. */
static bool measure_block(struct build *build, struct decoder *decoder, struct emitter *emitter,
			  struct coded *coded, size_t index, uint32_t first)
{
	static const struct unit_at nowhere = {
		.most = {STREAM_MAX, STREAM_MAX, STREAM_MAX, STREAM_MAX, STREAM_MAX}};
	struct coded_block *block = &coded->blocks[GROUP_UNITS][index];
	struct arena scratch = {0};
	struct columns columns;
	struct in in[UNIT_STREAMS];
	bool is_good;

	for (unsigned i = 0; i < UNIT_STREAMS; i++)
		in[i] = in_buffer(&block->streams[i]);
	is_good = take_own(decoder, in[STREAM_TEXTS], 0, in[STREAM_EXPRESSIONS]) &&
		  columns_open(&scratch,
			       &(struct unit_bytes){in[STREAM_NODES], in[STREAM_FILES],
						    in[STREAM_COLUMNS]},
			       block->end - first, decoder->shapes.ncolumns, &columns);
	for (uint32_t i = first; i < block->end && is_good; i++) {
		struct strbuf *parts;
		uint8_t version;

		say_progress(build->file, "checking", (unsigned)(i * 100 / build->nunits));
		columns_take(&columns, i - first);
		is_good = emit_unit(emitter, &columns, &nowhere, &parts, &version);
		if (is_good)
			put_sizes(&coded->parts[PART_UNITS], version, parts);
	}
	arena_deinit(&scratch);
	return is_good;
}

static bool measure(struct build *build, struct coded *coded)
{
	struct decoder decoder = {.arena = build->arena};
	struct emitter *emitter = NULL;
	struct strbuf *out = &coded->parts[PART_UNITS];
	uint32_t first = 0;
	bool is_good;

	list_blocks(&decoder, coded);
	is_good = decoding_begin(&decoder, in_buffer(&coded->parts[PART_SHAPES]),
				 in_buffer(&coded->parts[PART_FILES]),
				 in_buffer(&coded->parts[PART_LABELS]));
	if (is_good)
		emitter = emitter_new(&decoder);
	put_leb(out, build->nunits);
	for (size_t i = 0; i < coded->counts[GROUP_UNITS] && is_good; i++) {
		is_good = measure_block(build, &decoder, emitter, coded, i, first);
		first = coded->blocks[GROUP_UNITS][i].end;
	}
	for (size_t i = 0; i < coded->counts[GROUP_POOL]; i++)
		put_leb(out, coded->blocks[GROUP_POOL][i].end);
	for (size_t i = 0; i < coded->counts[GROUP_UNITS]; i++)
		put_leb(out, coded->blocks[GROUP_UNITS][i].end);
	emitter_free(emitter);
	decoding_end(&decoder);
	return is_good;
}

static bool code_units(struct build *build, struct coded *coded)
{
	const struct pack_writing *writing = &build->file->output->writing;

	open_sections(build->file, &build->source.debug);
	build->source.shapes = &build->shapes;
	shapes_init(&build->shapes, build->arena);
	if (!list_source_units(&build->source.debug, build->arena, &build->units, &build->nunits) ||
	    (writing->nonly && !choose_units(build, writing)) || !find_groups(build) ||
	    (writing->nonly && !keep_only(build, writing)))
		return false;
	return put_build(build, coded) && measure(build, coded);
}

static void set_made(struct source_file *file, const char *name)
{
	struct source_section *section = source_section(file, name);

	if (section)
		section->is_made = true;
}

static void drop(struct source_file *file, const char *name)
{
	struct source_section *section = source_section(file, name);

	if (section)
		section->is_kept = false;
}

/* The sizes of the sections that units make. */
static void set_size(struct source_file *file, const char *name, uint64_t size)
{
	struct source_section *section = source_section(file, name);

	if (section)
		section->head.size = size;
}

static void set_sizes(struct source_file *file, const struct coded *coded, size_t nunits)
{
	struct in in = in_buffer(&coded->parts[PART_UNITS]);
	uint64_t sums[2][UNIT_PARTS] = {0}, texts = 0;

	for (size_t i = 0; i < coded->counts[GROUP_TEXTS]; i++)
		texts += coded->blocks[GROUP_TEXTS][i].streams[0].length;
	for (size_t i = 0; i < coded->counts[GROUP_UNITS]; i++)
		texts += coded->blocks[GROUP_UNITS][i].streams[STREAM_TEXTS].length;
	get_leb(&in);
	for (size_t i = 0; i < nunits; i++) {
		bool is_new = get_leb(&in) >= 5;

		for (unsigned j = 0; j < UNIT_PARTS; j++)
			sums[is_new][j] += get_leb(&in);
	}
	set_size(file, ".debug_str", texts);
	set_size(file, ".debug_info", sums[0][UNIT_INFO] + sums[1][UNIT_INFO]);
	set_size(file, ".debug_abbrev", sums[0][UNIT_ABBREV] + sums[1][UNIT_ABBREV]);
	set_size(file, ".debug_line", sums[0][UNIT_LINE] + sums[1][UNIT_LINE]);
	set_size(file, ".debug_loc", sums[0][UNIT_LOCATIONS]);
	set_size(file, ".debug_loclists", sums[1][UNIT_LOCATIONS]);
	set_size(file, ".debug_ranges", sums[0][UNIT_RANGES]);
	set_size(file, ".debug_rnglists", sums[1][UNIT_RANGES]);
}

/* Where a unit will be; UINT64_MAX when there is none. */
static uint64_t new_offset(const struct build *build, const struct coded *coded, uint64_t offset)
{
	struct in in = in_buffer(&coded->parts[PART_UNITS]);
	uint64_t at = 0;

	get_leb(&in);
	for (size_t i = 0; i < build->nunits; i++) {
		if (build->units[i].start == offset)
			return at;
		get_leb(&in);
		at += get_leb(&in);
		for (unsigned j = 1; j < UNIT_PARTS; j++)
			get_leb(&in);
	}
	return UINT64_MAX;
}

/* The table of addresses names units by their offsets (6.1.2). Returns false when it can't be
 * read. */
static bool move_addresses(const struct build *build, const struct coded *coded, struct bytes old,
			   struct strbuf *out)
{
	struct in in = in_bytes(old.data, old.size);

	while (in.at < in.end) {
		const uint8_t *start = in.at;
		uint64_t length = get_fixed(&in, 4), at;
		struct in set = {in.at, in.at + (length < in_left(&in) ? length : in_left(&in)),
				 false};

		get_bytes(&in, length);
		get_fixed(&set, 2);
		at = new_offset(build, coded, get_fixed(&set, 4));
		if (length >= 0xfffffff0 || in.is_bad || set.is_bad)
			return false;
		if (at == UINT64_MAX)
			continue;
		strbuf_add(out, start, 6);
		put_fixed(out, at, 4);
		strbuf_add(out, start + 10, (size_t)(in.at - start) - 10);
	}
	return true;
}

/* A pack of a few functions has their frames, but no symbols: the probed file has those. */
static void keep_little(struct build *build, struct coded *coded)
{
	struct source_section *frames = source_section(build->file, ".debug_frame");

	for (size_t i = 0; i < build->file->nsections; i++)
		build->file->sections[i].is_kept &=
			build->file->sections[i].head.type != SHT_SYMTAB;
	drop(build->file, ".strtab");
	if (!frames ||
	    !keep_frames(build, (struct bytes){frames->data, frames->head.size}, &coded->frames))
		return;
	frames->data = (const uint8_t *)(coded->frames.data ?: "");
	frames->head.size = coded->frames.length;
}

/* From now on, the file is as it will be read. */
static void replace_sections(struct build *build, struct coded *coded)
{
	static const char *const made[] = {".debug_info",     ".debug_abbrev",	 ".debug_line",
					   ".debug_loc",      ".debug_loclists", ".debug_ranges",
					   ".debug_rnglists", ".debug_str"};
	struct source_section *strings = source_section(build->file, ".debug_str");
	struct source_section *addresses = source_section(build->file, ".debug_aranges");

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		set_made(build->file, made[i]);
	set_sizes(build->file, coded, build->nunits);
	drop(build->file, ".debug_line_str");
	drop(build->file, ".debug_str_offsets");
	strings->head.flags = 0;
	if (build->file->output->writing.nonly)
		keep_little(build, coded);
	if (!addresses)
		return;
	addresses->is_kept =
		move_addresses(build, coded, (struct bytes){addresses->data, addresses->head.size},
			       &coded->addresses);
	addresses->data = (const uint8_t *)coded->addresses.data;
	addresses->head.size = coded->addresses.length;
}

static void put_buffer(struct build *build, const struct strbuf *buffer, const size_t *cuts,
		       size_t ncuts)
{
	put_stream(build->file->output, build->image, buffer->data ?: "", buffer->length, cuts,
		   ncuts);
}

static void put_parts(struct build *build, const struct coded *coded)
{
	struct image_head *image = build->image;
	size_t all = 0, done = 0;

	image->first_part = image->nstreams;
	for (unsigned i = 0; i < NPARTS; i++)
		put_buffer(build, &coded->parts[i], NULL, 0);
	for (unsigned i = 0; i < NGROUPS; i++)
		all += image->counts[i] = coded->counts[i];
	for (unsigned i = 0; i < NGROUPS; i++)
		for (size_t j = 0; j < coded->counts[i]; j++, done++) {
			const struct coded_block *block = &coded->blocks[i][j];
			unsigned first = i == GROUP_POOL ? STREAM_COLUMNS : 0,
				 count = i == GROUP_UNITS ? UNIT_STREAMS : 1;

			say_progress(build->file, "packing", (unsigned)(done * 100 / all));
			for (unsigned k = first; k < first + count; k++)
				put_buffer(build, &block->streams[k], block->cuts,
					   k == STREAM_COLUMNS ? block->ncuts : 0);
		}
}

static void end_build(struct build *build, struct coded *coded)
{
	coded_free(coded);
	strbuf_deinit(&build->texts.own);
	strbuf_deinit(&build->expressions.own);
	strbuf_deinit(&build->expressions.bytes);
	free(build->names);
	free(build->nodes);
	free(build->refs);
	free(build->dies);
	arena_deinit(&build->unit_arena);
	arena_deinit(&build->source.abbrev_arena);
}

bool put_units(struct source_file *file, struct image_head *image,
	       void (*put_sections)(struct source_file *file, struct image_head *image))
{
	struct arena arena = {0};
	struct build build = {.file = file, .image = image, .arena = &arena};
	struct coded coded = {0};
	bool is_good = source_section(file, ".debug_str") && code_units(&build, &coded);

	if (is_good) {
		replace_sections(&build, &coded);
		put_sections(file, image);
		put_parts(&build, &coded);
	}
	end_build(&build, &coded);
	arena_deinit(&arena);
	return is_good;
}
