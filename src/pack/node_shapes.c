// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the table of shapes, and gives each kind of value its column: values of one attribute at
 * one kind of DIE. Writer and reader number columns alike, as both add the shapes in the same
 * order.
 */
#include <dwarf.h>

#include "pack/node_shapes.h"

#define FIELDS_MAX 256
#define SHAPES_MAX 1000000
#define NAME_CHILDREN 0xfffe /* no attribute */

/* A new column, or (`width` 2) two of them, for a kind of value. */
static uint32_t column_of(struct shapes *shapes, uint16_t tag, uint16_t name, unsigned width)
{
	uint32_t hash = number_hash((uint64_t)tag << 16 | name);
	size_t at = lookup_find(&shapes->by_key, hash, i,
				shapes->columns[i].tag == tag && shapes->columns[i].name == name);

	if (at != LOOKUP_NONE)
		return shapes->columns[at].column;
	lookup_add(shapes->arena, &shapes->by_key, hash, shapes->ncolumn_keys);
	arena_append(shapes->arena, shapes->columns, shapes->ncolumn_keys) =
		(struct column_key){tag, name, shapes->ncolumns};
	shapes->ncolumns += width;
	return shapes->ncolumns - width;
}

void shapes_init(struct shapes *shapes, struct arena *arena)
{
	*shapes = (struct shapes){.arena = arena, .ncolumns = NCOLUMNS};
	shapes->top = column_of(shapes, 0, NAME_CHILDREN, 1);
}

static bool has_column(enum code code)
{
	return code >= CODE_NUMBER && code <= CODE_BYTES;
}

static void set_columns(struct shapes *shapes, struct shape *shape)
{
	shape->has_views = false;
	for (unsigned i = 0; i < shape->nfields; i++) {
		struct field *field = &shape->fields[i];

		shape->has_views |= field->code == CODE_VIEWS;
		/* codes of one attribute have columns of their own: 4 bits are above all tags and
		 * names */
		if (has_column(field->code))
			field->column = column_of(shapes, shape->tag,
						  (uint16_t)(field->name ^ field->code << 12), 2);
	}
	shape->children = column_of(shapes, shape->tag, NAME_CHILDREN, 1);
}

static void put_shape(struct strbuf *out, const struct shape *shape)
{
	put_leb(out, shape->tag);
	put_leb(out, shape->has_children);
	put_leb(out, shape->nfields);
	for (unsigned i = 0; i < shape->nfields; i++) {
		put_leb(out, shape->fields[i].name);
		put_leb(out, shape->fields[i].form);
		put_leb(out, shape->fields[i].code);
		if (shape->fields[i].form == DW_FORM_implicit_const)
			put_leb(out, shape->fields[i].implicit);
	}
}

static bool is_equal(const struct shape *a, const struct shape *b)
{
	if (a->tag != b->tag || a->has_children != b->has_children || a->nfields != b->nfields)
		return false;
	for (unsigned i = 0; i < a->nfields; i++)
		if (a->fields[i].name != b->fields[i].name ||
		    a->fields[i].form != b->fields[i].form ||
		    a->fields[i].code != b->fields[i].code ||
		    a->fields[i].implicit != b->fields[i].implicit)
			return false;
	return true;
}

size_t shapes_put(struct shapes *shapes, const struct shape *shape)
{
	struct strbuf content = {0};
	struct shape *added;
	uint32_t hash;
	size_t at;

	put_shape(&content, shape);
	hash = (uint32_t)bytes_hash(content.data, content.length);
	strbuf_deinit(&content);
	at = lookup_find(&shapes->by_content, hash, i, is_equal(&shapes->list[i], shape));
	if (at != LOOKUP_NONE)
		return at;
	lookup_add(shapes->arena, &shapes->by_content, hash, shapes->count);
	added = &arena_append(shapes->arena, shapes->list, shapes->count);
	*added = *shape;
	added->fields =
		arena_grow(shapes->arena, shape->fields, shape->nfields * sizeof(*shape->fields),
			   shape->nfields * sizeof(*shape->fields) + 1);
	set_columns(shapes, added);
	return shapes->count - 1;
}

void shapes_write(struct strbuf *out, const struct shapes *shapes)
{
	put_leb(out, shapes->count);
	for (size_t i = 0; i < shapes->count; i++)
		put_shape(out, &shapes->list[i]);
}

/* Whether the form can give such a value back. */
static bool is_form_sound(const struct field *field)
{
	switch (field->code) {
	case CODE_FLAG:
		return field->form == DW_FORM_flag_present || field->form == DW_FORM_implicit_const;
	case CODE_NUMBER:
		return field->form == DW_FORM_data1 || field->form == DW_FORM_data2 ||
		       field->form == DW_FORM_data4 || field->form == DW_FORM_data8 ||
		       field->form == DW_FORM_udata || field->form == DW_FORM_flag ||
		       field->form == DW_FORM_addrx || field->form == DW_FORM_sec_offset;
	case CODE_SIGNED: return field->form == DW_FORM_sdata;
	case CODE_LINE:
	case CODE_FILE: return field->form == DW_FORM_udata;
	case CODE_TEXT: return field->form == DW_FORM_strp;
	case CODE_ADDRESS: return field->form == DW_FORM_addr;
	case CODE_REF: return field->form == DW_FORM_ref4;
	case CODE_BLOCK: return field->form == DW_FORM_exprloc || field->form == DW_FORM_block;
	case CODE_BYTES: return field->form == DW_FORM_data16;
	case CODE_LOCATION:
	case CODE_VIEWS:
	case CODE_RANGES:
	case CODE_TABLE: return field->form == DW_FORM_sec_offset;
	default: return false;
	}
}

static bool get_shape(struct in *in, struct field *fields, struct shape *ret)
{
	*ret = (struct shape){.fields = fields};
	ret->tag = (uint16_t)get_leb(in);
	ret->has_children = get_leb(in);
	ret->nfields = (unsigned)get_leb(in);
	if (ret->nfields > FIELDS_MAX)
		return false;
	for (unsigned i = 0; i < ret->nfields; i++) {
		fields[i] = (struct field){0};
		fields[i].name = (uint16_t)get_leb(in);
		fields[i].form = (uint16_t)get_leb(in);
		fields[i].code = (uint8_t)get_leb(in);
		if (fields[i].form == DW_FORM_implicit_const)
			fields[i].implicit = get_leb(in);
		if (!is_form_sound(&fields[i]))
			return false;
	}
	return !in->is_bad;
}

bool shapes_read(struct in *in, struct shapes *shapes)
{
	uint64_t count = get_leb(in);
	struct field fields[FIELDS_MAX];
	struct shape shape;

	if (count > SHAPES_MAX || count > in_left(in))
		return false;
	for (uint64_t i = 0; i < count; i++)
		if (!get_shape(in, fields, &shape) || shapes_put(shapes, &shape) != i)
			return false;
	return in->at == in->end;
}
