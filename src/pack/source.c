// SPDX-License-Identifier: GPL-2.0-only
/* Reads units, abbreviations and DIEs of the file that is packed, and decides how each value is
 * coded. */
#include <dwarf.h>
#include <stdlib.h>

#include "pack/source.h"

#ifndef DW_AT_GNU_locviews
#define DW_AT_GNU_locviews 0x2137
#endif

#define CODE_UNKNOWN NCODES /* it can't be packed */

bool list_source_units(const struct debug *debug, struct arena *arena, struct source_unit **ret,
		       size_t *count)
{
	struct in in = in_bytes(debug->info.data, debug->info.size);

	*ret = NULL;
	*count = 0;
	while (in.at < in.end && !in.is_bad) {
		struct source_unit unit = {.start = (uint64_t)(in.at - debug->info.data)};
		uint64_t length = get_fixed(&in, 4), kind = DW_UT_compile, size;

		if (length >= 0xfffffff0 || length > in_left(&in))
			return false;
		unit.end = unit.start + 4 + length;
		unit.version = (uint8_t)get_fixed(&in, 2);
		if (unit.version == 5) {
			kind = get_fixed(&in, 1);
			size = get_fixed(&in, 1);
			unit.abbrevs = get_fixed(&in, 4);
		} else {
			unit.abbrevs = get_fixed(&in, 4);
			size = get_fixed(&in, 1);
		}
		unit.die = (uint64_t)(in.at - debug->info.data);
		if (unit.version < 4 || unit.version > 5 || kind != DW_UT_compile || size != 8 ||
		    unit.die >= unit.end)
			return false;
		arena_append(arena, *ret, *count) = unit;
		in.at = debug->info.data + unit.end;
	}
	return *count && !in.is_bad;
}

/* Whether nothing reads the attribute. */
static bool is_unread(uint16_t name)
{
	switch (name) {
	case DW_AT_sibling:
	case DW_AT_decl_column:
	case DW_AT_call_column:
	case DW_AT_macros:
	case DW_AT_macro_info:
	case DW_AT_GNU_macros:
	case DW_AT_str_offsets_base:
	case DW_AT_loclists_base:
	case DW_AT_rnglists_base: return true;
	default: return false;
	}
}

static enum code code_of_offset(uint16_t name)
{
	switch (name) {
	case DW_AT_stmt_list: return CODE_TABLE;
	case DW_AT_GNU_locviews: return CODE_VIEWS;
	case DW_AT_ranges: return CODE_RANGES;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: return CODE_NUMBER;
	case DW_AT_location:
	case DW_AT_frame_base:
	case DW_AT_string_length:
	case DW_AT_return_addr:
	case DW_AT_data_member_location:
	case DW_AT_segment:
	case DW_AT_static_link:
	case DW_AT_use_location:
	case DW_AT_vtable_elem_location: return CODE_LOCATION;
	default: return CODE_UNKNOWN;
	}
}

static enum code code_of_number(uint16_t name)
{
	switch (name) {
	case DW_AT_decl_line:
	case DW_AT_call_line: return CODE_LINE;
	case DW_AT_decl_file:
	case DW_AT_call_file: return CODE_FILE;
	default: return CODE_NUMBER;
	}
}

/* *given: the form that the value is given back by. */
static enum code code_of(uint16_t name, uint16_t form, uint16_t *given)
{
	enum code code;

	*given = form;
	if (is_unread(name))
		return CODE_DROPPED;
	switch (form) {
	case DW_FORM_flag_present: return CODE_FLAG;
	case DW_FORM_implicit_const:
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		code = code_of_number(name);
		if (code != CODE_NUMBER || name == DW_AT_byte_size)
			*given = DW_FORM_udata;
		else if (form == DW_FORM_implicit_const)
			code = CODE_FLAG;
		return code;
	case DW_FORM_flag: return CODE_NUMBER;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4: *given = DW_FORM_addrx; return CODE_NUMBER;
	case DW_FORM_sdata: return CODE_SIGNED;
	case DW_FORM_addr: return CODE_ADDRESS;
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4: *given = DW_FORM_strp; return CODE_TEXT;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata: *given = DW_FORM_ref4; return CODE_REF;
	case DW_FORM_exprloc: return CODE_BLOCK;
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4: *given = DW_FORM_block; return CODE_BLOCK;
	case DW_FORM_data16: return CODE_BYTES;
	case DW_FORM_sec_offset: return code_of_offset(name);
	case DW_FORM_loclistx: *given = DW_FORM_sec_offset; return CODE_LOCATION;
	case DW_FORM_rnglistx: *given = DW_FORM_sec_offset; return CODE_RANGES;
	default: return CODE_UNKNOWN;
	}
}

/* What a call passes is read by debuggers alone. */
static bool is_unread_tag(uint16_t tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site || tag == DW_TAG_label;
}

#define FIELDS_MOST 256

/* One declaration. Returns false at the end, or when it can't be packed. */
static bool read_abbrev(struct source *source, struct in *in, struct source_abbrev *ret)
{
	struct field fields[FIELDS_MOST];
	struct shape shape = {.fields = fields};
	struct source_attribute attribute = {0};

	*ret = (struct source_abbrev){.number = get_leb(in)};
	if (!ret->number)
		return false;
	shape.tag = ret->tag = (uint16_t)get_leb(in);
	shape.has_children = ret->has_children = get_fixed(in, 1);
	ret->is_dropped = is_unread_tag(ret->tag);
	for (;;) {
		uint16_t given;

		attribute.name = (uint16_t)get_leb(in);
		attribute.form = (uint16_t)get_leb(in);
		attribute.implicit = attribute.form == DW_FORM_implicit_const ? get_sleb(in) : 0;
		if (in->is_bad || (!attribute.name && !attribute.form))
			break;
		attribute.code = (uint8_t)code_of(attribute.name, attribute.form, &given);
		if (ret->nattributes == FIELDS_MOST ||
		    (attribute.code == CODE_UNKNOWN && !ret->is_dropped)) {
			in->is_bad = true;
			return false;
		}
		if (attribute.code == CODE_UNKNOWN)
			attribute.code = CODE_DROPPED;
		arena_append(&source->abbrev_arena, ret->attributes, ret->nattributes) = attribute;
		if (attribute.code != CODE_DROPPED)
			fields[shape.nfields++] = (struct field){
				.name = attribute.name,
				.form = given,
				.code = attribute.code,
				.implicit =
					given == DW_FORM_implicit_const ? attribute.implicit : 0,
			};
	}
	if (!ret->is_dropped && !in->is_bad)
		ret->shape = shapes_put(source->shapes, &shape);
	return !in->is_bad;
}

static bool read_abbrevs(struct source *source, uint64_t offset)
{
	struct source_abbrev abbrev;
	struct in in;

	if (source->abbrevs_at == offset + 1)
		return true;
	if (offset >= source->debug.abbrev.size)
		return false;
	in = in_bytes(source->debug.abbrev.data + offset, source->debug.abbrev.size - offset);
	arena_reset(&source->abbrev_arena);
	source->abbrevs = NULL;
	source->nabbrevs = 0;
	source->abbrevs_at = 0;
	while (read_abbrev(source, &in, &abbrev))
		arena_append(&source->abbrev_arena, source->abbrevs, source->nabbrevs) = abbrev;
	if (!in.is_bad)
		source->abbrevs_at = offset + 1;
	return !in.is_bad;
}

static const struct source_abbrev *find_abbrev(const struct source *source, uint64_t number)
{
	if (number - 1 < source->nabbrevs && source->abbrevs[number - 1].number == number)
		return &source->abbrevs[number - 1];
	for (size_t i = 0; i < source->nabbrevs; i++)
		if (source->abbrevs[i].number == number)
			return &source->abbrevs[i];
	return NULL;
}

static bool set_text(struct value *value, const struct bytes *strings, uint64_t offset)
{
	if (offset >= strings->size)
		return false;
	value->bytes = strings->data + offset;
	value->length = strnlen((const char *)value->bytes, strings->size - offset);
	return value->length < strings->size - offset;
}

static bool set_indexed(const struct debug *debug, const struct source_unit *unit,
			struct value *value)
{
	struct in in;

	if (unit->str_base > debug->str_offsets.size ||
	    value->number >= (debug->str_offsets.size - unit->str_base) / 4)
		return false;
	in = in_bytes(debug->str_offsets.data + unit->str_base + value->number * 4, 4);
	return set_text(value, &debug->str, get_fixed(&in, 4));
}

static bool set_block(struct in *in, uint64_t length, struct value *value)
{
	value->bytes = get_bytes(in, length);
	value->length = length;
	return !in->is_bad;
}

static bool read_value(const struct source *source, const struct source_unit *unit, struct in *in,
		       const struct source_attribute *attribute, struct value *ret)
{
	const struct debug *debug = &source->debug;

	switch (attribute->form) {
	case DW_FORM_flag_present: ret->number = 1; return true;
	case DW_FORM_implicit_const: ret->number = attribute->implicit; return true;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_addrx1: ret->number = get_fixed(in, 1); return true;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_addrx2: ret->number = get_fixed(in, 2); return true;
	case DW_FORM_addrx3: ret->number = get_fixed(in, 3); return true;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_sec_offset:
	case DW_FORM_ref_addr:
	case DW_FORM_addrx4: ret->number = get_fixed(in, 4); return true;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_addr:
	case DW_FORM_ref_sig8: ret->number = get_fixed(in, 8); return true;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx: ret->number = get_leb(in); return true;
	case DW_FORM_sdata: ret->number = get_sleb(in); return true;
	case DW_FORM_string:
		ret->bytes = in->at;
		get_text(in);
		ret->length = (size_t)(in->at - ret->bytes) - 1;
		return !in->is_bad;
	case DW_FORM_strp: return set_text(ret, &debug->str, get_fixed(in, 4));
	case DW_FORM_line_strp: return set_text(ret, &debug->line_str, get_fixed(in, 4));
	case DW_FORM_strx: ret->number = get_leb(in); return set_indexed(debug, unit, ret);
	case DW_FORM_strx1: ret->number = get_fixed(in, 1); return set_indexed(debug, unit, ret);
	case DW_FORM_strx2: ret->number = get_fixed(in, 2); return set_indexed(debug, unit, ret);
	case DW_FORM_strx3: ret->number = get_fixed(in, 3); return set_indexed(debug, unit, ret);
	case DW_FORM_strx4: ret->number = get_fixed(in, 4); return set_indexed(debug, unit, ret);
	case DW_FORM_exprloc:
	case DW_FORM_block: return set_block(in, get_leb(in), ret);
	case DW_FORM_block1: return set_block(in, get_fixed(in, 1), ret);
	case DW_FORM_block2: return set_block(in, get_fixed(in, 2), ret);
	case DW_FORM_block4: return set_block(in, get_fixed(in, 4), ret);
	case DW_FORM_data16: return set_block(in, 16, ret);
	default: return false;
	}
}

bool read_source_die(const struct source *source, const struct source_unit *unit, struct in *in,
		     struct source_die *ret)
{
	uint64_t number;

	ret->offset = (uint64_t)(in->at - source->debug.info.data);
	number = get_leb(in);
	ret->abbrev = number ? find_abbrev(source, number) : NULL;
	if (in->is_bad || (number && !ret->abbrev))
		return false;
	for (unsigned i = 0; number && i < ret->abbrev->nattributes; i++)
		if (!read_value(source, unit, in, &ret->abbrev->attributes[i], &ret->values[i]) ||
		    in->is_bad)
			return false;
	return true;
}

/* The bases come first: strings of the same DIE refer to one of them. */
static void set_base(struct source_unit *unit, uint16_t name, uint64_t number)
{
	switch (name) {
	case DW_AT_low_pc: unit->base = number; break;
	case DW_AT_str_offsets_base: unit->str_base = number; break;
	case DW_AT_addr_base: unit->addr_base = number; break;
	case DW_AT_loclists_base: unit->list_base = number; break;
	case DW_AT_rnglists_base: unit->range_base = number; break;
	case DW_AT_stmt_list:
		unit->table = number;
		unit->has_table = true;
	}
}

uint64_t source_address(const struct debug *debug, const struct source_unit *unit, uint64_t index,
			bool *is_good)
{
	struct in in;

	*is_good = unit->addr_base <= debug->addr.size &&
		   index < (debug->addr.size - unit->addr_base) / 8;
	if (!*is_good)
		return 0;
	in = in_bytes(debug->addr.data + unit->addr_base + index * 8, 8);
	return get_fixed(&in, 8);
}

static bool read_bases(const struct source *source, struct source_unit *unit, bool has_addresses)
{
	struct in in = in_bytes(source->debug.info.data + unit->die, unit->end - unit->die);
	const struct source_abbrev *abbrev = find_abbrev(source, get_leb(&in));

	if (!abbrev || abbrev->tag != DW_TAG_compile_unit)
		return false;
	for (unsigned i = 0; i < abbrev->nattributes; i++) {
		const struct source_attribute *attribute = &abbrev->attributes[i];
		bool is_text = attribute->code == CODE_TEXT, is_good = true;
		struct value value = {0};

		/* texts may not be known yet */
		if (!read_value(source, unit, &in, attribute, &value) && !(is_text && !in.is_bad))
			return false;
		if (has_addresses && attribute->name == DW_AT_low_pc &&
		    attribute->form != DW_FORM_addr)
			value.number = source_address(&source->debug, unit, value.number, &is_good);
		if (!is_good || attribute->name == DW_AT_GNU_dwo_name ||
		    attribute->name == DW_AT_dwo_name || attribute->name == DW_AT_GNU_dwo_id)
			return false;
		set_base(unit, attribute->name, value.number);
	}
	return !in.is_bad;
}

bool open_source_unit(struct source *source, struct source_unit *unit)
{
	return read_abbrevs(source, unit->abbrevs) && read_bases(source, unit, false) &&
	       read_bases(source, unit, true);
}
