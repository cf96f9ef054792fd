// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stack of a DWARF expression, and what operations do to the symbolic values on it; or the
 * reason why the expression is refused.
 *
 * The surprise: a value may be typed (DWARF 5, 2.5.1), and then wraps at its own width.
 */
#include "expr/expr.h"
#include "debuginfo/die.h"
#include "debuginfo/machine.h"

#define NODE_BUDGET 2000 /* nodes in one value: a shared node counts each time, as in a walk */

static const char *const op_names[256] = {
#define OP(name) [DW_OP_##name] = "DW_OP_" #name
	OP(addr), OP(deref), OP(const1u), OP(xderef), OP(bra), OP(skip), OP(piece), OP(deref_size),
	OP(xderef_size), OP(push_object_address), OP(call2), OP(call4), OP(call_ref),
	OP(call_frame_cfa), OP(bit_piece), OP(implicit_value), OP(stack_value),
	OP(implicit_pointer), OP(addrx), OP(constx), OP(entry_value), OP(const_type),
	OP(regval_type), OP(deref_type), OP(xderef_type), OP(convert), OP(reinterpret),
	OP(GNU_uninit), OP(GNU_implicit_pointer), OP(GNU_entry_value),
	OP(GNU_const_type), OP(GNU_regval_type), OP(GNU_deref_type), OP(GNU_convert),
	OP(GNU_reinterpret), OP(GNU_addr_index), OP(GNU_const_index),
	OP(GNU_variable_value), OP(fbreg), OP(div), OP(lt), OP(le), OP(gt), OP(ge), OP(shra),
	OP(mod), OP(reg0), OP(regx),
#define WHY(name, why) [DW_OP_##name] = "DW_OP_" #name ": " why
#define THREAD_LOCAL "it is thread-local, and a probe can't tell where the thread's area is"
	WHY(form_tls_address, THREAD_LOCAL), WHY(GNU_push_tls_address, THREAD_LOCAL),
	WHY(GNU_parameter_ref, "only the callers know it"),
#undef THREAD_LOCAL
#undef WHY
#undef OP
};

void machine_refuse(struct machine *m, const char *reason)
{
	if (!m->reason)
		m->reason = reason;
}

void machine_refuse_op(struct machine *m, uint8_t atom)
{
	machine_refuse(m, op_names[atom] ? op_names[atom]
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
void check_size(struct machine *m, const struct expr *expr)
{
	unsigned budget = NODE_BUDGET;

	if (!is_within(expr, &budget))
		machine_refuse(m, "a DWARF expression whose value is too long a formula");
}

void push_typed(struct machine *m, const struct expr *expr, uint8_t bits, bool is_signed)
{
	if (m->depth == STACK_SIZE) {
		machine_refuse(m, "a DWARF expression deeper than 64 values");
		return;
	}
	check_size(m, expr);
	m->stack[m->depth++] = (struct slot){expr, bits, is_signed};
}

void push_generic(struct machine *m, const struct expr *expr)
{
	push_typed(m, expr, 0, false);
}

void push_constant(struct machine *m, uint64_t value)
{
	push_generic(m, expr_const(m->info->arena, value));
}

struct slot pop_slot(struct machine *m)
{
	if (m->depth == m->floor) {
		machine_refuse(m, "a DWARF expression that empties its stack");
		return (struct slot){expr_const(m->info->arena, 0), 0, false};
	}
	return m->stack[--m->depth];
}

void push_register(struct machine *m, uint64_t number, int64_t offset)
{
	struct arena *arena = m->info->arena;

	push_generic(m, expr_offset(arena, expr_leaf(arena, EXPR_REG, number), offset));
}

/* gcc counts a loop by a pointer, and divides the way it has come by an element's size, without a
 * sign: of a pointer that counts down that is another number. So what is negative has no value. */
static const struct expr *unsigned_quotient(struct arena *arena, const struct slot *a,
					    const struct expr *b)
{
	const struct expr *ret = expr_binary(arena, EXPR_DIVU, a->expr, b);

	if (a->bits != 64 || !expr_uses(a->expr, EXPR_SUB))
		return ret;
	return expr_if(arena, expr_binary(arena, EXPR_GE, a->expr, expr_const(arena, 0)), ret,
		       expr_no_value(arena));
}

/* Operands as op needs them: operations on the generic type are signed or unsigned by themselves,
 * those on typed operands go by the type, and shifts are of their own kind at the type's width. */
static const struct expr *typed_binary(struct arena *arena, enum expr_op op, const struct slot *a,
				       const struct expr *b)
{
	const struct expr *sign = expr_const(arena, (uint64_t)1 << 63);

	if (op == EXPR_SHR || op == EXPR_SHRA)
		return expr_binary(arena, op, expr_extend(arena, a->expr, a->bits, op == EXPR_SHRA),
				   b);
	if (op == EXPR_MOD && a->is_signed) /* as C's % */
		return expr_binary(arena, EXPR_SUB, a->expr,
				   expr_binary(arena, EXPR_MUL,
					       expr_binary(arena, EXPR_DIV, a->expr, b), b));
	if (op == EXPR_DIV && !a->is_signed)
		return unsigned_quotient(arena, a, b);
	if (op >= EXPR_LT && !a->is_signed)
		return expr_binary(arena, op, expr_binary(arena, EXPR_XOR, a->expr, sign),
				   expr_binary(arena, EXPR_XOR, b, sign));
	return expr_binary(arena, op, a->expr, b);
}

/* gcc describes a division by a constant, which it has made a multiplication, by such shifts (of
 * -56 bits): whatever they give, it isn't the variable. */
static bool is_far_shift(enum expr_op op, const struct slot *a, const struct slot *b)
{
	return (op == EXPR_SHL || op == EXPR_SHR || op == EXPR_SHRA) && b->expr->op == EXPR_CONST &&
	       b->expr->value >= (a->bits ? a->bits : 64);
}

/* The result wraps at the operands' type; that of a comparison is generic. */
static bool is_zero(const struct slot *slot)
{
	return slot->expr->op == EXPR_CONST && !slot->expr->value;
}

/* Whether it is LLVM's `0 | x` or `0 ^ x`: it leaves no such operation in code, but writes a 0 for
 * an operand that it has lost. Only here is the 0 seen: expressions are simplified. */
static bool has_lost_operand(struct machine *m, enum expr_op op, const struct slot *a,
			     const struct slot *b)
{
	Dwarf_Die unit;

	return (op == EXPR_OR || op == EXPR_XOR) && (is_zero(a) || is_zero(b)) && m->attribute &&
	       m->attribute->cu &&
	       dwarf_cu_die(m->attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
	       is_llvm_unit(&unit);
}

void binary_operation(struct machine *m, enum expr_op op)
{
	struct slot b = pop_slot(m), a = pop_slot(m);
	struct arena *arena = m->info->arena;

	if (is_far_shift(op, &a, &b))
		machine_refuse(m, "a DWARF expression that shifts by more bits than a value has");
	if (has_lost_operand(m, op, &a, &b))
		machine_refuse(m, "it is computed from something that was optimised out");
	if (!a.bits) {
		push_generic(m, expr_binary(arena, op, a.expr, b.expr));
		return;
	}
	a.expr = typed_binary(arena, op, &a, b.expr);
	if (op >= EXPR_EQ)
		push_generic(m, a.expr);
	else
		push_typed(m, expr_extend(arena, a.expr, a.bits, a.is_signed), a.bits, a.is_signed);
}

void unary_operation(struct machine *m, enum expr_op op)
{
	struct slot a = pop_slot(m);
	const struct expr *result = a.expr;

	if (op != EXPR_ABS || !a.bits || a.is_signed) /* no unsigned value is negative */
		result = expr_unary(m->info->arena, op, a.expr);
	if (a.bits)
		result = expr_extend(m->info->arena, result, a.bits, a.is_signed);
	push_typed(m, result, a.bits, a.is_signed);
}

void load_memory(struct machine *m, unsigned size)
{
	struct slot address = pop_slot(m);

	if (size != 1 && size != 2 && size != 4 && size != 8) {
		machine_refuse(m, "a DW_OP_deref_size that isn't a power of two");
		return;
	}
	push_generic(m, expr_load(m->info->arena, address.expr, size, false, false));
}

void shuffle_stack(struct machine *m, const Dwarf_Op *op)
{
	struct slot a, b, c;
	uint64_t index = op->atom == DW_OP_pick ? op->number : op->atom == DW_OP_over ? 1 : 0;

	switch (op->atom) {
	case DW_OP_drop:
		pop_slot(m);
		return;
	case DW_OP_swap:
	case DW_OP_rot:
		a = pop_slot(m);
		b = pop_slot(m);
		if (op->atom == DW_OP_swap) {
			push_typed(m, a.expr, a.bits, a.is_signed);
			push_typed(m, b.expr, b.bits, b.is_signed);
			return;
		}
		c = pop_slot(m);
		push_typed(m, a.expr, a.bits, a.is_signed);
		push_typed(m, c.expr, c.bits, c.is_signed);
		push_typed(m, b.expr, b.bits, b.is_signed);
		return;
	default: /* dup, over, pick */
		if (index >= m->depth - m->floor) {
			machine_refuse(m, "a DWARF expression that empties its stack");
			return;
		}
		a = m->stack[m->depth - 1 - index];
		push_typed(m, a.expr, a.bits, a.is_signed);
	}
}

/* Returns EXPR_CONST when atom isn't a binary operator. */
enum expr_op binary_op(uint8_t atom)
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
