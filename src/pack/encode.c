// SPDX-License-Identifier: GPL-2.0-only
/*
 * Codes the nodes of a build. Those that several units have are in the pool, once; the others are with their unit. Values
 * of one kind are a column; the columns of some units together are a block, which is packed by itself. decode.c is the
 * mirror of this file.
 */
#include <stdlib.h>

#include "pack/build.h"
#include "pack/expression.h"

#ifndef DW_AT_GNU_locviews
#define DW_AT_GNU_locviews 0x2137
#endif

#define POOL_BYTES  ((size_t)512 << 10) /* of columns, before a block ends */
#define BLOCK_BYTES ((size_t)512 << 10)

struct block {
	struct strbuf *columns;
	size_t ncolumns;
	struct tracker tracker;
	struct strbuf nodes; /* which nodes the units have */
	struct part_end { /* by part: how long columns and nodes are at its end. A unit is one; the pool has one alone */
		size_t *lengths;
		size_t ncolumns;
		size_t nodes;
	} *ends;
	size_t nends;
};

struct coding {
	struct build *build;
	struct coded *coded;
	struct block pool, units;
	/* of the unit at hand */
	uint32_t base; /* its first node */
	uint32_t *numbers; /* by node: its number among those that are kept */
	bool *is_new; /* by node: to be added to the pool */
	bool *is_pooled; /* by node: the unit has it from there */
	struct list list;
	uint32_t *label_numbers;
	uint32_t nlabels;
	uint32_t *group_unit; /* by group: the last unit that has it, plus 1 */
	/* of the node at hand */
	struct block *block;
	uint32_t class; /* NONE: it isn't in the pool */
	uint32_t pool_first; /* the first class of the block */
	uint32_t columns[DEPTH_MAX + 2]; /* of the shapes, by depth */
	unsigned function_depth; /* of the function around; 0: none */
	struct strbuf names; /* of the node at hand; of the unit's own nodes */
	unsigned nnames;
	struct strbuf unit_names;
	unsigned nunit_names;
	struct strbuf scratch;
	bool has_specifications;
};

static struct strbuf *column(struct coding *coding, uint32_t number)
{
	struct block *block = coding->block;

	if (number >= block->ncolumns) {
		size_t count = coding->build->shapes.ncolumns + 64;

		block->columns = arena_grow(coding->build->arena, block->columns, block->ncolumns * sizeof(*block->columns),
					    count * sizeof(*block->columns));
		block->ncolumns = count;
	}
	return &block->columns[number];
}

static void put_number(struct coding *coding, uint32_t at, uint64_t value)
{
	put_leb(column(coding, at), value);
}

static void put_delta(struct coding *coding, uint32_t at, uint64_t value)
{
	put_near(column(coding, at), value);
}

static void put_text_number(struct coding *coding, uint32_t at, uint64_t number)
{
	struct tracker *tracker = &coding->block->tracker;

	if (number < tracker->next_text) {
		put_number(coding, at, number << 1 | 1);
		return;
	}
	put_number(coding, at, (number - tracker->next_text) << 1);
	tracker->next_text = number + 1;
}

/* Labels are numbered in the order in which they are coded. */
static uint32_t label_number(struct coding *coding, uint32_t label)
{
	if (coding->label_numbers[label] == NONE)
		coding->label_numbers[label] = coding->nlabels++;
	return coding->label_numbers[label];
}

/* The DIE at an offset: its node as a label or a class of the pool, if the node at hand is there, else as one of the unit. */
static bool find_place(struct coding *coding, uint64_t offset, struct place *ret)
{
	struct build *build = coding->build;
	const struct die_place *place = die_place(build, offset);
	const struct node *node = place ? &build->nodes[coding->base + place->node] : NULL;

	if (!place || !node->is_kept)
		return false;
	ret->place = place->place;
	if (coding->class == NONE)
		ret->node = coding->numbers[place->node];
	else if (node->label != NONE)
		ret->node = (uint64_t)label_number(coding, node->label) << 1 | 1;
	else if (node->group != NONE)
		ret->node = (uint64_t)build->group_class[node->group] << 1;
	else
		return false;
	return true;
}

/* A class near the node's own by its distance, any other by its number, or a label: told apart by the two lowest bits. */
static void put_class(struct coding *coding, uint32_t at, uint64_t node)
{
	uint64_t class = node >> 1, distance = fold_sign(coding->class - class);

	if (node & 1)
		put_number(coding, at, class << 1 | 1);
	else
		put_number(coding, at, distance < NEAR_MOST ? distance << 2 : class << 2 | 2);
}

static bool put_reference(struct coding *coding, const struct visit *visit, const struct field *field, uint64_t offset)
{
	struct tracker *tracker = &coding->block->tracker;
	unsigned tag = visit->die->abbrev->tag;
	const struct place *expected = expected_origin(tracker, visit->depth, tag, field->name);
	struct place place;

	if (!find_place(coding, offset, &place))
		return false;
	if (expected) {
		put_delta(coding, field->column, place.node - expected->node);
		put_delta(coding, field->column + 1, place.place - expected->place - 1);
	} else {
		if (coding->class != NONE)
			put_class(coding, field->column, place.node);
		else
			put_number(coding, field->column, place.node);
		put_number(coding, field->column + 1, place.place);
	}
	note_reference(tracker, visit->depth, tag, field->name, place);
	return true;
}

static bool put_expression(struct coding *coding, const struct source_unit *unit, uint32_t at, const uint8_t *bytes,
			   size_t length)
{
	struct operand operands[OPERANDS_MAX];
	int count = find_operands(bytes, length, operands);
	struct strbuf *scratch = &coding->scratch;

	if (count < 0)
		return false;
	scratch->length = 0;
	strbuf_add(scratch, bytes, length);
	for (int i = 0; i < count; i++) {
		uint64_t offset = operand_get(bytes, &operands[i]) + (operands[i].is_global ? 0 : unit->start);
		struct place place;

		if (!find_place(coding, offset, &place))
			return false;
		put_number(coding, COLUMN_OPERAND_NODE, place.node);
		put_number(coding, COLUMN_OPERAND_PLACE, place.place);
		/* not 0, which is no operand: the reader finds as many */
		operand_set((uint8_t *)scratch->data, &operands[i], 1);
	}
	put_number(coding, at, expression_of(coding->build, (const uint8_t *)scratch->data, length));
	return true;
}

static bool put_entries(struct coding *coding, const struct source_unit *unit)
{
	uint64_t last = coding->block->tracker.address;

	put_number(coding, COLUMN_LIST_COUNT, coding->list.count);
	for (size_t i = 0; i < coding->list.count; i++) {
		const struct list_entry *entry = &coding->list.entries[i];

		put_delta(coding, COLUMN_LIST_START, entry->start - last);
		put_number(coding, COLUMN_LIST_LENGTH, entry->end - entry->start);
		if (!put_expression(coding, unit, COLUMN_LIST_EXPRESSION, entry->expression, entry->length))
			return false;
		last = entry->end;
	}
	return true;
}

/* The pairs of views that stand before the list. */
static bool put_views(struct coding *coding, const struct source_unit *unit, const struct visit *visit, uint64_t list)
{
	const struct debug *debug = &coding->build->source.debug;
	const struct bytes *section = unit->version >= 5 ? &debug->loclists : &debug->loc;
	const struct source_abbrev *abbrev = visit->die->abbrev;
	struct in in;
	unsigned i = 0;

	while (i < abbrev->nattributes && abbrev->attributes[i].name != DW_AT_GNU_locviews)
		i++;
	if (i == abbrev->nattributes || visit->die->values[i].number >= list || list > section->size)
		return false;
	in = (struct in){section->data + visit->die->values[i].number, section->data + list, false};
	for (size_t j = 0; j < coding->list.count; j++) {
		put_number(coding, COLUMN_VIEW_START, get_leb(&in));
		put_number(coding, COLUMN_VIEW_END, get_leb(&in));
	}
	return !in.is_bad && in.at == in.end;
}

static bool put_location(struct coding *coding, const struct source_unit *unit, const struct visit *visit,
			 const struct shape *shape, const struct source_attribute *attribute, uint64_t number)
{
	return read_locations(&coding->build->source.debug, unit, attribute->form, number, &coding->list) &&
	       put_entries(coding, unit) &&
	       (!shape->has_views || attribute->name != DW_AT_location || put_views(coding, unit, visit, number));
}

static bool put_ranges(struct coding *coding, const struct source_unit *unit, const struct source_attribute *attribute,
		       uint64_t number)
{
	struct tracker *tracker = &coding->block->tracker;
	uint64_t last = tracker->address;

	if (!read_ranges(&coding->build->source.debug, unit, attribute->form, number, &coding->list))
		return false;
	put_number(coding, COLUMN_RANGE_COUNT, coding->list.count);
	for (size_t i = 0; i < coding->list.count; i++) {
		const struct list_entry *entry = &coding->list.entries[i];

		put_delta(coding, COLUMN_RANGE_START, entry->start - last);
		put_number(coding, COLUMN_RANGE_LENGTH, entry->end - entry->start);
		last = entry->end;
		if (!i)
			tracker->address = entry->start;
	}
	return true;
}

static bool is_declaration(const struct source_abbrev *abbrev)
{
	for (unsigned i = 0; i < abbrev->nattributes; i++)
		if (abbrev->attributes[i].name == DW_AT_declaration)
			return true;
	return false;
}

/* Whether functions are declared in one DIE and defined in another, which then has no name. */
static bool has_specifications(const struct shapes *shapes)
{
	for (size_t i = 0; i < shapes->count; i++)
		for (unsigned j = 0; j < shapes->list[i].nfields; j++)
			if (shapes->list[i].tag == DW_TAG_subprogram && shapes->list[i].fields[j].name == DW_AT_specification)
				return true;
	return false;
}

/* Whether a search may look for units that have the name: none looks for what is only declared. */
static bool is_searched(const struct coding *coding, const struct visit *visit, const struct source_attribute *attribute)
{
	const struct source_abbrev *abbrev = visit->die->abbrev;

	if (attribute->name != DW_AT_name && attribute->name != DW_AT_linkage_name &&
	    attribute->name != DW_AT_MIPS_linkage_name)
		return false;
	if (!visit->depth || abbrev->tag == DW_TAG_formal_parameter || (abbrev->tag == DW_TAG_variable && coding->function_depth))
		return false;
	if (abbrev->tag == DW_TAG_subprogram && !coding->has_specifications && is_declaration(abbrev))
		return false;
	for (unsigned i = 0; abbrev->tag == DW_TAG_member && i < abbrev->nattributes; i++)
		if (abbrev->attributes[i].name == DW_AT_external || abbrev->attributes[i].name == DW_AT_declaration)
			return true;
	return abbrev->tag != DW_TAG_member;
}

static void put_text_value(struct coding *coding, const struct visit *visit, const struct source_attribute *attribute,
			   const struct field *field, const struct value *value)
{
	struct build *build = coding->build;
	uint32_t number = text_number(build, text_of(build, value->bytes, value->length));

	put_text_number(coding, field->column, number);
	if (!is_searched(coding, visit, attribute))
		return;
	put_leb(&coding->names, number);
	coding->nnames++;
}

static bool put_field(struct coding *coding, const struct source_unit *unit, const struct visit *visit,
		      const struct shape *shape, const struct field *field, const struct source_attribute *attribute,
		      const struct value *value)
{
	struct tracker *tracker = &coding->block->tracker;
	bool is_call = is_of_call(field->name);
	uint64_t number = value->number;

	switch (field->code) {
	case CODE_NUMBER: put_number(coding, field->column, number); return true;
	case CODE_SIGNED: put_delta(coding, field->column, number); return true;
	case CODE_LINE:
		put_delta(coding, field->column, number - tracker->lines[is_call]);
		tracker->lines[is_call] = number;
		return true;
	case CODE_FILE:
		number = file_numbered(coding->build, number);
		if (number == NONE)
			return false;
		if (number)
			number = (uint64_t)file_number(coding->build, (uint32_t)number - 1) + 1;
		put_delta(coding, field->column, number - tracker->files[is_call]);
		tracker->files[is_call] = number;
		return true;
	case CODE_TEXT: put_text_value(coding, visit, attribute, field, value); return true;
	case CODE_ADDRESS:
		put_delta(coding, field->column, number - tracker->address);
		tracker->address = number;
		return true;
	case CODE_REF: return put_reference(coding, visit, field, unit->start + number);
	case CODE_BLOCK:
		if (field->form == DW_FORM_exprloc)
			return put_expression(coding, unit, field->column, value->bytes, value->length);
		/* fall through */
	case CODE_BYTES:
		put_number(coding, field->column, expression_of(coding->build, value->bytes, value->length));
		return true;
	case CODE_LOCATION: return put_location(coding, unit, visit, shape, attribute, number);
	case CODE_RANGES: return put_ranges(coding, unit, attribute, number);
	default: return true;
	}
}

static bool put_die(struct coding *coding, const struct source_unit *unit, const struct visit *visit)
{
	const struct source_abbrev *abbrev = visit->die->abbrev;
	const struct shape *shape = &coding->build->shapes.list[abbrev->shape];
	struct tracker *tracker = &coding->block->tracker;
	unsigned next = 0;

	tracker->has_origin = false;
	for (unsigned i = 0; i < abbrev->nattributes; i++) {
		const struct source_attribute *attribute = &abbrev->attributes[i];

		if (attribute->code != CODE_DROPPED &&
		    !put_field(coding, unit, visit, shape, &shape->fields[next++], attribute, &visit->die->values[i]))
			return false;
	}
	if (!abbrev->has_children)
		return true;
	coding->columns[visit->depth + 1] = visit->depth ? shape->children : coding->build->shapes.top;
	enter_children(tracker, visit->depth);
	if (!coding->function_depth && (abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine))
		coding->function_depth = visit->depth;
	return true;
}

/* The names of a node that ends here: of a class by themselves, others with those of the unit. */
static void end_node(struct coding *coding)
{
	bool is_class = coding->class != NONE;
	struct strbuf *out = is_class ? &coding->coded->class_names : &coding->unit_names;

	if (is_class)
		put_leb(out, coding->nnames);
	else
		coding->nunit_names += coding->nnames;
	strbuf_add(out, coding->names.data, coding->names.length);
	coding->names.length = 0;
	coding->nnames = 0;
}

/* The next part is coded without what this one has seen. */
static void end_part(struct coding *coding, struct block *block)
{
	struct arena *arena = coding->build->arena;
	struct part_end *end = &arena_append(arena, block->ends, block->nends);

	*end = (struct part_end){arena_array(arena, size_t, block->ncolumns + 1), block->ncolumns, block->nodes.length};
	for (size_t i = 0; i < block->ncolumns; i++)
		end->lengths[i] = block->columns[i].length;
	block->tracker = (struct tracker){0};
}

static bool encode_visit(struct build *build, const struct source_unit *unit, const struct visit *visit, void *cookie)
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
		put_number(coding, coding->columns[visit->depth], 0);
		if (coding->function_depth == visit->depth - 1)
			coding->function_depth = 0;
	} else {
		if (visit->depth == 1) {
			coding->columns[1] = build->shapes.top;
			coding->function_depth = 0;
		}
		put_number(coding, coding->columns[visit->depth], visit->die->abbrev->shape + 1);
		if (!put_die(coding, unit, visit))
			return false;
	}
	if (visit->die->abbrev ? visit->depth == 1 && !visit->die->abbrev->has_children : visit->depth == 2) {
		end_node(coding);
		if (is_new && (coding->class + 1 - coding->pool_first) % PART_CLASSES == 0)
			end_part(coding, &coding->pool);
	}
	return true;
}

/* Decides where the unit's nodes are coded, and codes which it has. */
static void place_nodes(struct coding *coding, size_t index)
{
	struct build *build = coding->build;
	uint32_t count = build->first_node[index + 1] - coding->base, number = 0, last = 0;
	struct strbuf *out = &coding->units.nodes;

	coding->numbers = arena_array(&build->unit_arena, uint32_t, count + 1);
	coding->is_new = arena_array(&build->unit_arena, bool, count + 1);
	coding->is_pooled = arena_array(&build->unit_arena, bool, count + 1);
	for (uint32_t i = 0; i < count; i++)
		number += build->nodes[coding->base + i].is_kept;
	put_leb(out, number);
	number = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct node *node = &build->nodes[coding->base + i];
		uint32_t *class = node->group == NONE ? NULL : &build->group_class[node->group];

		if (!node->is_kept)
			continue;
		coding->numbers[i] = number++;
		if (!class || coding->group_unit[node->group] == index + 1) {
			put_leb(out, 0);
			put_leb(out, node->label == NONE ? 0 : label_number(coding, node->label) + 1);
			continue;
		}
		coding->group_unit[node->group] = (uint32_t)index + 1;
		coding->is_pooled[i] = true;
		coding->is_new[i] = *class == NONE;
		if (coding->is_new[i]) {
			*class = build->nclasses++;
			put_leb(&coding->coded->labels, node->label == NONE ? 0 : label_number(coding, node->label) + 1);
		}
		put_leb(out, fold_sign((uint64_t)*class - last) + 1);
		last = *class + 1;
	}
}

/* The unit's head: what its DIE says, and the files of its line table. */
static bool put_unit_head(struct coding *coding, const struct source_unit *unit)
{
	struct build *build = coding->build;
	const struct line_head *lines = &build->lines;
	struct source_die die;
	struct visit visit = {.die = &die};
	struct in in = in_bytes(build->source.debug.info.data + unit->die, unit->end - unit->die);

	coding->block = &coding->units;
	coding->class = NONE;
	put_number(coding, COLUMN_UNIT, unit->version);
	put_number(coding, COLUMN_UNIT, lines->version);
	if (lines->version) {
		put_number(coding, COLUMN_UNIT, lines->ndirectories);
		for (size_t i = 0; i < lines->ndirectories; i++)
			put_number(coding, COLUMN_UNIT, text_number(build, lines->directories[i]));
		put_number(coding, COLUMN_UNIT, lines->nfiles);
		for (size_t i = 0, last = 0; i < lines->nfiles; i++) {
			size_t file = file_number(build, lines->files[i].file);

			put_number(coding, COLUMN_UNIT, lines->files[i].directory);
			put_delta(coding, COLUMN_UNIT, file - last);
			last = file + 1;
		}
	}
	if (!read_source_die(&build->source, unit, &in, &die) || !die.abbrev || die.abbrev->is_dropped)
		return false;
	put_number(coding, COLUMN_UNIT, die.abbrev->shape);
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
	put_number(coding, COLUMN_UNIT, count);
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

/* How many columns, how long each is in each part, and the parts' nodes; then all columns. */
static void end_block(struct coding *coding, struct block *block, struct coded_block **list, size_t *count,
		      uint32_t end)
{
	struct coded_block *coded = &arena_append(coding->build->arena, *list, *count);

	*coded = (struct coded_block){.end = end};
	put_leb(&coded->columns, block->ncolumns);
	for (size_t i = 0; i < block->ncolumns; i++)
		for (size_t j = 0, last = 0; j < block->nends; j++) {
			put_leb(&coded->columns, length_at(&block->ends[j], i) - last);
			last = length_at(&block->ends[j], i);
		}
	for (size_t j = 0, last = 0; j < block->nends; j++) {
		put_leb(&coded->columns, block->ends[j].nodes - last);
		last = block->ends[j].nodes;
	}
	for (size_t i = 0; i < block->ncolumns; i++) {
		strbuf_add(&coded->columns, block->columns[i].data, block->columns[i].length);
		block->columns[i].length = 0;
	}
	coded->nodes = block->nodes;
	block->nodes = (struct strbuf){0};
	block->ends = NULL;
	block->nends = 0;
}

static bool put_unit(struct coding *coding, size_t index)
{
	struct build *build = coding->build;
	struct source_unit *unit = &build->units[index];
	struct strbuf *names = &coding->coded->unit_names;

	if (!list_dies(build, unit))
		return false;
	coding->base = build->first_node[index];
	place_nodes(coding, index);
	if (!put_unit_head(coding, unit) || !walk_unit(build, unit, encode_visit, coding))
		return false;
	coding->block = &coding->units;
	if (!put_unit_rows(coding))
		return false;
	put_leb(names, coding->nunit_names);
	strbuf_add(names, coding->unit_names.data, coding->unit_names.length);
	coding->unit_names.length = 0;
	coding->nunit_names = 0;
	return true;
}

static void end_coding(struct coding *coding)
{
	for (size_t i = 0; i < coding->pool.ncolumns; i++)
		strbuf_deinit(&coding->pool.columns[i]);
	for (size_t i = 0; i < coding->units.ncolumns; i++)
		strbuf_deinit(&coding->units.columns[i]);
	strbuf_deinit(&coding->pool.nodes);
	strbuf_deinit(&coding->units.nodes);
	strbuf_deinit(&coding->names);
	strbuf_deinit(&coding->unit_names);
	strbuf_deinit(&coding->scratch);
	free(coding->list.entries);
}

bool put_build(struct build *build, struct coded *coded)
{
	struct coding coding = {.build = build, .coded = coded};
	bool is_good = true;

	build->group_class = arena_array(build->arena, uint32_t, build->ngroups + 1);
	memset(build->group_class, 0xff, (build->ngroups + 1) * sizeof(uint32_t));
	coding.label_numbers = arena_array(build->arena, uint32_t, build->nlabels + 1);
	memset(coding.label_numbers, 0xff, (build->nlabels + 1) * sizeof(uint32_t));
	coding.has_specifications = has_specifications(&build->shapes);
	coding.group_unit = arena_array(build->arena, uint32_t, build->ngroups + 1);
	for (size_t i = 0; i < build->nunits && is_good; i++) {
		say_progress(build->file, "coding", (unsigned)(i * 100 / build->nunits));
		is_good = put_unit(&coding, i);
		end_part(&coding, &coding.units);
		if (block_size(&coding.pool) >= POOL_BYTES || i + 1 == build->nunits) {
			if ((build->nclasses - coding.pool_first) % PART_CLASSES)
				end_part(&coding, &coding.pool);
			end_block(&coding, &coding.pool, &coded->pools, &coded->npools, build->nclasses);
			coding.pool_first = build->nclasses;
		}
		if (block_size(&coding.units) >= BLOCK_BYTES || i + 1 == build->nunits)
			end_block(&coding, &coding.units, &coded->blocks, &coded->nblocks, (uint32_t)i + 1);
	}
	coded->nlabels = coding.nlabels;
	end_coding(&coding);
	return is_good;
}
