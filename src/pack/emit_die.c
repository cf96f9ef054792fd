// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the DIEs of a unit from their values, with their abbreviations, locations and ranges.
 *
 * The surprise: each DIE with children says first where its next sibling is, which no pack has:
 * else libdw would read all below it to find out.
 */
#include "pack/emit.h"

#define SIBLING_SIZE 4

/* The unit's own DIE has none beside it. */
static bool has_sibling(const struct shape *shape)
{
	return shape->has_children && shape->tag != DW_TAG_compile_unit;
}

static void put_abbrev(struct emitter *emitter, const struct shape *shape, uint32_t code)
{
	struct strbuf *out = &emitter->parts[UNIT_ABBREV];

	put_leb(out, code);
	put_leb(out, shape->tag);
	put_fixed(out, shape->has_children, 1);
	if (has_sibling(shape)) {
		put_leb(out, DW_AT_sibling);
		put_leb(out, DW_FORM_ref4);
	}
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

static void add_fixup(struct emission *emission, enum part_of_unit part, size_t at,
		      const struct operand *operand)
{
	struct emitter *emitter = emission->emitter;
	uint64_t node = *emission->at++, place = *emission->at++;

	emission->is_bad |= node > UINT32_MAX || place > UINT32_MAX || at > UINT32_MAX;
	emitter->fixups = list_room(emitter->fixups, emitter->nfixups, &emitter->fixup_room,
				    sizeof(*emitter->fixups));
	emitter->fixups[emitter->nfixups++] = (struct fixup){
		(uint32_t)at, (uint32_t)node, (uint32_t)place,
		*operand,     (uint8_t)part,  emission->is_class,
	};
}

static void put_reference(struct emission *emission)
{
	static const struct operand whole = {.width = 4};
	struct strbuf *out = &emission->emitter->parts[UNIT_INFO];

	add_fixup(emission, UNIT_INFO, out->length, &whole);
	put_fixed(out, 0, 4);
}

static void put_expression(struct emission *emission, enum part_of_unit part, unsigned length_size,
			   bool has_operands)
{
	struct strbuf *out = &emission->emitter->parts[part];
	struct expression *expression =
		expression_numbered(emission->emitter->decoder, *emission->at++);
	struct in in = expression->bytes;
	struct operand operands[OPERANDS_MAX];
	size_t start;

	/* a long one may be named again and again */
	emission->is_bad |= in_left(&in) > emission->emitter->at->most[part] ||
			    out->length > emission->emitter->at->most[part];
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
		int operands =
			operand_count(expression_numbered(emission->emitter->decoder, at[2]));

		at += 3 + (operands > 0 ? 2 * operands : 0);
	}
	return at;
}

/* The views, then the list. */
static void put_location(struct emission *emission, const struct shape *shape,
			 const struct field *field)
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
	put_leb(&emitter->parts[UNIT_INFO],
		file && !emission->is_bad ? emitter->file_numbers[file - 1] : 0);
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

static void put_field(struct emission *emission, const struct shape *shape,
		      const struct field *field)
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
	case CODE_BLOCK:
		put_expression(emission, UNIT_INFO, 0, field->form == DW_FORM_exprloc);
		break;
	case CODE_BYTES:
		emission->is_bad |=
			in_left(&expression_numbered(emitter->decoder, *emission->at)->bytes) != 16;
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

/* Returns whether it has children. */
static bool put_die(struct emission *emission, uint64_t number, uint32_t *sibling)
{
	const struct shape *shape = &emission->emitter->decoder->shapes.list[number];
	struct strbuf *out = &emission->emitter->parts[UNIT_INFO];

	put_leb(out, abbrev_code(emission->emitter, number));
	*sibling = (uint32_t)out->length;
	if (has_sibling(shape))
		put_fixed(out, 0, SIBLING_SIZE);
	for (unsigned i = 0; i < shape->nfields; i++)
		put_field(emission, shape, &shape->fields[i]);
	return shape->has_children;
}

bool emit_first(struct emitter *emitter, const uint64_t *tokens, uint64_t shape)
{
	struct emission emission = {.emitter = emitter, .at = tokens};
	uint32_t none;

	put_die(&emission, shape, &none);
	return !emission.is_bad && !has_sibling(&emitter->decoder->shapes.list[shape]);
}

/* Behind the last of some siblings is the next one of their parent. */
static void end_siblings(struct strbuf *out, uint32_t parent)
{
	uint32_t next;

	put_fixed(out, 0, 1);
	next = (uint32_t)out->length;
	memcpy(out->data + parent, &next, SIBLING_SIZE);
}

bool emit_node(struct emitter *emitter, const uint64_t *tokens, size_t count, bool is_class)
{
	struct emission emission = {.emitter = emitter, .at = tokens, .is_class = is_class};
	struct strbuf *out = &emitter->parts[UNIT_INFO];
	uint32_t parents[DEPTH_MAX + 1]; /* where their siblings are to be written */
	unsigned depth = 0;

	emitter->nodes[emitter->node++] = (uint32_t)emitter->ndies;
	while (emission.at < tokens + count && !emission.is_bad) {
		uint64_t shape = *emission.at++;

		if (!shape) {
			end_siblings(out, parents[--depth]);
			continue;
		}
		emitter->dies = list_room(emitter->dies, emitter->ndies, &emitter->die_room,
					  sizeof(*emitter->dies));
		emitter->dies[emitter->ndies++] = (uint32_t)out->length;
		emission.is_bad |=
			emitter->decoder->shapes.list[shape - 1].tag == DW_TAG_compile_unit;
		depth += put_die(&emission, shape - 1, &parents[depth]);
	}
	return !emission.is_bad;
}
