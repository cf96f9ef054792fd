// SPDX-License-Identifier: GPL-2.0-only
/*
 * An expression with addresses of a program's file in, one over what the probe itself knows out. Where
 * a PIE or library is loaded is only known when it runs; but the probed instruction moves with it, and
 * the kernel hands out its address: a static object is the instruction pointer plus a constant.
 */
#include "resolve/internal.h"

static const struct expr *place_static(struct resolver *resolver, uint64_t address,
				       const struct expr *expr)
{
	struct arena *arena = resolver->arena;

	if (resolver->target->is_fixed)
		return expr_const(arena, expr->value);
	return expr_offset(arena, expr_leaf(arena, EXPR_REG, resolver->arch->ip_register),
			   (int64_t)(expr->value - address));
}

const struct expr *resolve_statics(struct resolver *resolver, uint64_t address,
				   const struct expr *expr)
{
	struct arena *arena = resolver->arena;
	const struct expr *a, *b;

	if (!expr || resolver->target->kind != TARGET_PROGRAM)
		return expr;
	if (expr->op == EXPR_STATIC)
		return place_static(resolver, address, expr);
	if (!expr->a)
		return expr;
	a = resolve_statics(resolver, address, expr->a);
	b = resolve_statics(resolver, address, expr->b);
	if (expr->op == EXPR_LOAD)
		return expr_load(arena, a, expr->size, expr->is_signed, expr->is_user);
	if (expr->op == EXPR_EXTEND)
		return expr_extend(arena, a, expr->size, expr->is_signed);
	return b ? expr_binary(arena, expr->op, a, b) : expr_unary(arena, expr->op, a);
}
