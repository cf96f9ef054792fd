// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the operands of expressions that are offsets of DIEs (DWARF 5, 2.5 and 7.7.1, with GNU's
 * older operations of the same kind): units that are given back have their DIEs elsewhere.
 */
#include <dwarf.h>

#include "pack/bytes.h"
#include "pack/die_operands.h"

/* How an operation goes on: b, w, d, q: 1, 2, 4, 8 bytes; u, s: LEB128; r: a unit's DIE as 4 bytes;
 * h: as 2; g: any DIE; t: as LEB128, where 0 is none; k: a length of one byte, and so many bytes;
 * v: a length, and so many bytes; e: a length, and an expression. NULL: not known. */
static const char *operands_of(uint8_t operation)
{
	if ((operation >= DW_OP_lit0 && operation <= DW_OP_reg31) ||
	    (operation >= DW_OP_dup && operation <= DW_OP_over) ||
	    (operation >= DW_OP_swap && operation <= DW_OP_plus) ||
	    (operation >= DW_OP_shl && operation <= DW_OP_xor) ||
	    (operation >= DW_OP_eq && operation <= DW_OP_ne))
		return "";
	if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
		return "s";
	switch (operation) {
	case DW_OP_deref:
	case DW_OP_nop:
	case DW_OP_push_object_address:
	case DW_OP_form_tls_address:
	case DW_OP_call_frame_cfa:
	case DW_OP_stack_value:
	case DW_OP_GNU_push_tls_address:
	case DW_OP_GNU_uninit: return "";
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size:
	case DW_OP_xderef_size: return "b";
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip: return "w";
	case DW_OP_const4u:
	case DW_OP_const4s: return "d";
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s: return "q";
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece:
	case DW_OP_addrx:
	case DW_OP_constx:
	case 0xfb: /* GNU's addrx and constx */
	case 0xfc: return "u";
	case DW_OP_consts:
	case DW_OP_fbreg: return "s";
	case DW_OP_bregx: return "us";
	case DW_OP_bit_piece: return "uu";
	case DW_OP_implicit_value: return "v";
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value: return "e";
	case DW_OP_call2: return "h";
	case DW_OP_call4:
	case DW_OP_GNU_parameter_ref: return "r";
	case DW_OP_call_ref:
	case DW_OP_GNU_variable_value: return "g";
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer: return "gs";
	case DW_OP_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_convert:
	case DW_OP_GNU_reinterpret: return "t";
	case DW_OP_const_type:
	case DW_OP_GNU_const_type: return "tk";
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type: return "ut";
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
	case DW_OP_xderef_type: return "bt";
	default: return NULL;
	}
}

struct scan {
	const uint8_t *bytes;
	struct operand *list;
	int count;
};

static void add_operand(struct scan *scan, const uint8_t *at, const uint8_t *end, char kind)
{
	struct operand operand = {.at = (uint32_t)(at - scan->bytes),
				  .width = (uint8_t)(end - at),
				  .is_leb = kind == 't',
				  .is_global = kind == 'g'};

	if (operand.is_leb && !operand_get(scan->bytes, &operand))
		return;
	if (scan->count >= 0 && scan->count < OPERANDS_MAX && operand.width <= 8)
		scan->list[scan->count++] = operand;
	else
		scan->count = -1;
}

static void walk(struct scan *scan, struct in *in, unsigned depth);

static void pass_operand(struct scan *scan, struct in *in, char kind, unsigned depth)
{
	const uint8_t *at = in->at;
	struct in inner;
	uint64_t length;

	switch (kind) {
	case 'b': get_bytes(in, 1); break;
	case 'w':
	case 'h': get_bytes(in, 2); break;
	case 'd':
	case 'r':
	case 'g': get_bytes(in, 4); break;
	case 'q': get_bytes(in, 8); break;
	case 'u':
	case 't': get_leb(in); break;
	case 's': get_sleb(in); break;
	case 'k': get_bytes(in, get_fixed(in, 1)); break;
	case 'v': get_bytes(in, get_leb(in)); break;
	case 'e':
		length = get_leb(in);
		inner = (struct in){in->at, in->at + (length < in_left(in) ? length : in_left(in)),
				    false};
		get_bytes(in, length);
		if (!in->is_bad && depth < 4)
			walk(scan, &inner, depth + 1);
	}
	if (!in->is_bad && strchr("hrgt", kind))
		add_operand(scan, at, in->at, kind);
}

static void walk(struct scan *scan, struct in *in, unsigned depth)
{
	while (in->at < in->end && !in->is_bad) {
		const char *kinds = operands_of(*in->at++);

		if (!kinds)
			return;
		for (; *kinds && !in->is_bad; kinds++)
			pass_operand(scan, in, *kinds, depth);
	}
}

int find_operands(const uint8_t *bytes, size_t length, struct operand ret[OPERANDS_MAX])
{
	struct scan scan = {bytes, ret, 0};
	struct in in = in_bytes(bytes, length);

	walk(&scan, &in, 0);
	return scan.count;
}

uint64_t operand_get(const uint8_t *bytes, const struct operand *operand)
{
	struct in in = in_bytes(bytes + operand->at, operand->width);

	return operand->is_leb ? get_leb(&in) : get_fixed(&in, operand->width);
}

bool operand_set(uint8_t *bytes, const struct operand *operand, uint64_t value)
{
	unsigned bits = operand->width * (operand->is_leb ? 7 : 8);
	uint8_t *at = bytes + operand->at;

	if (bits < 64 && value >> bits)
		return false;
	if (!operand->is_leb) {
		memcpy(at, &value, operand->width);
		return true;
	}
	for (unsigned i = 0; i < operand->width; i++, value >>= 7)
		at[i] = (uint8_t)((value & 0x7f) | (i + 1 < operand->width ? 0x80 : 0));
	return true;
}
