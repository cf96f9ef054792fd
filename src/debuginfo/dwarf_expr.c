// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF operations and a pc in, a struct loc out: the whole expression run on a stack of symbolic
 * values (DWARF 5, section 2.5). What can't be run whole is refused by the operation's
 * name; no answer is ever made from a part of it.
 *
 * The surprise: an expression that ends without DW_OP_stack_value has computed an *address*.
 */
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "debuginfo/internal.h"

#define STACK_SIZE  64
#define STEP_BUDGET 1000 /* operations, those of nested expressions included */
#define NODE_BUDGET 2000 /* of one value: what is duplicated counts each time, as it is walked */

/* DWARF 5, 2.5.1: generic values are address-sized; typed ones (DW_OP_convert and its kind) wrap
 * at their own width. */
struct slot {
	const struct expr *expr;
	uint8_t bits; /* 0: generic */
	bool is_signed;
};

struct machine {
	struct dwarf_info *info;
	Dwarf_Attribute *attribute;
	Dwarf_Die *frame;
	uint64_t pc;
	struct slot stack[STACK_SIZE];
	unsigned depth;
	unsigned floor; /* the stack of the expression around ends here */
	unsigned steps;
	enum loc_kind end; /* what the expression turned out to describe */
	bool done;
	struct piece *pieces;
	unsigned npieces;
	uint64_t target; /* LOC_IMPLICIT */
	int64_t offset;
	const char *reason; /* set: refused */
};

static const char *const op_names[256] = {
#define OP(name) [DW_OP_##name] = "DW_OP_" #name
	OP(addr), OP(deref), OP(const1u), OP(xderef), OP(bra), OP(skip), OP(piece), OP(deref_size),
	OP(xderef_size), OP(push_object_address), OP(call2), OP(call4), OP(call_ref),
	OP(form_tls_address), OP(call_frame_cfa), OP(bit_piece), OP(implicit_value), OP(stack_value),
	OP(implicit_pointer), OP(addrx), OP(constx), OP(entry_value), OP(const_type),
	OP(regval_type), OP(deref_type), OP(xderef_type), OP(convert), OP(reinterpret),
	OP(GNU_push_tls_address), OP(GNU_uninit), OP(GNU_implicit_pointer), OP(GNU_entry_value),
	OP(GNU_const_type), OP(GNU_regval_type), OP(GNU_deref_type), OP(GNU_convert),
	OP(GNU_reinterpret), OP(GNU_parameter_ref), OP(GNU_addr_index), OP(GNU_const_index),
	OP(GNU_variable_value), OP(fbreg), OP(div), OP(lt), OP(le), OP(gt), OP(ge), OP(shra), OP(mod),
	OP(reg0), OP(regx),
#undef OP
};

static void refuse(struct machine *m, const char *reason)
{
	if (!m->reason)
		m->reason = reason;
}

static void refuse_op(struct machine *m, uint8_t atom)
{
	refuse(m, op_names[atom] ? op_names[atom]
				 : arena_printf(m->info->arena, "DWARF operation %#x", atom));
}

static bool is_within(const struct expr *expr, unsigned *budget)
{
	if (!expr)
		return true;
	if (!*budget)
		return false;
	--*budget;
	return is_within(expr->a, budget) && is_within(expr->b, budget);
}

/* A value that is squared twenty times over is a small graph, but a tree of a million leaves. */
static void check_size(struct machine *m, const struct expr *expr)
{
	unsigned budget = NODE_BUDGET;

	if (!is_within(expr, &budget))
		refuse(m, "a DWARF expression whose value is too long a formula");
}

static void push_typed(struct machine *m, const struct expr *expr, uint8_t bits, bool is_signed)
{
	if (m->depth == STACK_SIZE) {
		refuse(m, "a DWARF expression deeper than 64 values");
		return;
	}
	check_size(m, expr);
	m->stack[m->depth++] = (struct slot){expr, bits, is_signed};
}

static void push(struct machine *m, const struct expr *expr)
{
	push_typed(m, expr, 0, false);
}

static void push_const(struct machine *m, uint64_t value)
{
	push(m, expr_const(m->info->arena, value));
}

static struct slot pop(struct machine *m)
{
	if (m->depth == m->floor) {
		refuse(m, "a DWARF expression that empties its stack");
		return (struct slot){expr_const(m->info->arena, 0), 0, false};
	}
	return m->stack[--m->depth];
}

static void push_register(struct machine *m, uint64_t number, int64_t offset)
{
	struct arena *arena = m->info->arena;

	push(m, expr_offset(arena, expr_leaf(arena, EXPR_REG, number), offset));
}

/* a and b as op must see them: the generic type's operations are signed or not by themselves, those of
 * typed operands go by the type, and shifts by their own kind at the type's width. */
static const struct expr *typed_binary(struct arena *arena, enum expr_op op, const struct slot *a,
				       const struct expr *b)
{
	const struct expr *sign = expr_const(arena, (uint64_t)1 << 63);

	if (op == EXPR_SHR || op == EXPR_SHRA)
		return expr_binary(arena, op, expr_extend(arena, a->expr, a->bits, op == EXPR_SHRA), b);
	if (op == EXPR_MOD && a->is_signed) /* as C's % */
		return expr_binary(arena, EXPR_SUB, a->expr,
				   expr_binary(arena, EXPR_MUL,
					       expr_binary(arena, EXPR_DIV, a->expr, b), b));
	if (op == EXPR_DIV && !a->is_signed)
		return expr_binary(arena, EXPR_DIVU, a->expr, b);
	if (op >= EXPR_LT && !a->is_signed)
		return expr_binary(arena, op, expr_binary(arena, EXPR_XOR, a->expr, sign),
				   expr_binary(arena, EXPR_XOR, b, sign));
	return expr_binary(arena, op, a->expr, b);
}

/* The result wraps at the operands' type; a comparison's is generic. */
static void binary(struct machine *m, enum expr_op op)
{
	struct slot b = pop(m), a = pop(m);
	struct arena *arena = m->info->arena;

	if (!a.bits) {
		push(m, expr_binary(arena, op, a.expr, b.expr));
		return;
	}
	a.expr = typed_binary(arena, op, &a, b.expr);
	if (op >= EXPR_EQ)
		push(m, a.expr);
	else
		push_typed(m, expr_extend(arena, a.expr, a.bits, a.is_signed), a.bits, a.is_signed);
}

static void unary(struct machine *m, enum expr_op op)
{
	struct slot a = pop(m);
	const struct expr *result = a.expr;

	if (op != EXPR_ABS || !a.bits || a.is_signed) /* no unsigned value is negative */
		result = expr_unary(m->info->arena, op, a.expr);
	if (a.bits)
		result = expr_extend(m->info->arena, result, a.bits, a.is_signed);
	push_typed(m, result, a.bits, a.is_signed);
}

static void load(struct machine *m, unsigned size)
{
	struct slot address = pop(m);

	if (size != 1 && size != 2 && size != 4 && size != 8) {
		refuse(m, "a DW_OP_deref_size that is no power of two");
		return;
	}
	push(m, expr_load(m->info->arena, address.expr, size, false, false));
}

static bool is_integer_encoding(Dwarf_Word encoding)
{
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
	       encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
	       encoding == DW_ATE_boolean || encoding == DW_ATE_address ||
	       encoding == DW_ATE_UTF;
}

/* The base type a typed operation names; offset 0 is the generic type. false: refused. */
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
		refuse(m, "a typed operation without its type");
		return false;
	}
	diemem = unit;
	if (!dwarf_offdie(dwarf_cu_getdwarf(m->attribute->cu),
			  dwarf_dieoffset(&diemem) - dwarf_cuoffset(&diemem) + offset, &die) ||
	    (size = dwarf_bytesize(&die)) < 1 || size > 8 ||
	    !dwarf_attr_integrate(&die, DW_AT_encoding, &attribute) ||
	    dwarf_formudata(&attribute, &encoding) || !is_integer_encoding(encoding)) {
		refuse(m, "arithmetic on floating-point or 128-bit values");
		return false;
	}
	*bits = (uint8_t)(size * 8);
	*is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return true;
}

/* DW_OP_convert keeps the value as the new type can; of a generic value, its low bits. */
static void convert(struct machine *m, uint64_t offset)
{
	struct slot a = pop(m);
	uint8_t bits;
	bool is_signed;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	push_typed(m, bits ? expr_extend(m->info->arena, a.expr, bits, is_signed) : a.expr, bits,
		   is_signed);
}

static void typed_load(struct machine *m, unsigned size, uint64_t offset)
{
	uint8_t bits;
	bool is_signed;
	struct slot a;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	load(m, size);
	a = pop(m);
	push_typed(m, bits ? expr_extend(m->info->arena, a.expr, bits, is_signed) : a.expr, bits,
		   is_signed);
}

static void typed_register(struct machine *m, uint64_t number, uint64_t offset)
{
	uint8_t bits;
	bool is_signed;

	if (!base_type(m, offset, &bits, &is_signed))
		return;
	push_typed(m, expr_extend(m->info->arena, expr_leaf(m->info->arena, EXPR_REG, number),
				  bits ? bits : 64, is_signed), bits, is_signed);
}

/* DW_OP_const_type: the bytes of a base type's value. */
static void typed_constant(struct machine *m, const Dwarf_Op *op)
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
		refuse_op(m, op->atom);
		return;
	}
	memcpy(&value, block.data, block.length);
	push_typed(m, expr_const(m->info->arena, extend_bits(value, bits ? bits : 64, is_signed)),
		   bits, is_signed);
}

static void run(struct machine *m, const Dwarf_Op *ops, size_t count);

/* The value of an expression inside another one, with a stack of its own; it is left popped. */
static struct slot run_inner(struct machine *m, const Dwarf_Op *ops, size_t count)
{
	struct slot ret = {expr_const(m->info->arena, 0), 0, false};
	enum loc_kind end = m->end;
	unsigned floor = m->floor;

	m->floor = m->depth;
	run(m, ops, count);
	if (m->end != LOC_MEMORY && m->end != LOC_VALUE)
		refuse(m, "a DWARF expression inside another one that is no value");
	if (!m->reason)
		ret = pop(m);
	m->depth = m->floor;
	m->floor = floor;
	m->end = end;
	m->done = false;
	return ret;
}

static bool find_frame(const struct dwarf_info *info, uint64_t pc, Dwarf_Frame **frame)
{
	for (unsigned i = 0; i < 2; i++)
		if (info->cfi[i] && !dwarf_cfi_addrframe(info->cfi[i], pc - info->bias, frame))
			return true;
	return false;
}

/* The canonical frame address at pc, from the call frame information. */
static void frame_address(struct machine *m)
{
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	struct slot cfa;
	size_t count;

	if (!find_frame(m->info, m->pc, &frame)) {
		refuse(m, "DW_OP_call_frame_cfa without call frame information");
		return;
	}
	if (dwarf_frame_cfa(frame, &ops, &count) || !count) {
		refuse(m, "DW_OP_call_frame_cfa without a rule");
	} else {
		cfa = run_inner(m, ops, count);
		push_typed(m, cfa.expr, cfa.bits, cfa.is_signed);
	}
	free(frame);
}

/* Where the function around is entered; 0: unknown. */
static uint64_t frame_entry(struct machine *m)
{
	uint64_t entry;

	return m->frame && dwarf_die_entry(m->info, m->frame, &entry) ? entry : 0;
}

/* DW_OP_entry_value: an expression or a register, as they were at the entry. */
static void entry_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute, *outer = m->attribute;
	uint64_t pc = m->pc;
	struct slot value;
	Dwarf_Op *ops;
	size_t count;

	m->pc = frame_entry(m);
	if (!m->pc || dwarf_getlocation_attr(outer, op, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &count)) {
		refuse_op(m, op->atom);
		return;
	}
	m->attribute = &attribute;
	value = run_inner(m, ops, count);
	m->attribute = outer;
	if (m->pc != pc)
		value.expr = expr_unary(m->info->arena, EXPR_ENTRY, value.expr);
	m->pc = pc;
	push_typed(m, value.expr, value.bits, value.is_signed);
}

/* The CFA's rule at pc as register + offset, and where the rule's row of the table ends. */
static bool cfa_rule(struct dwarf_info *info, uint64_t pc, uint64_t *reg, int64_t *offset,
		     uint64_t *end)
{
	Dwarf_Addr start, stop;
	Dwarf_Frame *frame;
	bool signal, found;
	Dwarf_Op *ops;
	size_t count;

	if (!find_frame(info, pc, &frame))
		return false;
	found = !dwarf_frame_cfa(frame, &ops, &count) && count == 1 &&
		(ops[0].atom == DW_OP_bregx ||
		 (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31)) &&
		dwarf_frame_info(frame, &start, &stop, &signal) >= 0;
	if (found && ops[0].atom == DW_OP_bregx) {
		*reg = ops[0].number;
		*offset = (int64_t)ops[0].number2;
	} else if (found) {
		*reg = ops[0].atom - DW_OP_breg0;
		*offset = (int64_t)ops[0].number;
	}
	*end = found ? stop + info->bias : 0;
	free(frame);
	return found;
}

/* How far the CFA is from a register at most, in the function's code: with the frame set up. */
static int64_t whole_frame(struct machine *m, uint64_t wanted)
{
	Dwarf_Addr base, start, stop;
	ptrdiff_t range = 0;
	int64_t offset, most = 0;
	uint64_t reg, end;

	while ((range = dwarf_ranges(m->frame, range, &base, &start, &stop)) > 0)
		for (uint64_t pc = start + m->info->bias; pc < stop + m->info->bias; pc = end) {
			if (!cfa_rule(m->info, pc, &reg, &offset, &end) || end <= pc)
				break;
			if (reg == wanted && offset > most)
				most = offset;
		}
	return most;
}

/* clang gives a register for the frame base, which it is between prologue and epilogue only; before
 * and behind, an offset from it leads into the caller's frame. */
static bool frame_is_set_up(struct machine *m, const Dwarf_Op *op)
{
	uint64_t wanted, reg, end;
	int64_t offset;

	if (op->atom < DW_OP_reg0 || op->atom > DW_OP_reg31)
		return true;
	wanted = op->atom - DW_OP_reg0;
	if (!cfa_rule(m->info, m->pc, &reg, &offset, &end))
		return !m->info->cfi[0] && !m->info->cfi[1];
	return reg == wanted && offset == whole_frame(m, wanted);
}

/* DW_OP_fbreg: the frame base of the function around, plus an offset. */
static void frame_base(struct machine *m, int64_t offset)
{
	Dwarf_Attribute attribute, *outer = m->attribute;
	struct slot base;
	Dwarf_Op *ops;
	size_t count;

	if (!m->frame || !dwarf_attr_integrate(m->frame, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, m->pc - m->info->bias, &ops, &count, 1) != 1) {
		refuse(m, "DW_OP_fbreg without a frame base");
		return;
	}
	if (count == 1 && !frame_is_set_up(m, &ops[0])) {
		refuse(m, "its stack frame isn't set up at this address");
		return;
	}
	m->attribute = &attribute;
	base = run_inner(m, ops, count);
	m->attribute = outer;
	push(m, expr_offset(m->info->arena, base.expr, offset));
}

static void push_address(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address = op->number;
	Dwarf_Word constant;

	if (op->atom != DW_OP_addr &&
	    (dwarf_getlocation_attr(m->attribute, op, &attribute) ||
	     (dwarf_formaddr(&attribute, &address) && dwarf_formudata(&attribute, &constant)))) {
		refuse_op(m, op->atom);
		return;
	}
	if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		push_const(m, dwarf_formudata(&attribute, &constant) ? address : constant);
	else
		push(m, expr_leaf(m->info->arena, EXPR_STATIC, address + m->info->bias));
}

/* implicit_value: the value's bytes stand in the expression. */
static void implicit_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (dwarf_getlocation_implicit_value(m->attribute, op, &block) || block.length > 8) {
		refuse(m, "a DW_OP_implicit_value of more than 8 bytes");
		return;
	}
	memcpy(&value, block.data, block.length);
	push_const(m, value);
	m->end = LOC_VALUE;
	m->done = true;
}

/* The pointee is no object in memory: its value is that of another variable. */
static void implicit_pointer(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Die die;

	if (dwarf_getlocation_die(m->attribute, op, &die)) {
		refuse_op(m, op->atom);
		return;
	}
	m->target = die_handle(m->info, &die);
	m->offset = (int64_t)op->number2;
	m->end = LOC_IMPLICIT;
	m->done = true;
	push_const(m, 0);
}

static void shuffle(struct machine *m, const Dwarf_Op *op)
{
	struct slot a, b, c;
	uint64_t index = op->atom == DW_OP_pick ? op->number : op->atom == DW_OP_over ? 1 : 0;

	switch (op->atom) {
	case DW_OP_drop:
		pop(m);
		return;
	case DW_OP_swap:
	case DW_OP_rot:
		a = pop(m);
		b = pop(m);
		if (op->atom == DW_OP_swap) {
			push_typed(m, a.expr, a.bits, a.is_signed);
			push_typed(m, b.expr, b.bits, b.is_signed);
			return;
		}
		c = pop(m);
		push_typed(m, a.expr, a.bits, a.is_signed);
		push_typed(m, c.expr, c.bits, c.is_signed);
		push_typed(m, b.expr, b.bits, b.is_signed);
		return;
	default: /* dup, over, pick */
		if (index >= m->depth - m->floor) {
			refuse(m, "a DWARF expression that empties its stack");
			return;
		}
		a = m->stack[m->depth - 1 - index];
		push_typed(m, a.expr, a.bits, a.is_signed);
	}
}

/* Binary operators, in the order of both tables; EXPR_CONST: no binary operator. */
static enum expr_op binary_op(uint8_t atom)
{
	switch (atom) {
	case DW_OP_and: return EXPR_AND;
	case DW_OP_div: return EXPR_DIV;
	case DW_OP_minus: return EXPR_SUB;
	case DW_OP_mod: return EXPR_MOD;
	case DW_OP_mul: return EXPR_MUL;
	case DW_OP_or: return EXPR_OR;
	case DW_OP_plus: return EXPR_ADD;
	case DW_OP_shl: return EXPR_SHL;
	case DW_OP_shr: return EXPR_SHR;
	case DW_OP_shra: return EXPR_SHRA;
	case DW_OP_xor: return EXPR_XOR;
	case DW_OP_eq: return EXPR_EQ;
	case DW_OP_ge: return EXPR_GE;
	case DW_OP_gt: return EXPR_GT;
	case DW_OP_le: return EXPR_LE;
	case DW_OP_lt: return EXPR_LT;
	case DW_OP_ne: return EXPR_NE;
	default: return EXPR_CONST;
	}
}

/* Operations that name a place rather than push a value: they stand alone. */
static bool whole_location(struct machine *m, const Dwarf_Op *op, size_t count)
{
	uint8_t atom = op->atom;

	if ((atom >= DW_OP_reg0 && atom <= DW_OP_reg31) || atom == DW_OP_regx) {
		push_register(m, atom == DW_OP_regx ? op->number : (uint64_t)atom - DW_OP_reg0, 0);
		m->end = LOC_VALUE;
		m->done = true;
		if (count > 1 && op[1].atom != DW_OP_piece && op[1].atom != DW_OP_bit_piece)
			refuse(m, "a register location with further operations");
		return true;
	}
	if (atom == DW_OP_implicit_value) {
		implicit_value(m, op);
		return true;
	}
	if (atom == DW_OP_implicit_pointer || atom == DW_OP_GNU_implicit_pointer) {
		implicit_pointer(m, op);
		return true;
	}
	if (atom == DW_OP_stack_value) {
		m->end = LOC_VALUE;
		m->done = true;
		return true;
	}
	return false;
}

static void step(struct machine *m, const Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if (binary_op(atom) != EXPR_CONST) {
		binary(m, binary_op(atom));
		return;
	}
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
		push_const(m, atom - DW_OP_lit0);
		return;
	}
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		push_register(m, atom - DW_OP_breg0, (int64_t)op->number);
		return;
	}
	switch (atom) {
	case DW_OP_bregx: push_register(m, op->number, (int64_t)op->number2); break;
	case DW_OP_fbreg: frame_base(m, (int64_t)op->number); break;
	case DW_OP_call_frame_cfa: frame_address(m); break;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value: entry_value(m, op); break;
	case DW_OP_addr:
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index: push_address(m, op); break;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts: push_const(m, op->number); break;
	case DW_OP_dup:
	case DW_OP_drop:
	case DW_OP_over:
	case DW_OP_pick:
	case DW_OP_swap:
	case DW_OP_rot: shuffle(m, op); break;
	case DW_OP_deref: load(m, 8); break;
	case DW_OP_deref_size: load(m, (unsigned)op->number); break;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type: typed_load(m, (unsigned)op->number, op->number2); break;
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type: typed_register(m, op->number, op->number2); break;
	case DW_OP_const_type:
	case DW_OP_GNU_const_type: typed_constant(m, op); break;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret: convert(m, op->number); break;
	case DW_OP_plus_uconst:
		push_const(m, op->number);
		binary(m, EXPR_ADD);
		break;
	case DW_OP_abs: unary(m, EXPR_ABS); break;
	case DW_OP_neg: unary(m, EXPR_NEG); break;
	case DW_OP_not: unary(m, EXPR_NOT); break;
	case DW_OP_nop: break;
	default: refuse_op(m, atom);
	}
}

/* What the operations so far describe becomes the next bytes of the object. */
static void piece(struct machine *m, const Dwarf_Op *op)
{
	uint64_t bits = op->atom == DW_OP_piece ? op->number * 8 : op->number;
	struct piece *new;

	if (bits % 8 || bits > 8 * 4096 || (op->atom == DW_OP_bit_piece && op->number2)) {
		refuse(m, "a DW_OP_bit_piece that is no whole bytes");
		return;
	}
	m->pieces = arena_grow(m->info->arena, m->pieces, m->npieces * sizeof(*new),
			       (m->npieces + 1) * sizeof(*new));
	new = &m->pieces[m->npieces++];
	*new = (struct piece){.size = (uint32_t)(bits / 8)};
	if (m->depth) {
		new->in_memory = m->end == LOC_MEMORY;
		new->expr = m->end == LOC_IMPLICIT ? NULL : pop(m).expr;
	}
	m->target = 0;
	m->offset = 0;
	m->depth = 0;
	m->done = false;
	m->end = LOC_PIECES;
}

/* The bytes of an operand as a LEB128 number, if written as short as can be. */
static unsigned leb_length(uint64_t value, bool is_signed)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll((is_signed && (int64_t)value < 0 ? ~value :
							value) | 1);

	return (bits + (is_signed && value && ~value) + 6) / 7;
}

/* The bytes of an operation; 0: not known. libdw says where each begins, not where the last ends. */
static unsigned op_length(const Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return 1 + leb_length(op->number, true);
	switch (atom) {
	case DW_OP_fbreg:
	case DW_OP_consts: return 1 + leb_length(op->number, true);
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_piece: return 1 + leb_length(op->number, false);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size: return 2;
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip: return 3;
	case DW_OP_const4u:
	case DW_OP_const4s: return 5;
	case DW_OP_const8u:
	case DW_OP_const8s: return 9;
	default:
		return binary_op(atom) != EXPR_CONST || atom == DW_OP_stack_value ||
		       atom == DW_OP_deref || (atom >= DW_OP_dup && atom <= DW_OP_over) ||
		       atom == DW_OP_swap || atom == DW_OP_rot || atom == DW_OP_abs ||
		       atom == DW_OP_neg || atom == DW_OP_not || atom == DW_OP_nop ||
		       (atom >= DW_OP_lit0 && atom <= DW_OP_lit31);
	}
}

/* Where a branch leads: the index of an operation, or count for the end. */
static bool branch_target(const Dwarf_Op *ops, size_t count, size_t index, size_t *ret)
{
	/* both operations take three bytes */
	uint64_t to = ops[index].offset + 3 + (uint64_t)(int64_t)(int16_t)ops[index].number;
	unsigned last = op_length(&ops[count - 1]);

	for (*ret = 0; *ret < count; ++*ret)
		if (ops[*ret].offset == to)
			return true;
	return last && to == ops[count - 1].offset + last;
}

static void run_from(struct machine *m, const Dwarf_Op *ops, size_t count, size_t first);

/* Both ways are run to the end, and the value is one or the other, by the condition. */
static void both_ways(struct machine *m, const Dwarf_Op *ops, size_t count, size_t there, size_t here)
{
	struct arena *arena = m->info->arena;
	const struct expr *condition = pop(m).expr;
	struct machine *other = arena_new(arena, struct machine);
	struct slot *mine, *its;

	*other = *m;
	run_from(other, ops, count, there);
	m->steps = other->steps;
	run_from(m, ops, count, here);
	if (other->reason)
		refuse(m, other->reason);
	if (m->npieces || other->npieces) {
		refuse(m, "DW_OP_bra in a location in pieces (DW_OP_piece)");
		return;
	}
	if (m->reason || m->end != other->end || m->depth == m->floor ||
	    other->depth == other->floor || m->end == LOC_IMPLICIT) {
		refuse(m, "DW_OP_bra between locations of different kinds");
		return;
	}
	mine = &m->stack[m->depth - 1];
	its = &other->stack[other->depth - 1];
	if (expr_equal(mine->expr, its->expr) && !expr_may_fail(condition))
		return;
	mine->expr = expr_if(arena, condition, its->expr, mine->expr);
	check_size(m, mine->expr);
}

/* Pops the condition of DW_OP_bra. false: it is not known here, both ways were run. */
static bool branch(struct machine *m, const Dwarf_Op *ops, size_t count, size_t *index)
{
	size_t there, here = *index + 1;

	if (!branch_target(ops, count, *index, &there)) {
		refuse(m, "a DWARF branch into the middle of an operation");
		return true;
	}
	if (ops[*index].atom == DW_OP_skip) {
		*index = there;
		return true;
	}
	if (m->depth > m->floor && m->stack[m->depth - 1].expr->op == EXPR_CONST) {
		*index = pop(m).expr->value ? there : here;
		return true;
	}
	both_ways(m, ops, count, there, here);
	return false;
}

static void run_from(struct machine *m, const Dwarf_Op *ops, size_t count, size_t first)
{
	for (size_t i = first; i < count && !m->reason;) {
		uint8_t atom = ops[i].atom;

		if (m->steps++ >= STEP_BUDGET) {
			refuse(m, "a DWARF expression of over 1000 operations");
			return;
		}
		if (atom == DW_OP_bra || atom == DW_OP_skip) {
			if (!branch(m, ops, count, &i))
				return;
			continue;
		}
		if (atom == DW_OP_piece || atom == DW_OP_bit_piece) {
			piece(m, &ops[i++]);
			continue;
		}
		if (m->done) { /* only DW_OP_piece may follow the end of a location */
			refuse_op(m, atom);
			return;
		}
		if (m->end == LOC_PIECES)
			m->end = LOC_MEMORY;
		if (!whole_location(m, &ops[i], count - i))
			step(m, &ops[i]);
		i++;
	}
}

static void run(struct machine *m, const Dwarf_Op *ops, size_t count)
{
	run_from(m, ops, count, 0);
}

static void finish(struct machine *m, struct loc *ret)
{
	struct slot top = {0};

	if (m->npieces && (m->depth || m->end != LOC_PIECES))
		refuse(m, "a location that goes on behind its last DW_OP_piece");
	if (!m->reason && !m->npieces)
		top = pop(m);
	if (m->reason) {
		ret->kind = LOC_REFUSED;
		ret->reason = m->reason;
		return;
	}
	*ret = (struct loc){
		.kind = m->end,
		.expr = top.expr,
		.pieces = m->pieces,
		.npieces = m->npieces,
		.target = m->target,
		.offset = m->offset,
	};
}

void dwarf_evaluate(struct dwarf_info *info, Dwarf_Attribute *attribute, Dwarf_Die *frame,
		    uint64_t pc, const Dwarf_Op *ops, size_t count, struct loc *ret)
{
	struct machine *m;

	m = arena_new(info->arena, struct machine);
	*m = (struct machine){.info = info, .attribute = attribute, .frame = frame, .pc = pc};
	m->end = LOC_MEMORY;
	run(m, ops, count);
	finish(m, ret);
}

/* NULL: *reason is set. */
static const struct expr *frame_at(struct dwarf_info *info, uint64_t pc, const char **reason)
{
	struct machine *m = arena_new(info->arena, struct machine);
	struct slot cfa;

	*m = (struct machine){.info = info, .pc = pc, .end = LOC_MEMORY};
	frame_address(m);
	if (!m->reason)
		cfa = pop(m);
	*reason = m->reason ? "there is no call frame information to tell one call from another" : NULL;
	return m->reason ? NULL : cfa.expr;
}

struct error *dwarf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			  struct frame *ret)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die outer;

	*ret = (struct frame){0};
	if (!dwarf_offdie(info->dwarf, instance->outer_source, &outer))
		return dwarf_error(info, "function");
	if (!dwarf_die_entry(info, &outer, &ret->entry)) {
		ret->reason = "the function has no entry";
		return NULL;
	}
	ret->cfa = frame_at(info, address, &ret->reason);
	if (!ret->reason)
		ret->entry_cfa = frame_at(info, ret->entry, &ret->reason);
	return NULL;
}
