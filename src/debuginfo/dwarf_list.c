// SPDX-License-Identifier: GPL-2.0-only
/*
 * A location list in, its entries one by one out (DWARF 5, 7.7.3; DWARF 4, 2.6.2). libdw reads lists too,
 * but one operation that it doesn't know ends the whole list for it; here it costs one entry. Entries
 * by index (.debug_addr) end it: those lists are libdw's alone.
 */
#include <string.h>

#include "base/expr.h"
#include "debuginfo/internal.h"

static uint64_t read_fixed(struct location_list *list, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(list->end - list->at) < size) {
		list->at = list->end;
		list->is_bad = true;
		return 0;
	}
	memcpy(&value, list->at, size); /* little endian, as all of ktrace */
	list->at += size;
	return value;
}

static uint64_t read_leb(struct location_list *list)
{
	uint64_t value = 0;

	for (unsigned shift = 0; list->at < list->end; shift += 7) {
		uint8_t byte = *list->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	list->is_bad = true;
	return 0;
}

bool location_list_open(struct dwarf_info *info, Dwarf_Attribute *location,
			struct location_list *ret)
{
	Dwarf_Half version = 0;
	Dwarf_Die unit, skeleton;
	Elf_Data *data;
	Dwarf_Word offset;

	*ret = (struct location_list){.arena = info->arena};
	if (!dwarf_cu_die(location->cu, &unit, &version, NULL, &ret->address_size, NULL, NULL, NULL))
		return false;
	skeleton = unit;
	ret->is_new = version >= 5;
	data = section_data(info, ret->is_new ? ".debug_loclists" : ".debug_loc");
	if (dwarf_whatform(location) != DW_FORM_sec_offset || !data || !data->d_buf ||
	    ret->address_size != 8 || dwarf_formudata(location, &offset) || offset >= data->d_size)
		return false;
	ret->at = (const uint8_t *)data->d_buf + offset;
	ret->end = (const uint8_t *)data->d_buf + data->d_size;
	if (dwarf_lowpc(&skeleton, &ret->base))
		ret->base = 0;
	return true;
}

/* Reads the addresses of the next entry. false: there is none. */
static bool next_new(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end)
{
	while (!list->is_bad) {
		switch (read_fixed(list, 1)) {
		case DW_LLE_offset_pair:
			*start = list->base + read_leb(list);
			*end = list->base + read_leb(list);
			return true;
		case DW_LLE_default_location:
			*start = 0;
			*end = UINT64_MAX;
			return true;
		case DW_LLE_base_address:
			list->base = read_fixed(list, 8);
			break;
		case DW_LLE_start_end:
			*start = read_fixed(list, 8);
			*end = read_fixed(list, 8);
			return true;
		case DW_LLE_start_length:
			*start = read_fixed(list, 8);
			*end = *start + read_leb(list);
			return true;
		case DW_LLE_end_of_list:
			return false;
		default:
			list->is_bad = true;
		}
	}
	return false;
}

static bool next_old(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end)
{
	while (!list->is_bad) {
		*start = read_fixed(list, 8);
		*end = read_fixed(list, 8);
		if (*start == UINT64_MAX)
			list->base = *end;
		else if (!*start && !*end)
			return false;
		else
			break;
	}
	*start += list->base;
	*end += list->base;
	return !list->is_bad;
}

static uint64_t read_sleb(struct location_list *list)
{
	const uint8_t *start = list->at;
	uint64_t value = read_leb(list);
	unsigned bits = (unsigned)(list->at - start) * 7;

	return bits < 64 && value >> (bits - 1) ? value | ~(uint64_t)0 << bits : value;
}

static uint64_t read_signed(struct location_list *list, unsigned size)
{
	return extend_bits(read_fixed(list, size), size * 8, true);
}

/* The operands of one operation. false: it refers to other parts of the debug information, or is none
 * of DWARF's. */
static bool read_operands(struct location_list *list, Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if ((atom >= DW_OP_lit0 && atom <= DW_OP_reg31) || (atom >= DW_OP_dup && atom <= DW_OP_over) ||
	    (atom >= DW_OP_swap && atom <= DW_OP_plus) || (atom >= DW_OP_shl && atom <= DW_OP_xor) ||
	    (atom >= DW_OP_eq && atom <= DW_OP_ne) || atom == DW_OP_deref || atom == DW_OP_nop ||
	    atom == DW_OP_stack_value || atom == DW_OP_call_frame_cfa)
		return true;
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		op->number = read_sleb(list);
		return true;
	}
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_pick:
	case DW_OP_deref_size: op->number = read_fixed(list, 1); return true;
	case DW_OP_const2u: op->number = read_fixed(list, 2); return true;
	case DW_OP_const4u: op->number = read_fixed(list, 4); return true;
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s: op->number = read_fixed(list, 8); return true;
	case DW_OP_const1s: op->number = read_signed(list, 1); return true;
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip: op->number = read_signed(list, 2); return true;
	case DW_OP_const4s: op->number = read_signed(list, 4); return true;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece: op->number = read_leb(list); return true;
	case DW_OP_consts:
	case DW_OP_fbreg: op->number = read_sleb(list); return true;
	case DW_OP_bregx:
		op->number = read_leb(list);
		op->number2 = read_sleb(list);
		return true;
	default:
		return false;
	}
}

static const char *read_expression(struct location_list *list, struct arena *arena, uint64_t length,
				   Dwarf_Op **ops, size_t *count)
{
	const uint8_t *start = list->at, *end = list->end;
	const char *reason = NULL;

	*ops = arena_array(arena, Dwarf_Op, length + 1); /* an operation is a byte at least */
	list->end = start + length;
	while (list->at < list->end && !reason) {
		Dwarf_Op *op = &(*ops)[(*count)++];

		op->offset = (Dwarf_Word)(list->at - start);
		op->atom = *list->at++;
		if (op->atom == DW_OP_GNU_uninit)
			reason = "DW_OP_GNU_uninit: it is not initialised here";
		else if (!read_operands(list, op) || list->is_bad)
			reason = "a location that libdw can't read";
	}
	list->is_bad = false; /* of this entry; the next one's place is known */
	list->at = start + length;
	list->end = end;
	return reason;
}

static void read_operations(struct location_list *list, Dwarf_Op **ops, size_t *count,
			    const char **reason)
{
	uint64_t length = list->is_new ? read_leb(list) : read_fixed(list, 2);

	*ops = NULL;
	*count = 0;
	if (list->is_bad || length > (uint64_t)(list->end - list->at))
		list->is_bad = true;
	else
		*reason = read_expression(list, list->arena, length, ops, count);
}

bool location_list_next(struct location_list *list, Dwarf_Addr *start, Dwarf_Addr *end,
			Dwarf_Op **ops, size_t *count, const char **reason)
{
	if (!(list->is_new ? next_new(list, start, end) : next_old(list, start, end)))
		return false;
	read_operations(list, ops, count, reason);
	return !list->is_bad;
}
