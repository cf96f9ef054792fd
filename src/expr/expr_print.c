// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints an expression as C-like text, fully parenthesised except for the outermost pair; a cast is
 * printed as (s32), a load as *(u32 *), of user memory *(u32 __user *); a part that has no value is
 * the word EXPR_NO_VALUE.
 */
#include "expr/expr.h"

const char *expr_operator(enum expr_op op)
{
	switch (op) {
	case EXPR_ADD: return "+";
	case EXPR_SUB: return "-";
	case EXPR_MUL: return "*";
	case EXPR_DIV: return "/";
	case EXPR_DIVU: return "/u"; /* unsigned */
	case EXPR_MOD: return "%";
	case EXPR_AND: return "&";
	case EXPR_OR: return "|";
	case EXPR_XOR: return "^";
	case EXPR_SHL: return "<<";
	case EXPR_SHR: return ">>";
	case EXPR_SHRA: return ">>>"; /* arithmetic */
	case EXPR_EQ: return "==";
	case EXPR_NE: return "!=";
	case EXPR_LT: return "<";
	case EXPR_LE: return "<=";
	case EXPR_GT: return ">";
	case EXPR_GE: return ">=";
	default: return "?";
	}
}

static char *number_text(struct arena *arena, uint64_t value)
{
	if ((int64_t)value < 0 && (int64_t)value > -65536)
		return arena_printf(arena, "%lld", (long long)value);
	return arena_printf(arena, value < 4096 ? "%llu" : "%#llx", (unsigned long long)value);
}

static char *print_inner(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf,
			 void *cookie, bool outermost);

static char *print_load(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf,
			void *cookie)
{
	return arena_printf(arena, "*(%c%u %s*)%s", expr->is_signed ? 's' : 'u', expr->size * 8u,
			    expr->is_user ? "__user " : "",
			    print_inner(arena, expr->a, leaf, cookie, false));
}

static char *print_binary(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf,
			  void *cookie, bool outermost)
{
	const char *a = print_inner(arena, expr->a, leaf, cookie, false);
	const char *b = print_inner(arena, expr->b, leaf, cookie, false);

	if (expr->op == EXPR_ADD && expr->b->op == EXPR_CONST && (int64_t)expr->b->value < 0)
		return arena_printf(arena, outermost ? "%s - %s" : "(%s - %s)", a,
				    number_text(arena, -expr->b->value));
	return arena_printf(arena, outermost ? "%s %s %s" : "(%s %s %s)", a,
			    expr_operator(expr->op), b);
}

static bool is_no_value(const struct expr *expr)
{
	return expr->op == EXPR_DIVU && expr->b->op == EXPR_CONST && !expr->b->value;
}

static char *print_if(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf,
		      void *cookie, bool outermost)
{
	return arena_printf(arena, outermost ? "%s ? %s : %s" : "(%s ? %s : %s)",
			    print_inner(arena, expr->a, leaf, cookie, false),
			    print_inner(arena, expr->b->a, leaf, cookie, false),
			    print_inner(arena, expr->b->b, leaf, cookie, false));
}

static char *print_inner(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf,
			 void *cookie, bool outermost)
{
	const char *text;

	switch (expr->op) {
	case EXPR_CONST:
		return number_text(arena, expr->value);
	case EXPR_REG:
	case EXPR_STATIC:
	case EXPR_CPU:
	case EXPR_FETCH:
		text = leaf(cookie, arena, expr);
		return arena_strdup(arena, text ? text : "?");
	case EXPR_LOAD:
		return print_load(arena, expr, leaf, cookie);
	case EXPR_EXTEND:
		return arena_printf(arena, "(%c%u)%s", expr->is_signed ? 's' : 'u', expr->size,
				    print_inner(arena, expr->a, leaf, cookie, false));
	case EXPR_IF:
		return print_if(arena, expr, leaf, cookie, outermost);
	case EXPR_ENTRY:
		return arena_printf(arena, "entry(%s)",
				    print_inner(arena, expr->a, leaf, cookie, true));
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS:
		return arena_printf(arena, "%s%s%s", expr->op == EXPR_NEG ? "-" :
				    expr->op == EXPR_NOT ? "~" : "abs(",
				    print_inner(arena, expr->a, leaf, cookie, false),
				    expr->op == EXPR_ABS ? ")" : "");
	default:
		if (is_no_value(expr))
			return arena_strdup(arena, EXPR_NO_VALUE);
		return print_binary(arena, expr, leaf, cookie, outermost);
	}
}

char *expr_print(struct arena *arena, const struct expr *expr, expr_leaf_fn *leaf, void *cookie)
{
	return print_inner(arena, expr, leaf, cookie, true);
}
