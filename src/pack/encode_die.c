// SPDX-License-Identifier: GPL-2.0-only
/* Codes the values of DIEs, in the columns of the block at hand. decode.c is the mirror of this
 * file. */
#include <stdlib.h>

#include "pack/coding.h"
#include "pack/die_operands.h"
#include "pack/index.h"

#ifndef DW_AT_GNU_locviews
#define DW_AT_GNU_locviews 0x2137
#endif

struct strbuf *column(struct coding *coding, uint32_t number)
{
	struct block *block = coding->block;

	if (number >= block->ncolumns) {
		size_t count = coding->build->shapes.ncolumns + 64;

		block->columns = arena_grow(coding->build->arena, block->columns,
					    block->ncolumns * sizeof(*block->columns),
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

/* See decode_text(). */
static void put_text_at(struct coding *coding, uint32_t at, uint32_t text)
{
	struct build *build = coding->build;
	uint32_t *home = &build->texts.list[text].home;
	bool is_own = *home != HOME_ALL;
	struct tracker *tracker = &coding->block->tracker;
	uint64_t *next = is_own ? &tracker->next_own_text : &tracker->next_text, number;

	if (coding->is_draft) {
		note_home(home, coding->class == NONE ? coding->use : HOME_ALL);
		put_number(coding, at, text);
		return;
	}
	number = text_number(build, text);
	if (number < *next) {
		put_number(coding, at, number << 2 | is_own << 1 | 1);
		return;
	}
	put_number(coding, at, (number - *next) << 2 | is_own << 1);
	*next = number + 1;
}

/* See expression_number() of decode.c. */
static void put_expression_at(struct coding *coding, uint32_t at, const uint8_t *bytes,
			      size_t length)
{
	struct build *build = coding->build;
	uint32_t index = expression_of(build, bytes, length);
	struct expression_key *expression = &build->expressions.list[index];
	uint64_t *next = &coding->block->tracker.next_expression;
	uint64_t number;

	if (coding->is_draft) {
		note_home(&expression->home, coding->class == NONE ? coding->use : HOME_ALL);
		expression->uses++;
		put_number(coding, at, index);
		return;
	}
	number = expression_number(build, index);
	if (expression->home == HOME_ALL) {
		put_number(coding, at, number * 2 + 1);
	} else if (number == *next) {
		put_number(coding, at, 0);
		++*next;
	} else {
		put_number(coding, at, (*next - 1 - number) * 2 + 2);
	}
}

/* Labels are numbered in the order in which they are coded. */
uint32_t label_number(struct coding *coding, uint32_t label)
{
	if (coding->label_numbers[label] == NONE)
		coding->label_numbers[label] = coding->nlabels++;
	return coding->label_numbers[label];
}

/* The DIE at an offset: its node as a label or a class of the pool, if the node at hand is there,
 * else as one of the unit. */
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

/* A class near the node's own by its distance, any other by its number, or a label: told apart by
 * the two lowest bits. */
static void put_class(struct coding *coding, uint32_t at, uint64_t node)
{
	uint64_t class = node >> 1, distance = fold_sign(coding->class - class);

	if (node & 1)
		put_number(coding, at, class << 1 | 1);
	else
		put_number(coding, at, distance < NEAR_MOST ? distance << 2 : class << 2 | 2);
}

static bool put_reference(struct coding *coding, const struct visit *visit,
			  const struct field *field, uint64_t offset)
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

static bool put_expression(struct coding *coding, const struct source_unit *unit, uint32_t at,
			   const uint8_t *bytes, size_t length)
{
	struct operand operands[OPERANDS_MAX];
	int count = find_operands(bytes, length, operands);
	struct strbuf *scratch = &coding->scratch;

	if (count < 0)
		return false;
	scratch->length = 0;
	strbuf_add(scratch, bytes, length);
	for (int i = 0; i < count; i++) {
		uint64_t offset = operand_get(bytes, &operands[i]) +
				  (operands[i].is_global ? 0 : unit->start);
		struct place place;

		if (!find_place(coding, offset, &place))
			return false;
		put_number(coding, COLUMN_OPERAND_NODE, place.node);
		put_number(coding, COLUMN_OPERAND_PLACE, place.place);
		/* not 0, which is no operand: the reader finds as many */
		operand_set((uint8_t *)scratch->data, &operands[i], 1);
	}
	put_expression_at(coding, at, (const uint8_t *)(scratch->data ?: ""), length);
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
		if (!put_expression(coding, unit, COLUMN_LIST_EXPRESSION, entry->expression,
				    entry->length))
			return false;
		last = entry->end;
	}
	return true;
}

/* The pairs of views that stand before the list. */
static bool put_views(struct coding *coding, const struct source_unit *unit,
		      const struct visit *visit, uint64_t list)
{
	const struct debug *debug = &coding->build->source.debug;
	const struct bytes *section = unit->version >= 5 ? &debug->loclists : &debug->loc;
	const struct source_abbrev *abbrev = visit->die->abbrev;
	uint64_t last = 0;
	struct in in;
	unsigned i = 0;

	while (i < abbrev->nattributes && abbrev->attributes[i].name != DW_AT_GNU_locviews)
		i++;
	if (i == abbrev->nattributes || visit->die->values[i].number >= list ||
	    list > section->size)
		return false;
	in = (struct in){section->data + visit->die->values[i].number, section->data + list, false};
	for (size_t j = 0; j < coding->list.count; j++) {
		uint64_t from =
			j ? coding->list.entries[j - 1].end : coding->block->tracker.address;

		put_delta(coding, COLUMN_VIEW_START,
			  get_leb(&in) - (coding->list.entries[j].start == from ? last : 0));
		last = get_leb(&in);
		put_number(coding, COLUMN_VIEW_END, last);
	}
	return !in.is_bad && in.at == in.end;
}

static bool put_location(struct coding *coding, const struct source_unit *unit,
			 const struct visit *visit, const struct shape *shape,
			 const struct source_attribute *attribute, uint64_t number)
{
	return read_locations(&coding->build->source.debug, unit, attribute->form, number,
			      &coding->list) &&
	       put_entries(coding, unit) &&
	       (!shape->has_views || attribute->name != DW_AT_location ||
		put_views(coding, unit, visit, number));
}

static bool put_ranges(struct coding *coding, const struct source_unit *unit,
		       const struct source_attribute *attribute, uint64_t number)
{
	struct tracker *tracker = &coding->block->tracker;
	uint64_t last = tracker->address;

	if (!read_ranges(&coding->build->source.debug, unit, attribute->form, number,
			 &coding->list))
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
bool has_specifications(const struct shapes *shapes)
{
	for (size_t i = 0; i < shapes->count; i++)
		for (unsigned j = 0; j < shapes->list[i].nfields; j++)
			if (shapes->list[i].tag == DW_TAG_subprogram &&
			    shapes->list[i].fields[j].name == DW_AT_specification)
				return true;
	return false;
}

/* Whether a search may look for units that have the name: none looks for what is only declared. */
static bool is_searched(const struct coding *coding, const struct visit *visit,
			const struct source_attribute *attribute)
{
	const struct source_abbrev *abbrev = visit->die->abbrev;

	if (attribute->name != DW_AT_name && attribute->name != DW_AT_linkage_name &&
	    attribute->name != DW_AT_MIPS_linkage_name)
		return false;
	if (!visit->depth || abbrev->tag == DW_TAG_formal_parameter ||
	    (abbrev->tag == DW_TAG_variable && coding->function_depth))
		return false;
	if (abbrev->tag == DW_TAG_subprogram && !coding->has_specifications &&
	    is_declaration(abbrev))
		return false;
	for (unsigned i = 0; abbrev->tag == DW_TAG_member && i < abbrev->nattributes; i++)
		if (abbrev->attributes[i].name == DW_AT_external ||
		    abbrev->attributes[i].name == DW_AT_declaration)
			return true;
	return abbrev->tag != DW_TAG_member;
}

static void put_text_value(struct coding *coding, const struct visit *visit,
			   const struct source_attribute *attribute, const struct field *field,
			   const struct value *value)
{
	struct build *build = coding->build;

	put_text_at(coding, field->column, text_of(build, value->bytes, value->length));
	if (coding->is_draft || !is_searched(coding, visit, attribute))
		return;
	build->names =
		list_room(build->names, build->nnames, &build->name_room, sizeof(*build->names));
	build->names[build->nnames++] = (struct name_entry){
		index_key(value->bytes, value->length),
		coding->class == NONE ? coding->unit << 1 : coding->class << 1 | 1,
	};
}

/* The value of the DIE's attribute of that number. */
static bool put_field(struct coding *coding, const struct source_unit *unit,
		      const struct visit *visit, const struct shape *shape,
		      const struct field *field, unsigned at)
{
	const struct source_attribute *attribute = &visit->die->abbrev->attributes[at];
	const struct value *value = &visit->die->values[at];
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
			return put_expression(coding, unit, field->column, value->bytes,
					      value->length);
		/* fall through */
	case CODE_BYTES:
		put_expression_at(coding, field->column, value->bytes, value->length);
		return true;
	case CODE_LOCATION: return put_location(coding, unit, visit, shape, attribute, number);
	case CODE_RANGES: return put_ranges(coding, unit, attribute, number);
	default: return true;
	}
}

bool put_die(struct coding *coding, const struct source_unit *unit, const struct visit *visit)
{
	const struct source_abbrev *abbrev = visit->die->abbrev;
	const struct shape *shape = &coding->build->shapes.list[abbrev->shape];
	struct tracker *tracker = &coding->block->tracker;
	unsigned next = 0;

	tracker->has_origin = false;
	for (unsigned i = 0; i < abbrev->nattributes; i++)
		if (abbrev->attributes[i].code != CODE_DROPPED &&
		    !put_field(coding, unit, visit, shape, &shape->fields[next++], i))
			return false;
	if (!abbrev->has_children)
		return true;
	coding->columns[visit->depth + 1] =
		visit->depth ? shape->children : coding->build->shapes.top;
	enter_children(tracker, visit->depth);
	if (!coding->function_depth &&
	    (abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine))
		coding->function_depth = visit->depth;
	return true;
}
