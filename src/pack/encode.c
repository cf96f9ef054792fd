// SPDX-License-Identifier: GPL-2.0-only
/*
 * Codes the units of a build. Nodes that several units have are in the pool, once; the others are
 * with their unit. Values of one kind are a column; the columns of some units together are a block,
 * which is packed by itself.
 *
 * The surprise: all is coded twice. The first time is a draft, by which it is known which texts and
 * expressions only one block of units has: these go with that block.
 */
#include <stdlib.h>

#include "pack/coding.h"
#include "pack/nodes.h"

#define POOL_BYTES  ((size_t)512 << 10) /* of columns, before a block ends */
#define BLOCK_BYTES ((size_t)1 << 20)
#define LONG_COLUMN ((size_t)4 << 10)

/* The next part is coded without what this one has seen. */
static void end_part(struct coding *coding, struct block *block)
{
	struct arena *arena = coding->build->arena;
	struct part_end *end = &arena_append(arena, block->ends, block->nends);

	*end = (struct part_end){arena_array(arena, size_t, block->ncolumns + 1), block->ncolumns,
				 block->nodes.length, block->files.length};
	for (size_t i = 0; i < block->ncolumns; i++)
		end->lengths[i] = block->columns[i].length;
	block->tracker = (struct tracker){0};
}

static bool encode_visit(struct build *build, const struct source_unit *unit,
			 const struct visit *visit, void *cookie)
{
	struct coding *coding = cookie;
	struct node *node = visit->depth ? &build->nodes[coding->base + visit->node] : NULL;
	bool is_new = node && coding->is_new[visit->node];

	/* of the unit's own DIE: after the rows, so it was coded before */
	if (!node || (!visit->die->abbrev && visit->depth == 1) || !node->is_kept ||
	    (coding->is_pooled[visit->node] && !is_new))
		return true;
	coding->block = is_new ? &coding->pool : &coding->units;
	coding->class = is_new ? build->group_class[node->group] : NONE;
	if (!visit->die->abbrev) {
		put_leb(column(coding, coding->columns[visit->depth]), 0);
		if (coding->function_depth == visit->depth - 1)
			coding->function_depth = 0;
	} else {
		if (visit->depth == 1) {
			coding->columns[1] = build->shapes.top;
			coding->function_depth = 0;
		}
		put_leb(column(coding, coding->columns[visit->depth]),
			visit->die->abbrev->shape + 1);
		if (!put_die(coding, unit, visit))
			return false;
	}
	if (visit->die->abbrev ? visit->depth == 1 && !visit->die->abbrev->has_children :
				 visit->depth == 2)
		if (is_new && (coding->class + 1 - coding->pool_first) % PART_CLASSES == 0)
			end_part(coding, &coding->pool);
	return true;
}

static void put_label(struct coding *coding, struct strbuf *out, const struct node *node)
{
	put_leb(out, node->label == NONE ? 0 : label_number(coding, node->label) + 1);
}

/* Decides where a node is coded. Returns its class, or NONE for an own one. */
static uint32_t place_node(struct coding *coding, uint32_t number)
{
	struct build *build = coding->build;
	const struct node *node = &build->nodes[coding->base + number];
	uint32_t *class = node->group == NONE ? NULL : &build->group_class[node->group];

	if (!class || coding->group_unit[node->group] == coding->unit + 1)
		return NONE;
	coding->group_unit[node->group] = coding->unit + 1;
	coding->is_pooled[number] = true;
	coding->is_new[number] = *class == NONE;
	if (coding->is_new[number]) {
		*class = build->nclasses++;
		put_label(coding, &coding->coded->class_labels, node);
	}
	return *class;
}

/* Codes which nodes the unit has. */
static void place_nodes(struct coding *coding)
{
	struct build *build = coding->build;
	uint32_t count = build->first_node[coding->unit + 1] - coding->base, number = 0, first = 0,
		 length = 0;
	struct strbuf *out = &coding->units.nodes;
	uint64_t next = 0;

	coding->numbers = arena_array(&build->unit_arena, uint32_t, count + 1);
	coding->is_new = arena_array(&build->unit_arena, bool, count + 1);
	coding->is_pooled = arena_array(&build->unit_arena, bool, count + 1);
	for (uint32_t i = 0; i < count; i++)
		if (build->nodes[coding->base + i].is_kept)
			coding->numbers[i] = number++;
	put_leb(out, number);
	for (uint32_t i = 0; i < count; i++) {
		const struct node *node = &build->nodes[coding->base + i];
		uint32_t class;

		if (!node->is_kept)
			continue;
		class = place_node(coding, i);
		if (class != NONE && length && class == first + length) {
			length++;
			continue;
		}
		if (length)
			put_classes(out, &next, first, length);
		first = class;
		length = class != NONE;
		if (class == NONE) {
			put_leb(out, 0);
			put_label(coding, out, node);
		}
	}
	if (length)
		put_classes(out, &next, first, length);
}

/* Of texts that belong to all blocks. */
static uint32_t shared_text(struct coding *coding, uint32_t text)
{
	if (!coding->is_draft)
		return text_number(coding->build, text);
	note_home(&coding->build->texts.list[text].home, HOME_ALL);
	return text;
}

/* The files of the unit's line table. */
static void put_unit_files(struct coding *coding)
{
	struct build *build = coding->build;
	const struct line_head *lines = &build->lines;
	struct strbuf *out = &coding->units.files;
	uint64_t last = 0;

	put_leb(out, lines->version);
	if (!lines->version)
		return;
	put_leb(out, lines->ndirectories);
	for (size_t i = 0; i < lines->ndirectories; i++) {
		uint64_t text = shared_text(coding, lines->directories[i]);

		put_near(out, text - last);
		last = text + 1;
	}
	put_leb(out, lines->nfiles);
	last = 0;
	for (size_t i = 0; i < lines->nfiles; i++) {
		uint64_t file = file_number(build, lines->files[i].file);

		shared_text(coding, build->files.list[lines->files[i].file].directory);
		shared_text(coding, build->files.list[lines->files[i].file].name);
		put_leb(out, lines->files[i].directory);
		put_near(out, file - last);
		last = file + 1;
	}
}

/* The unit's head: the files of its line table, and what its DIE says. */
static bool put_unit_head(struct coding *coding, const struct source_unit *unit)
{
	struct build *build = coding->build;
	struct tracker *tracker = &coding->units.tracker;
	struct source_die die;
	struct visit visit = {.die = &die};
	struct in in = in_bytes(build->source.debug.info.data + unit->die, unit->end - unit->die);

	coding->block = &coding->units;
	coding->class = NONE;
	tracker->next_own_text = build->texts.nown;
	tracker->next_expression = build->expressions.nown;
	put_leb(column(coding, COLUMN_UNIT), unit->version);
	put_leb(column(coding, COLUMN_UNIT), tracker->next_own_text);
	put_leb(column(coding, COLUMN_UNIT), tracker->next_expression);
	put_unit_files(coding);
	if (!read_source_die(&build->source, unit, &in, &die) || !die.abbrev ||
	    die.abbrev->is_dropped)
		return false;
	put_leb(column(coding, COLUMN_UNIT), die.abbrev->shape);
	coding->columns[0] = COLUMN_UNIT;
	return put_die(coding, unit, &visit);
}

static bool put_unit_rows(struct coding *coding)
{
	uint64_t count;

	if (!coding->build->lines.version)
		return true;
	column(coding, coding->build->shapes.ncolumns);
	if (!put_rows(coding->build, coding->units.columns, &count))
		return false;
	put_leb(column(coding, COLUMN_UNIT), count);
	return true;
}

static size_t block_size(const struct block *block)
{
	size_t size = 0;

	for (size_t i = 0; i < block->ncolumns; i++)
		size += block->columns[i].length;
	return size;
}

static size_t length_at(const struct part_end *end, size_t column)
{
	return column < end->ncolumns ? end->lengths[column] : 0;
}

static void put_lengths(struct strbuf *out, const struct block *block,
			size_t (*length)(const struct part_end *end, size_t column), size_t column)
{
	for (size_t i = 0, last = 0; i < block->nends; i++) {
		put_leb(out, length(&block->ends[i], column) - last);
		last = length(&block->ends[i], column);
	}
}

static size_t nodes_at(const struct part_end *end, size_t column)
{
	(void)column;
	return end->nodes;
}

static size_t files_at(const struct part_end *end, size_t column)
{
	(void)column;
	return end->files;
}

static void cut(struct coding *coding, struct coded_block *coded, size_t at)
{
	if (at && (!coded->ncuts || coded->cuts[coded->ncuts - 1] < at))
		arena_append(coding->build->arena, coded->cuts, coded->ncuts) = at;
}

/* All columns, the long ones as frames of their own. */
static void put_columns(struct coding *coding, const struct block *block, struct coded_block *coded)
{
	struct strbuf *out = &coded->streams[STREAM_COLUMNS];

	for (size_t i = 0; i < block->ncolumns; i++) {
		const struct strbuf *one = &block->columns[i];

		if (one->length >= LONG_COLUMN)
			cut(coding, coded, out->length);
		strbuf_add(out, one->data, one->length);
		if (one->length >= LONG_COLUMN)
			cut(coding, coded, out->length);
	}
	if (coded->ncuts && coded->cuts[coded->ncuts - 1] == out->length)
		coded->ncuts--;
}

static void move(struct strbuf *to, struct strbuf *from)
{
	*to = *from;
	*from = (struct strbuf){0};
}

/* How many columns, how long each is in each part, and the parts' nodes and files; then all
 * columns. */
static void end_block(struct coding *coding, enum group group, uint32_t end)
{
	struct build *build = coding->build;
	struct block *block = group == GROUP_POOL ? &coding->pool : &coding->units;
	struct coded_block *coded = &arena_append(build->arena, coding->coded->blocks[group],
						  coding->coded->counts[group]);
	struct strbuf *out = &coded->streams[STREAM_COLUMNS];

	*coded = (struct coded_block){.end = end};
	if (!coding->is_draft) {
		put_leb(out, block->ncolumns);
		for (size_t i = 0; i < block->ncolumns; i++)
			put_lengths(out, block, length_at, i);
		put_lengths(out, block, nodes_at, 0);
		put_lengths(out, block, files_at, 0);
		put_columns(coding, block, coded);
	}
	for (size_t i = 0; i < block->ncolumns; i++)
		block->columns[i].length = 0;
	move(&coded->streams[STREAM_NODES], &block->nodes);
	move(&coded->streams[STREAM_FILES], &block->files);
	block->ends = NULL;
	block->nends = 0;
	if (group == GROUP_POOL)
		return;
	move(&coded->streams[STREAM_TEXTS], &build->texts.own);
	move(&coded->streams[STREAM_EXPRESSIONS], &build->expressions.own);
	build->texts.nown = build->expressions.nown = 0;
	coding->use++;
}

static bool put_unit(struct coding *coding)
{
	struct build *build = coding->build;
	struct source_unit *unit = &build->units[coding->unit];

	if (!list_dies(build, unit))
		return false;
	coding->base = build->first_node[coding->unit];
	place_nodes(coding);
	if (!put_unit_head(coding, unit) || !walk_unit(build, unit, encode_visit, coding))
		return false;
	coding->block = &coding->units;
	return put_unit_rows(coding);
}

static void end_coding(struct coding *coding)
{
	for (size_t i = 0; i < coding->pool.ncolumns; i++)
		strbuf_deinit(&coding->pool.columns[i]);
	for (size_t i = 0; i < coding->units.ncolumns; i++)
		strbuf_deinit(&coding->units.columns[i]);
	strbuf_deinit(&coding->pool.nodes);
	strbuf_deinit(&coding->pool.files);
	strbuf_deinit(&coding->units.nodes);
	strbuf_deinit(&coding->units.files);
	strbuf_deinit(&coding->scratch);
	free(coding->list.entries);
}

/* Blocks of units end where those of the draft do: texts were said to be used by these. */
static bool is_block_end(const struct coding *coding, const struct coded *draft)
{
	return draft ? coding->unit + 1 == draft->blocks[GROUP_UNITS][coding->use].end :
		       block_size(&coding->units) >= BLOCK_BYTES ||
			       coding->unit + 1 == coding->build->nunits;
}

/* Codes all units. draft: NULL for the draft itself. */
static bool code_all(struct build *build, struct coded *coded, const struct coded *draft)
{
	struct coding coding = {.build = build, .coded = coded, .is_draft = !draft};
	bool is_good = true;

	build->nclasses = 0;
	memset(build->group_class, 0xff, (build->ngroups + 1) * sizeof(uint32_t));
	coding.label_numbers = arena_array(build->arena, uint32_t, build->nlabels + 1);
	memset(coding.label_numbers, 0xff, (build->nlabels + 1) * sizeof(uint32_t));
	coding.has_specifications = has_specifications(&build->shapes);
	coding.group_unit = arena_array(build->arena, uint32_t, build->ngroups + 1);
	for (; coding.unit < build->nunits && is_good; coding.unit++) {
		bool is_last = coding.unit + 1 == build->nunits;

		say_progress(build->file, draft ? "coding" : "drafting",
			     (unsigned)(coding.unit * 100 / build->nunits));
		is_good = put_unit(&coding);
		end_part(&coding, &coding.units);
		if (block_size(&coding.pool) >= POOL_BYTES || is_last) {
			if ((build->nclasses - coding.pool_first) % PART_CLASSES)
				end_part(&coding, &coding.pool);
			end_block(&coding, GROUP_POOL, build->nclasses);
			coding.pool_first = build->nclasses;
		}
		if (is_block_end(&coding, draft))
			end_block(&coding, GROUP_UNITS, coding.unit + 1);
	}
	coded->nlabels = coding.nlabels;
	end_coding(&coding);
	return is_good;
}

void coded_free(struct coded *coded)
{
	for (unsigned i = 0; i < NGROUPS; i++)
		for (size_t j = 0; j < coded->counts[i]; j++)
			for (unsigned k = 0; k < UNIT_STREAMS; k++)
				strbuf_deinit(&coded->blocks[i][j].streams[k]);
	for (unsigned i = 0; i < NPARTS; i++)
		strbuf_deinit(&coded->parts[i]);
	strbuf_deinit(&coded->class_labels);
	strbuf_deinit(&coded->addresses);
	strbuf_deinit(&coded->frames);
}

static void put_files(struct build *build, struct strbuf *out)
{
	for (size_t i = 0; i < build->files.ncoded; i++) {
		const struct file_key *file = &build->files.list[build->files.coded[i]];

		put_leb(out, text_number(build, file->directory));
		put_leb(out, text_number(build, file->name));
	}
}

bool put_build(struct build *build, struct coded *coded)
{
	struct coded draft = {0};
	bool is_good;

	build->group_class = arena_array(build->arena, uint32_t, build->ngroups + 1);
	is_good = code_all(build, &draft, NULL);
	if (is_good) {
		number_shared(build);
		is_good = code_all(build, coded, &draft);
	}
	coded_free(&draft);
	if (!is_good)
		return false;
	shapes_write(&coded->parts[PART_SHAPES], &build->shapes);
	put_files(build, &coded->parts[PART_FILES]);
	put_leb(&coded->parts[PART_LABELS], coded->nlabels);
	strbuf_add(&coded->parts[PART_LABELS], coded->class_labels.data,
		   coded->class_labels.length);
	coded->counts[GROUP_TEXTS] = put_shared_texts(build, &coded->blocks[GROUP_TEXTS]);
	coded->counts[GROUP_EXPRESSIONS] =
		put_shared_expressions(build, &coded->blocks[GROUP_EXPRESSIONS]);
	put_index(build, coded);
	return true;
}
