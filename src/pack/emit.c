// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a unit's part of each section of its nodes' values. References are written last, when it is known where each DIE
 * is; operands of expressions keep the width that they had.
 */
#include <stdlib.h>

#include "pack/decode.h"
#include "pack/expression.h"
#include "pack/nodes.h"

#define NODES_MAX ((uint64_t)1 << 24)

struct fixup {
	uint32_t at; /* in the unit's part of the section */
	uint32_t node, place;
	struct operand operand;
	uint8_t part; /* enum part_of_unit */
	bool is_class;
};

struct emitter {
	struct decoder *decoder;
	struct strbuf parts[UNIT_PARTS];
	uint8_t version;
	bool has_nodes; /* the unit's DIE may have children */
	const struct unit_at *at;
	uint32_t number;       /* of the unit, in this emitter */
	uint32_t *shape_units; /* by shape: the last unit that has it */
	uint32_t *shape_codes;
	uint32_t ncodes;
	uint32_t *class_units; /* by class */
	uint32_t *class_nodes;
	uint32_t *label_units; /* by label */
	uint32_t *label_nodes;
	uint32_t *file_units;  /* by file */
	uint32_t *file_numbers;
	uint32_t *dies;        /* offsets in the unit */
	size_t ndies, die_room;
	uint32_t *nodes;       /* first DIE of each node, and one more */
	uint64_t nnodes;
	uint64_t node; /* the next one */
	size_t node_room;
	struct fixup *fixups;
	size_t nfixups, fixup_room;
	struct arena arena; /* of the unit */
	struct unit_files files;
	uint64_t list; /* of the DIE at hand: where its locations are, and their views */
	uint64_t views;
};

static void *allocate(size_t count, size_t size)
{
	void *ret = calloc(count + 1, size);

	if (!ret)
		out_of_memory();
	return ret;
}

struct emitter *emitter_new(struct decoder *decoder)
{
	struct emitter *emitter = allocate(1, sizeof(*emitter));
	uint64_t nclasses = class_count(decoder);

	emitter->decoder = decoder;
	emitter->shape_units = allocate(decoder->shapes.count, sizeof(uint32_t));
	emitter->shape_codes = allocate(decoder->shapes.count, sizeof(uint32_t));
	emitter->class_units = allocate(nclasses, sizeof(uint32_t));
	emitter->class_nodes = allocate(nclasses, sizeof(uint32_t));
	emitter->label_units = allocate(decoder->nlabels, sizeof(uint32_t));
	emitter->label_nodes = allocate(decoder->nlabels, sizeof(uint32_t));
	emitter->file_units = allocate(decoder->nfiles, sizeof(uint32_t));
	emitter->file_numbers = allocate(decoder->nfiles, sizeof(uint32_t));
	return emitter;
}

void emitter_free(struct emitter *emitter)
{
	if (!emitter)
		return;
	for (unsigned i = 0; i < UNIT_PARTS; i++)
		strbuf_deinit(&emitter->parts[i]);
	free(emitter->shape_units);
	free(emitter->shape_codes);
	free(emitter->class_units);
	free(emitter->class_nodes);
	free(emitter->label_units);
	free(emitter->label_nodes);
	free(emitter->file_units);
	free(emitter->file_numbers);
	free(emitter->dies);
	free(emitter->nodes);
	free(emitter->fixups);
	arena_deinit(&emitter->arena);
	free(emitter);
}

static void put_abbrev(struct emitter *emitter, const struct shape *shape, uint32_t code)
{
	struct strbuf *out = &emitter->parts[UNIT_ABBREV];

	put_leb(out, code);
	put_leb(out, shape->tag);
	put_fixed(out, shape->has_children, 1);
	for (unsigned i = 0; i < shape->nfields; i++) {
		put_leb(out, shape->fields[i].name);
		put_leb(out, shape->fields[i].form);
		if (shape->fields[i].form == DW_FORM_implicit_const)
			put_sleb(out, (int64_t)shape->fields[i].implicit);
	}
	put_fixed(out, 0, 2);
}

static uint32_t abbrev_code(struct emitter *emitter, uint64_t shape)
{
	if (emitter->shape_units[shape] != emitter->number) {
		emitter->shape_units[shape] = emitter->number;
		emitter->shape_codes[shape] = ++emitter->ncodes;
		put_abbrev(emitter, &emitter->decoder->shapes.list[shape], emitter->ncodes);
	}
	return emitter->shape_codes[shape];
}

/* Tokens are read from a node whose reader has counted them: none can be missing. */
struct emission {
	struct emitter *emitter;
	const uint64_t *at;
	bool is_class; /* references are to classes */
	bool is_bad;
};

static void add_fixup(struct emission *emission, enum part_of_unit part, size_t at, const struct operand *operand)
{
	struct emitter *emitter = emission->emitter;
	uint64_t node = *emission->at++, place = *emission->at++;

	emission->is_bad |= node > UINT32_MAX || place > UINT32_MAX || at > UINT32_MAX;
	emitter->fixups = list_room(emitter->fixups, emitter->nfixups, &emitter->fixup_room, sizeof(*emitter->fixups));
	emitter->fixups[emitter->nfixups++] = (struct fixup){
		(uint32_t)at, (uint32_t)node, (uint32_t)place, *operand, (uint8_t)part, emission->is_class,
	};
}

static void put_reference(struct emission *emission)
{
	static const struct operand whole = {.width = 4};
	struct strbuf *out = &emission->emitter->parts[UNIT_INFO];

	add_fixup(emission, UNIT_INFO, out->length, &whole);
	put_fixed(out, 0, 4);
}

static void put_expression(struct emission *emission, enum part_of_unit part, unsigned length_size, bool has_operands)
{
	struct strbuf *out = &emission->emitter->parts[part];
	struct expression *expression = expression_numbered(emission->emitter->decoder, *emission->at++);
	struct in in = expression->bytes;
	struct operand operands[OPERANDS_MAX];
	size_t start;

	/* a long one may be named again and again */
	emission->is_bad |= in_left(&in) > emission->emitter->at->most[part] || out->length > emission->emitter->at->most[part];
	if (emission->is_bad)
		return;
	if (length_size == 2)
		put_fixed(out, in_left(&in), 2);
	else if (!length_size)
		put_leb(out, in_left(&in));
	start = out->length;
	strbuf_add(out, in.at, in_left(&in));
	if (!has_operands || operand_count(expression) <= 0)
		return;
	find_operands(in.at, in_left(&in), operands);
	for (int i = 0; i < operand_count(expression); i++)
		add_fixup(emission, part, start, &operands[i]);
}

static void put_location_entry(struct emission *emission)
{
	struct emitter *emitter = emission->emitter;
	struct strbuf *out = &emitter->parts[UNIT_LOCATIONS];
	uint64_t start = *emission->at++, end = *emission->at++;

	if (emitter->version < 5) {
		put_fixed(out, start, 8);
		put_fixed(out, end, 8);
	} else if (!start && end == UINT64_MAX) {
		put_fixed(out, DW_LLE_default_location, 1);
	} else {
		put_fixed(out, DW_LLE_start_length, 1);
		put_fixed(out, start, 8);
		put_leb(out, end - start);
	}
	put_expression(emission, UNIT_LOCATIONS, emitter->version < 5 ? 2 : 0, true);
}

/* Addresses of old lists count from a base: here, from 0. */
static void put_base(struct strbuf *out)
{
	put_fixed(out, UINT64_MAX, 8);
	put_fixed(out, 0, 8);
}

static const uint64_t *behind_entries(struct emission *emission, uint64_t count)
{
	const uint64_t *at = emission->at;

	for (uint64_t i = 0; i < count; i++) {
		int operands = operand_count(expression_numbered(emission->emitter->decoder, at[2]));

		at += 3 + (operands > 0 ? 2 * operands : 0);
	}
	return at;
}

/* The views, then the list. */
static void put_location(struct emission *emission, const struct shape *shape, const struct field *field)
{
	struct emitter *emitter = emission->emitter;
	struct strbuf *out = &emitter->parts[UNIT_LOCATIONS];
	uint64_t count = *emission->at++, base = emitter->at->at[UNIT_LOCATIONS];
	const uint64_t *views = behind_entries(emission, count);
	bool has_views = shape->has_views && field->name == DW_AT_location;

	if (has_views)
		emitter->views = base + out->length;
	for (uint64_t i = 0; has_views && i < 2 * count; i++)
		put_leb(out, *views++);
	emitter->list = base + out->length;
	if (emitter->version < 5)
		put_base(out);
	for (uint64_t i = 0; i < count; i++)
		put_location_entry(emission);
	put_fixed(out, 0, emitter->version < 5 ? 8 : 1);
	if (emitter->version < 5)
		put_fixed(out, 0, 8);
	emission->at = views;
}

static void put_ranges(struct emission *emission)
{
	struct emitter *emitter = emission->emitter;
	struct strbuf *out = &emitter->parts[UNIT_RANGES];
	uint64_t count = *emission->at++;

	put_fixed(&emitter->parts[UNIT_INFO], emitter->at->at[UNIT_RANGES] + out->length, 4);
	if (emitter->version < 5)
		put_base(out);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = *emission->at++, end = *emission->at++;

		if (emitter->version >= 5)
			put_fixed(out, DW_RLE_start_length, 1);
		put_fixed(out, start, 8);
		if (emitter->version >= 5)
			put_leb(out, end - start);
		else
			put_fixed(out, end, 8);
	}
	put_fixed(out, 0, emitter->version < 5 ? 8 : 1);
	if (emitter->version < 5)
		put_fixed(out, 0, 8);
}

static void put_file(struct emission *emission)
{
	struct emitter *emitter = emission->emitter;
	uint64_t file = *emission->at++;

	emission->is_bad |= file > emitter->decoder->nfiles ||
			    (file && emitter->file_units[file - 1] != emitter->number);
	put_leb(&emitter->parts[UNIT_INFO], file && !emission->is_bad ? emitter->file_numbers[file - 1] : 0);
}

static void put_number(struct strbuf *out, unsigned form, uint64_t value)
{
	switch (form) {
	case DW_FORM_flag:
	case DW_FORM_data1: put_fixed(out, value, 1); break;
	case DW_FORM_data2: put_fixed(out, value, 2); break;
	case DW_FORM_sec_offset:
	case DW_FORM_data4: put_fixed(out, value, 4); break;
	case DW_FORM_data8: put_fixed(out, value, 8); break;
	default: put_leb(out, value);
	}
}

static void put_field(struct emission *emission, const struct shape *shape, const struct field *field)
{
	struct emitter *emitter = emission->emitter;
	struct strbuf *out = &emitter->parts[UNIT_INFO];

	switch (field->code) {
	case CODE_NUMBER: put_number(out, field->form, *emission->at++); break;
	case CODE_SIGNED: put_sleb(out, (int64_t)*emission->at++); break;
	case CODE_LINE: put_leb(out, *emission->at++); break;
	case CODE_FILE: put_file(emission); break;
	case CODE_TEXT: put_fixed(out, *emission->at++, 4); break;
	case CODE_ADDRESS: put_fixed(out, *emission->at++, 8); break;
	case CODE_REF: put_reference(emission); break;
	case CODE_BLOCK: put_expression(emission, UNIT_INFO, 0, field->form == DW_FORM_exprloc); break;
	case CODE_BYTES:
		emission->is_bad |= in_left(&expression_numbered(emitter->decoder, *emission->at)->bytes) != 16;
		put_expression(emission, UNIT_INFO, 16, false);
		break;
	case CODE_LOCATION:
		put_location(emission, shape, field);
		put_fixed(out, emitter->list, 4);
		break;
	case CODE_VIEWS: put_fixed(out, emitter->views, 4); break;
	case CODE_RANGES: put_ranges(emission); break;
	case CODE_TABLE: put_fixed(out, emitter->at->at[UNIT_LINE], 4); break;
	default: break;
	}
}

static void put_die(struct emission *emission, uint64_t number)
{
	const struct shape *shape = &emission->emitter->decoder->shapes.list[number];

	put_leb(&emission->emitter->parts[UNIT_INFO], abbrev_code(emission->emitter, number));
	for (unsigned i = 0; i < shape->nfields; i++)
		put_field(emission, shape, &shape->fields[i]);
}

static bool put_node(struct emitter *emitter, const uint64_t *tokens, size_t count, bool is_class)
{
	struct emission emission = {.emitter = emitter, .at = tokens, .is_class = is_class};
	struct strbuf *out = &emitter->parts[UNIT_INFO];

	emitter->nodes[emitter->node++] = (uint32_t)emitter->ndies;
	while (emission.at < tokens + count && !emission.is_bad) {
		uint64_t shape = *emission.at++;

		if (!shape) {
			put_fixed(out, 0, 1);
			continue;
		}
		emitter->dies = list_room(emitter->dies, emitter->ndies, &emitter->die_room, sizeof(*emitter->dies));
		emitter->dies[emitter->ndies++] = (uint32_t)out->length;
		put_die(&emission, shape - 1);
	}
	return !emission.is_bad;
}

static bool set_fixup(struct emitter *emitter, const struct fixup *fixup)
{
	uint32_t node = fixup->node;
	uint8_t *bytes = (uint8_t *)emitter->parts[fixup->part].data + fixup->at;
	uint64_t offset;

	if (fixup->is_class) {
		bool is_label = node & 1;
		const uint32_t *units = is_label ? emitter->label_units : emitter->class_units;

		node >>= 1;
		if (node >= (is_label ? emitter->decoder->nlabels : class_count(emitter->decoder)) ||
		    units[node] != emitter->number)
			return false;
		node = is_label ? emitter->label_nodes[node] : emitter->class_nodes[node];
	}
	if (node >= emitter->nnodes || fixup->place >= emitter->nodes[node + 1] - emitter->nodes[node])
		return false;
	offset = emitter->dies[emitter->nodes[node] + fixup->place];
	return operand_set(bytes, &fixup->operand, offset + (fixup->operand.is_global ? emitter->at->at[UNIT_INFO] : 0));
}

/* label: plus 1; 0: none */
static void set_label(struct emitter *emitter, uint32_t label, uint32_t node)
{
	if (!label)
		return;
	emitter->label_units[label - 1] = emitter->number;
	emitter->label_nodes[label - 1] = node;
}

static bool set_class(struct emitter *emitter, uint64_t class, uint32_t node, uint32_t *classes)
{
	if (class >= class_count(emitter->decoder))
		return false;
	classes[node] = (uint32_t)class;
	emitter->class_units[class] = emitter->number;
	emitter->class_nodes[class] = node;
	set_label(emitter, emitter->decoder->labels[class], node);
	return true;
}

/* The unit's list of nodes. classes: NONE for its own. */
static bool read_nodes(struct emitter *emitter, struct in *in, uint32_t **classes)
{
	struct node_list list;
	struct node_run run;

	if (!nodes_begin(&list, in) || list.left > NODES_MAX || list.left > emitter->at->most[UNIT_INFO])
		return false;
	emitter->nnodes = list.left;
	*classes = arena_array(&emitter->arena, uint32_t, emitter->nnodes + 1);
	emitter->nodes = realloc(emitter->nodes, (emitter->nnodes + 1) * sizeof(*emitter->nodes));
	if (!emitter->nodes)
		out_of_memory();
	emitter->node = 0;
	for (uint32_t node = 0; nodes_next(&list, &run);) {
		if (run.is_own) {
			if (run.label > emitter->decoder->nlabels)
				return false;
			set_label(emitter, (uint32_t)run.label, node);
			(*classes)[node++] = NONE;
		}
		for (uint64_t i = 0; i < run.count; i++)
			if (!set_class(emitter, run.class + i, node++, *classes))
				return false;
	}
	return !in->is_bad;
}

/* Takes the last of two numbers of one file: number 0 says something else. */
static void number_files(struct emitter *emitter)
{
	const struct unit_files *files = &emitter->files;

	for (uint64_t i = 0; i < files->nfiles; i++) {
		emitter->file_units[files->files[i].file] = emitter->number;
		emitter->file_numbers[files->files[i].file] = (uint32_t)i + (files->version < 5);
	}
}

static void put_head(struct emitter *emitter)
{
	struct strbuf *out = &emitter->parts[UNIT_INFO];

	put_fixed(out, 0, 4); /* the length */
	put_fixed(out, emitter->version, 2);
	if (emitter->version >= 5)
		put_fixed(out, DW_UT_compile | 8 << 8, 2);
	put_fixed(out, emitter->at->at[UNIT_ABBREV], 4);
	if (emitter->version < 5)
		put_fixed(out, 8, 1);
}

static bool put_first(struct emitter *emitter, struct columns *columns, struct tracker *tracker)
{
	struct decoder *decoder = emitter->decoder;
	uint64_t number = get_leb(&columns->list[COLUMN_UNIT]);
	struct emission emission = {.emitter = emitter};

	if (number >= decoder->shapes.count)
		return false;
	emitter->has_nodes = decoder->shapes.list[number].has_children;
	decoder->scratch.count = 0;
	if (!decode_fields(decoder, columns, tracker, &decoder->shapes.list[number], 0, NONE, &decoder->scratch))
		return false;
	enter_children(tracker, 0);
	put_head(emitter);
	emission.at = decoder->scratch.list;
	put_die(&emission, number);
	return !emission.is_bad;
}

/* A damaged list of nodes may name a large one again and again. */
static bool is_small(const struct emitter *emitter)
{
	for (unsigned i = 0; i < UNIT_PARTS; i++)
		if (emitter->parts[i].length > emitter->at->most[i])
			return false;
	return true;
}

static bool put_nodes(struct emitter *emitter, struct columns *columns, struct tracker *tracker, const uint32_t *classes)
{
	struct decoder *decoder = emitter->decoder;

	for (uint64_t i = 0; i < emitter->nnodes; i++) {
		const uint64_t *tokens;
		size_t count;

		if (classes[i] != NONE) {
			if (!pool_node(decoder, classes[i], &tokens, &count))
				return false;
		} else {
			decoder->scratch.count = 0;
			if (!decode_node(decoder, columns, tracker, NONE, &decoder->scratch))
				return false;
			tokens = decoder->scratch.list;
			count = decoder->scratch.count;
		}
		if (!put_node(emitter, tokens, count, classes[i] != NONE) || !is_small(emitter))
			return false;
	}
	emitter->nodes[emitter->nnodes] = (uint32_t)emitter->ndies;
	return true;
}

static bool end_unit(struct emitter *emitter)
{
	struct strbuf *out = &emitter->parts[UNIT_INFO];
	uint64_t length;

	if (emitter->has_nodes)
		put_fixed(out, 0, 1); /* the end of the nodes */
	else if (emitter->nnodes)
		return false;
	put_fixed(&emitter->parts[UNIT_ABBREV], 0, 1);
	length = out->length - 4;
	if (length >= 0xfffffff0)
		return false;
	memcpy(out->data, &length, 4);
	for (size_t i = 0; i < emitter->nfixups; i++)
		if (!set_fixup(emitter, &emitter->fixups[i]))
			return false;
	return true;
}

bool emit_unit(struct emitter *emitter, struct columns *columns, const struct unit_at *at, struct strbuf **parts,
	       uint8_t *version)
{
	struct tracker tracker = {0};
	uint32_t *classes;

	for (unsigned i = 0; i < UNIT_PARTS; i++)
		emitter->parts[i].length = 0;
	arena_reset(&emitter->arena);
	emitter->at = at;
	emitter->number++;
	emitter->ncodes = 0;
	emitter->ndies = emitter->nfixups = 0;
	emitter->version = *version = (uint8_t)get_leb(&columns->list[COLUMN_UNIT]);
	tracker.next_own_text = get_leb(&columns->list[COLUMN_UNIT]);
	tracker.next_expression = get_leb(&columns->list[COLUMN_UNIT]);
	*parts = emitter->parts;
	if ((*version != 4 && *version != 5) || !read_nodes(emitter, &columns->nodes, &classes) ||
	    !decode_files(emitter->decoder, &emitter->arena, &columns->files, &emitter->files))
		return false;
	number_files(emitter);
	return put_first(emitter, columns, &tracker) && put_nodes(emitter, columns, &tracker, classes) && end_unit(emitter) &&
	       emit_rows(emitter->decoder, columns, &emitter->files, at->most[UNIT_LINE], &emitter->parts[UNIT_LINE]) && columns_close(columns);
}
