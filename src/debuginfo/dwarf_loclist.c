// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a location list entry by entry (DWARF 5, 7.7.3; DWARF 4, 2.6.2); a single expression counts
 * as one entry. libdw reads lists too, but an operation that it doesn't know ends the whole list
 * there and costs one entry here; and it keeps everything that it has read. Lists with indexed
 * addresses (.debug_addr), and operations that refer to other debug information, are left to libdw.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"
#include "expr/expr.h"

bool location_list_open(struct dwarf_info *info, Dwarf_Attribute *location,
			struct location_list *ret)
{
	Dwarf_Half version = 0;
	Dwarf_Die unit, skeleton;
	Dwarf_Block block;
	Elf_Data *data;
	Dwarf_Word offset;

	*ret = (struct location_list){.is_single = !dwarf_formblock(location, &block)};
	if (ret->is_single) {
		ret->bytes = (struct reader){block.data, block.data + block.length, false};
		return true;
	}
	if (!dwarf_cu_die(location->cu, &unit, &version, NULL, &ret->address_size, NULL, NULL,
			  NULL))
		return false;
	skeleton = unit;
	if (split_tag(location->cu))
		return false; /* its addresses are in another file */
	ret->is_new = version >= 5;
	data = section_data(info, ret->is_new ? ".debug_loclists" : ".debug_loc");
	if (dwarf_whatform(location) != DW_FORM_sec_offset || !data || !data->d_buf ||
	    ret->address_size != 8 || dwarf_formudata(location, &offset) || offset >= data->d_size)
		return false;
	ret->bytes.at = (const uint8_t *)data->d_buf + offset;
	ret->bytes.end = (const uint8_t *)data->d_buf + data->d_size;
	if (dwarf_lowpc(&skeleton, &ret->base))
		ret->base = 0;
	return true;
}

/* Reads the addresses of the next entry. Returns false when there is none. */
static bool next_new(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end)
{
	while (!list->bytes.is_bad) {
		switch (read_fixed(&list->bytes, 1)) {
		case DW_LLE_offset_pair:
			*start = list->base + read_leb(&list->bytes);
			*end = list->base + read_leb(&list->bytes);
			return true;
		case DW_LLE_default_location:
			*start = 0;
			*end = UINT64_MAX;
			return true;
		case DW_LLE_base_address:
			list->base = read_fixed(&list->bytes, 8);
			break;
		case DW_LLE_start_end:
			*start = read_fixed(&list->bytes, 8);
			*end = read_fixed(&list->bytes, 8);
			return true;
		case DW_LLE_start_length:
			*start = read_fixed(&list->bytes, 8);
			*end = *start + read_leb(&list->bytes);
			return true;
		case DW_LLE_end_of_list:
			return false;
		default:
			list->bytes.is_bad = true;
		}
	}
	return false;
}

static bool next_old(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end)
{
	while (!list->bytes.is_bad) {
		*start = read_fixed(&list->bytes, 8);
		*end = read_fixed(&list->bytes, 8);
		if (*start == UINT64_MAX)
			list->base = *end;
		else if (!*start && !*end)
			return false;
		else
			break;
	}
	*start += list->base;
	*end += list->base;
	return !list->bytes.is_bad;
}

static uint64_t read_signed(struct reader *bytes, unsigned size)
{
	return extend_bits(read_fixed(bytes, size), size * 8, true);
}

/* Reads the operands of one operation. Returns false when it refers to other parts of the debug
 * information, or isn't known. */
static bool read_operands(struct reader *bytes, Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if ((atom >= DW_OP_lit0 && atom <= DW_OP_reg31) ||
	    (atom >= DW_OP_dup && atom <= DW_OP_over) ||
	    (atom >= DW_OP_swap && atom <= DW_OP_plus) ||
	    (atom >= DW_OP_shl && atom <= DW_OP_xor) || (atom >= DW_OP_eq && atom <= DW_OP_ne) ||
	    atom == DW_OP_deref || atom == DW_OP_nop || atom == DW_OP_stack_value ||
	    atom == DW_OP_call_frame_cfa)
		return true;
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		op->number = read_sleb(bytes);
		return true;
	}
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_pick:
	case DW_OP_deref_size: op->number = read_fixed(bytes, 1); return true;
	case DW_OP_const2u: op->number = read_fixed(bytes, 2); return true;
	case DW_OP_const4u: op->number = read_fixed(bytes, 4); return true;
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s: op->number = read_fixed(bytes, 8); return true;
	case DW_OP_const1s: op->number = read_signed(bytes, 1); return true;
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip: op->number = read_signed(bytes, 2); return true;
	case DW_OP_const4s: op->number = read_signed(bytes, 4); return true;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece: op->number = read_leb(bytes); return true;
	case DW_OP_consts:
	case DW_OP_fbreg: op->number = read_sleb(bytes); return true;
	case DW_OP_bregx:
		op->number = read_leb(bytes);
		op->number2 = read_sleb(bytes);
		return true;
	default:
		return false;
	}
}

const char *read_operations(struct arena *arena, struct reader expression, Dwarf_Op **ops,
			    size_t *count)
{
	const uint8_t *start = expression.at;

	*count = 0;
	*ops = NULL;
	while (expression.at < expression.end) {
		Dwarf_Op *op;

		if (*count > OPERATIONS_MAX)
			return "a DWARF expression of over 1000 operations";
		op = &arena_append(arena, *ops, *count);
		*op = (Dwarf_Op){0};
		op->offset = (Dwarf_Word)(expression.at - start);
		op->atom = *expression.at++;
		if (op->atom == DW_OP_GNU_uninit)
			return "DW_OP_GNU_uninit: it is not initialised here";
		if (!read_operands(&expression, op) || expression.is_bad)
			return "a location that libdw can't read";
	}
	return NULL;
}

bool location_list_next(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end,
			struct reader *expression)
{
	struct reader *bytes = &list->bytes;
	uint64_t length;

	if (list->is_single) {
		*start = 0;
		*end = UINT64_MAX;
		*expression = *bytes;
		bytes->at = bytes->end;
		return expression->at < expression->end;
	}
	if (!(list->is_new ? next_new(list, start, end) : next_old(list, start, end)))
		return false;
	length = list->is_new ? read_leb(bytes) : read_fixed(bytes, 2);
	*expression = *bytes;
	skip_bytes(bytes, length);
	expression->end = bytes->at;
	return !bytes->is_bad;
}

bool location_is_short(struct dwarf_info *info, Dwarf_Attribute *location)
{
	struct location_list list;
	struct reader expression;
	Dwarf_Addr start, end;

	if (!location_list_open(info, location, &list))
		return true; /* a list that only libdw can read */
	while (location_list_next(&list, &start, &end, &expression))
		if ((size_t)(expression.end - expression.at) > EXPRESSION_MAX ||
		    !budget_take(info, LIST_STEPS))
			return false;
	return true;
}
