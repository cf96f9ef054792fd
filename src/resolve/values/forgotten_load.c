// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds numbers that LLVM computes from where a slot of the stack is, and not from what is in it:
 * `rsp + 16 ^ 3`, where a register has become the slot, and the load was forgotten.
 *
 * The surprise: computing with addresses of the stack is no mistake as such. Their sums and
 * differences, what aligns them, and comparisons are what sources compute; other operations aren't.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/values/doubts.h"

enum { ADDRESS_BITS = 64 };

/* Whether the expression is of the stack pointer itself: how far a pointer is from a slot isn't. */
static bool is_of_stack(const struct arch *arch, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_LOAD || expr->op == EXPR_ENTRY)
		return false;
	if (expr->op == EXPR_REG)
		return expr->value == arch->stack_register;
	if (expr->op == EXPR_SUB && expr->a->op != EXPR_CONST)
		return is_of_stack(arch, expr->a) && !is_of_stack(arch, expr->b);
	return is_of_stack(arch, expr->a) || is_of_stack(arch, expr->b);
}

static bool makes_number(const struct arch *arch, const struct expr *expr);

static bool has_number_inside(const struct arch *arch, const struct expr *expr)
{
	if (expr->op == EXPR_LOAD || expr->op == EXPR_ENTRY)
		return false;
	return (expr->a && makes_number(arch, expr->a)) || (expr->b && makes_number(arch, expr->b));
}

/* Whether an operation makes of an address what no source does. */
static bool makes_number(const struct arch *arch, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_SUB:
		return (expr->a->op == EXPR_CONST && is_of_stack(arch, expr->b)) ||
		       has_number_inside(arch, expr);
	case EXPR_AND:
		return (is_of_stack(arch, expr->a) && expr->b->op == EXPR_CONST &&
			(int64_t)expr->b->value >= 0) || has_number_inside(arch, expr);
	case EXPR_EXTEND:
		return (expr->size < ADDRESS_BITS && is_of_stack(arch, expr->a)) ||
		       has_number_inside(arch, expr);
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS:
	case EXPR_MUL:
	case EXPR_DIV:
	case EXPR_DIVU:
	case EXPR_MOD:
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_SHL:
	case EXPR_SHR:
	case EXPR_SHRA: return is_of_stack(arch, expr->a) || is_of_stack(arch, expr->b);
	default: return has_number_inside(arch, expr);
	}
}

/* size: in bytes; no address fits into fewer than eight. */
static bool is_forgotten_in(const struct arch *arch, const struct expr *expr, uint64_t size)
{
	return expr && (makes_number(arch, expr) || (size < 8 && is_of_stack(arch, expr)));
}

bool is_load_forgotten(const struct walk *walk, struct position at)
{
	const struct arch *arch = walk->resolver->arch;
	const struct variable *variable = walk->variable;
	const struct loc *loc = &variable->loc;

	(void)at; /* the expression is the same for a part of the list */
	if (!walk->instance || !walk->instance->is_by_llvm)
		return false;
	for (unsigned i = 0; i < loc->npieces; i++)
		if (!loc->pieces[i].in_memory &&
		    is_forgotten_in(arch, loc->pieces[i].expr, loc->pieces[i].size))
			return true;
	return loc->kind == LOC_VALUE &&
	       is_forgotten_in(arch, loc->expr, variable->type ? variable->type->size : 8);
}
