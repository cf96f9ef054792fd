// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simplifies and evaluates expressions. Simplifying lets a computed DWARF location become one plain
 * kernel fetch: `*(u32 *)rdx & 0xffffffff` is just the load. Only rewrites that are exact on all 64
 * bits belong here.
 */
#include "expr/expr.h"

uint64_t extend_bits(uint64_t value, unsigned bits, bool is_signed)
{
	if (bits >= 64)
		return value;
	value &= ((uint64_t)1 << bits) - 1;
	if (is_signed && value >> (bits - 1))
		value |= ~(uint64_t)0 << bits;
	return value;
}

static bool apply_binary(enum expr_op op, uint64_t a, uint64_t b, uint64_t *ret)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case EXPR_ADD: *ret = a + b; return true;
	case EXPR_SUB: *ret = a - b; return true;
	case EXPR_MUL: *ret = a * b; return true;
	case EXPR_DIV:
		if (!b)
			return false;
		/* INT64_MIN / -1 overflows in C; the answer is the wrapped one */
		*ret = sb == -1 ? -a : (uint64_t)(sa / sb);
		return true;
	case EXPR_DIVU:
		if (!b)
			return false;
		*ret = a / b;
		return true;
	case EXPR_MOD:
		if (!b)
			return false;
		*ret = a % b;
		return true;
	case EXPR_AND: *ret = a & b; return true;
	case EXPR_OR: *ret = a | b; return true;
	case EXPR_XOR: *ret = a ^ b; return true;
	case EXPR_SHL: *ret = b < 64 ? a << b : 0; return true;
	case EXPR_SHR: *ret = b < 64 ? a >> b : 0; return true;
	case EXPR_SHRA: *ret = (uint64_t)(sa >> (b < 64 ? b : 63)); return true;
	case EXPR_EQ: *ret = a == b; return true;
	case EXPR_NE: *ret = a != b; return true;
	case EXPR_LT: *ret = sa < sb; return true;
	case EXPR_LE: *ret = sa <= sb; return true;
	case EXPR_GT: *ret = sa > sb; return true;
	case EXPR_GE: *ret = sa >= sb; return true;
	default: return false;
	}
}

static uint64_t apply_unary(enum expr_op op, uint64_t a)
{
	switch (op) {
	case EXPR_NEG: return -a;
	case EXPR_NOT: return ~a;
	default: return (int64_t)a < 0 ? -a : a; /* EXPR_ABS */
	}
}

const struct expr *expr_leaf(struct arena *arena, enum expr_op op, uint64_t value)
{
	struct expr *expr = arena_new(arena, struct expr);

	expr->op = op;
	expr->value = value;
	return expr;
}

const struct expr *expr_const(struct arena *arena, uint64_t value)
{
	return expr_leaf(arena, EXPR_CONST, value);
}

const struct expr *expr_unary(struct arena *arena, enum expr_op op, const struct expr *a)
{
	struct expr *expr;

	if (a->op == EXPR_CONST)
		return op == EXPR_ENTRY ? a : expr_const(arena, apply_unary(op, a->value));
	expr = arena_new(arena, struct expr);
	expr->op = op;
	expr->a = a;
	return expr;
}

/* The n for which x & mask is the zero extension of x's low n bits; 0: none. */
static unsigned mask_bits(uint64_t mask)
{
	return mask && !(mask & (mask + 1)) ? 64 - (unsigned)__builtin_clzll(mask) : 0;
}

static bool is_commutative(enum expr_op op)
{
	return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR ||
	       op == EXPR_XOR || op == EXPR_EQ || op == EXPR_NE;
}

bool expr_may_fail(const struct expr *expr)
{
	bool divides = expr && (expr->op == EXPR_DIV || expr->op == EXPR_DIVU ||
				expr->op == EXPR_MOD);

	return expr && ((divides && (expr->b->op != EXPR_CONST || !expr->b->value)) ||
			expr_may_fail(expr->a) || expr_may_fail(expr->b));
}

/* Identities with a constant on the right; NULL: none applies. */
static const struct expr *simplify_constant(struct arena *arena, enum expr_op op,
					    const struct expr *a, uint64_t b)
{
	if (op == EXPR_SUB)
		return expr_binary(arena, EXPR_ADD, a, expr_const(arena, -b));
	if (op == EXPR_NE && b == 0 && a->op >= EXPR_EQ)
		return a; /* it is 0 or 1 already */
	if (op == EXPR_AND && mask_bits(b))
		return expr_extend(arena, a, mask_bits(b), false);
	if ((op == EXPR_SHR || op == EXPR_SHRA) && b && b < 64 && a->op == EXPR_SHL &&
	    a->b->op == EXPR_CONST && a->b->value == b)
		return expr_extend(arena, a->a, 64 - (unsigned)b, op == EXPR_SHRA);
	if (op == EXPR_ADD && a->op == EXPR_ADD && a->b->op == EXPR_CONST)
		return expr_binary(arena, EXPR_ADD, a->a, expr_const(arena, a->b->value + b));
	if (op == EXPR_ADD && a->op == EXPR_STATIC)
		return expr_leaf(arena, EXPR_STATIC, a->value + b);
	if (b == 0 && (op == EXPR_ADD || op == EXPR_OR || op == EXPR_XOR || op == EXPR_SHL ||
		       op == EXPR_SHR || op == EXPR_SHRA))
		return a;
	if (b == 0 && (op == EXPR_AND || op == EXPR_MUL) && !expr_may_fail(a))
		return expr_const(arena, 0);
	if (b == 1 && (op == EXPR_MUL || op == EXPR_DIV || op == EXPR_DIVU))
		return a;
	return NULL;
}

const struct expr *expr_binary(struct arena *arena, enum expr_op op, const struct expr *a,
			       const struct expr *b)
{
	const struct expr *simple = NULL;
	struct expr *expr;
	uint64_t value;

	if (op == EXPR_IF && a->op == EXPR_CONST)
		return a->value ? b->a : b->b;
	if (a->op == EXPR_CONST && b->op == EXPR_CONST &&
	    apply_binary(op, a->value, b->value, &value))
		return expr_const(arena, value);
	if (a->op == EXPR_CONST && is_commutative(op))
		return expr_binary(arena, op, b, a);
	if (b->op == EXPR_CONST)
		simple = simplify_constant(arena, op, a, b->value);
	if (simple)
		return simple;
	expr = arena_new(arena, struct expr);
	expr->op = op;
	expr->a = a;
	expr->b = b;
	return expr;
}

const struct expr *expr_if(struct arena *arena, const struct expr *condition, const struct expr *a,
			   const struct expr *b)
{
	return expr_binary(arena, EXPR_IF, condition, expr_binary(arena, EXPR_ELSE, a, b));
}

const struct expr *expr_offset(struct arena *arena, const struct expr *a, int64_t offset)
{
	return expr_binary(arena, EXPR_ADD, a, expr_const(arena, (uint64_t)offset));
}

const struct expr *expr_load(struct arena *arena, const struct expr *address, unsigned size,
			     bool is_signed, bool is_user)
{
	struct expr *expr = arena_new(arena, struct expr);

	expr->op = EXPR_LOAD;
	expr->a = address;
	expr->size = (uint8_t)size;
	expr->is_signed = is_signed && size < 8;
	expr->is_user = is_user;
	return expr;
}

static bool is_load_size(unsigned bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* Little endian: the low bytes of a wide load are a narrower load at the same address. */
static const struct expr *extend_load(struct arena *arena, const struct expr *a, unsigned bits,
				      bool is_signed)
{
	if (bits > 8u * a->size && (!a->is_signed || is_signed))
		return a;
	if (bits == 8u * a->size && a->is_signed == is_signed)
		return a;
	if (bits <= 8u * a->size && is_load_size(bits))
		return expr_load(arena, a->a, bits / 8, is_signed, a->is_user);
	return NULL;
}

const struct expr *expr_extend(struct arena *arena, const struct expr *a, unsigned bits,
			       bool is_signed)
{
	const struct expr *simple = NULL;
	struct expr *expr;

	if (bits >= 64)
		return a;
	if (a->op == EXPR_CONST)
		return expr_const(arena, extend_bits(a->value, bits, is_signed));
	if (a->op == EXPR_EXTEND && a->size >= bits)
		return expr_extend(arena, a->a, bits, is_signed);
	if (a->op == EXPR_EXTEND && a->size < bits && (!a->is_signed || is_signed))
		return a;
	if (a->op >= EXPR_EQ && (bits > 1 || !is_signed))
		return a; /* it is 0 or 1 */
	if (a->op == EXPR_LOAD)
		simple = extend_load(arena, a, bits, is_signed);
	if (simple)
		return simple;
	expr = arena_new(arena, struct expr);
	expr->op = EXPR_EXTEND;
	expr->a = a;
	expr->size = (uint8_t)bits;
	expr->is_signed = is_signed;
	return expr;
}

bool expr_uses(const struct expr *expr, enum expr_op op)
{
	return expr && (expr->op == op || expr_uses(expr->a, op) || expr_uses(expr->b, op));
}

bool expr_is_based(const struct expr *expr, uint64_t *number, int64_t *offset)
{
	bool is_sum = expr->op == EXPR_ADD && expr->b->op == EXPR_CONST;
	const struct expr *base = is_sum ? expr->a : expr;

	*number = base->value;
	*offset = is_sum ? (int64_t)expr->b->value : 0;
	return base->op == EXPR_REG;
}

uint64_t expr_registers(const struct expr *expr)
{
	if (!expr || expr->op == EXPR_ENTRY)
		return 0;
	if (expr->op == EXPR_REG)
		return expr->value < 64 ? (uint64_t)1 << expr->value : 0;
	return expr_registers(expr->a) | expr_registers(expr->b);
}

const struct expr *expr_no_value(struct arena *arena)
{
	return expr_binary(arena, EXPR_DIVU, expr_const(arena, 0), expr_const(arena, 0));
}

bool expr_has_no_value(const struct expr *expr)
{
	return expr && ((expr->op == EXPR_DIVU && expr->b->op == EXPR_CONST && !expr->b->value) ||
			expr_has_no_value(expr->a) || expr_has_no_value(expr->b));
}

bool expr_equal(const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->op != b->op || a->size != b->size || a->is_signed != b->is_signed ||
	    a->is_user != b->is_user || a->value != b->value)
		return false;
	return expr_equal(a->a, b->a) && expr_equal(a->b, b->b);
}

static bool piece_equal(const struct piece *a, const struct piece *b)
{
	return a->size == b->size && a->in_memory == b->in_memory && expr_equal(a->expr, b->expr);
}

bool loc_equal(const struct loc *a, const struct loc *b)
{
	if (a->kind != b->kind || a->npieces != b->npieces || !expr_equal(a->expr, b->expr))
		return false;
	for (unsigned i = 0; i < a->npieces; i++)
		if (!piece_equal(&a->pieces[i], &b->pieces[i]))
			return false;
	return true;
}

bool expr_eval(const struct expr *expr, const uint64_t *fetches, uint64_t *ret)
{
	uint64_t a, b;

	switch (expr->op) {
	case EXPR_CONST:
		*ret = expr->value;
		return true;
	case EXPR_FETCH:
		*ret = fetches[expr->value];
		return true;
	case EXPR_REG:
	case EXPR_STATIC:
	case EXPR_CPU:
	case EXPR_LOAD:
	case EXPR_ENTRY:
		return false; /* only the kernel can evaluate it, or only a live run knows it */
	case EXPR_IF: /* only the branch taken counts: the other may divide by zero */
		return expr_eval(expr->a, fetches, &a) &&
		       expr_eval(a ? expr->b->a : expr->b->b, fetches, ret);
	case EXPR_EXTEND:
		if (!expr_eval(expr->a, fetches, &a))
			return false;
		*ret = extend_bits(a, expr->size, expr->is_signed);
		return true;
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS:
		if (!expr_eval(expr->a, fetches, &a))
			return false;
		*ret = apply_unary(expr->op, a);
		return true;
	default:
		return expr_eval(expr->a, fetches, &a) && expr_eval(expr->b, fetches, &b) &&
		       apply_binary(expr->op, a, b, ret);
	}
}
