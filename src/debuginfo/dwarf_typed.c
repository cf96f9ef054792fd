// SPDX-License-Identifier: GPL-2.0-only
/*
 * The typed operations of a DWARF expression (DW_OP_convert and the like): brings a symbolic value
 * to the width and sign of a base type.
 */
#include <stdio.h>
#include <string.h>

#include "debuginfo/machine.h"
#include "expr/expr.h"

static bool is_integer_encoding(Dwarf_Word encoding)
{
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
	       encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
	       encoding == DW_ATE_boolean || encoding == DW_ATE_address ||
	       encoding == DW_ATE_UTF;
}

/* clang's types for its own integers have their width in their name, while their size says whole
 * bytes. */
static unsigned width_of(Dwarf_Die *type, unsigned size)
{
	const char *name = dwarf_diename(type);
	unsigned bits;

	return name &&
			       (sscanf(name, "DW_ATE_signed_%u", &bits) == 1 ||
				sscanf(name, "DW_ATE_unsigned_%u", &bits) == 1) &&
			       bits && bits < size * 8 ?
		       bits :
		       size * 8;
}

/* The base type that a typed operation names; offset 0 is the generic type. Returns false when
 * refused. */
static bool base_type(struct machine *m, uint64_t offset, uint8_t *bits, bool *is_signed)
{
	Dwarf_Die unit, die, diemem;
	Dwarf_Attribute attribute;
	Dwarf_Word encoding;
	int size;

	*bits = 0;
	*is_signed = false;
	if (!offset)
		return true;
	if (!dwarf_cu_die(m->attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL)) {
		machine_refuse(m, "a typed operation without its type");
		return false;
	}
	diemem = unit;
	if (!dwarf_offdie(dwarf_cu_getdwarf(m->attribute->cu),
			  dwarf_dieoffset(&diemem) - dwarf_cuoffset(&diemem) + offset, &die) ||
	    (size = dwarf_bytesize(&die)) < 1 || size > 8 ||
	    !dwarf_attr_integrate(&die, DW_AT_encoding, &attribute) ||
	    dwarf_formudata(&attribute, &encoding) || !is_integer_encoding(encoding)) {
		machine_refuse(m, "arithmetic on floating-point or 128-bit values");
		return false;
	}
	*bits = (uint8_t)width_of(&die, (unsigned)size);
	*is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return true;
}

/* clang turns `n != m` into `n == m` and doesn't tell. It has a condition in 8 bits of a register;
 * the 32 bits of one are what the calling convention passes, a bool as an argument. */
static bool may_be_opposite(const struct expr *a)
{
	return !(a->op == EXPR_EXTEND && a->size == 32 && !a->is_signed);
}

/* DW_OP_convert truncates or extends the value to the new type. */
void typed_convert(struct machine *m, uint64_t offset)
{
	struct slot a = pop_slot(m);
	uint8_t bits;
	bool is_signed;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	if (bits == 1 && a.expr && may_be_opposite(a.expr)) {
		machine_refuse(m, "a condition, of which clang may have the opposite");
		return;
	}
	push_typed(m, bits ? expr_extend(m->info->arena, a.expr, bits, is_signed) : a.expr, bits,
		   is_signed);
}

void typed_load(struct machine *m, unsigned size, uint64_t offset)
{
	uint8_t bits;
	bool is_signed;
	struct slot a;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	load_memory(m, size);
	a = pop_slot(m);
	push_typed(m, bits ? expr_extend(m->info->arena, a.expr, bits, is_signed) : a.expr, bits,
		   is_signed);
}

void typed_register(struct machine *m, uint64_t number, uint64_t offset)
{
	uint8_t bits;
	bool is_signed;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	push_typed(m, expr_extend(m->info->arena, expr_leaf(m->info->arena, EXPR_REG, number),
				  bits ? bits : 64, is_signed), bits, is_signed);
}

/* DW_OP_const_type: the bytes of a base type's value. */
void typed_constant(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute;
	uint64_t value = 0;
	Dwarf_Block block;
	bool is_signed;
	uint8_t bits;

	if (!base_type(m, op->number, &bits, &is_signed))
		return;
	if (dwarf_getlocation_attr(m->attribute, op, &attribute) ||
	    dwarf_formblock(&attribute, &block) || block.length != (bits ? bits : 64) / 8u) {
		machine_refuse_op(m, op->atom);
		return;
	}
	memcpy(&value, block.data, block.length);
	push_typed(m, expr_const(m->info->arena, extend_bits(value, bits ? bits : 64, is_signed)),
		   bits, is_signed);
}
