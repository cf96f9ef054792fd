// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a calculation whose width debug information leaves open give a value only where the width
 * doesn't matter.
 *
 * The surprise: DWARF calculates on 64 bits, but gcc and clang translate operations of their own,
 * on 8, 16 or 32 bits of a register. With additions that is the same, as only the low bits count.
 * `DW_OP_breg3 (rbx); DW_OP_lit2; DW_OP_div` of an int is not: for -1, which the register has as
 * 0xffffffff, it says 2147483647. gdb shows that.
 */
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "expr/expr.h"
#include "ktrace/arch.h"

/* Whether the low bits of its result depend on more than the low bits of its operands. */
static bool is_wide(enum expr_op op)
{
	return op == EXPR_DIV || op == EXPR_DIVU || op == EXPR_MOD || op == EXPR_SHR ||
	       op == EXPR_SHRA;
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_EQ;
}

/* Compilers extend what they compare, and an operation ends at such an extension, at memory and at
 * an address. */
static bool is_leaf(const struct expr *expr)
{
	return !expr->a || expr->op == EXPR_LOAD || expr->op == EXPR_ENTRY ||
	       is_comparison(expr->op);
}

/* Whether it is a load of 8 bytes that are the program's own, so that the calculation is on 64
 * bits. Clang loads 8 bytes of the stack where a number of 4 is, too. */
static bool is_full_load(const struct arch *arch, const struct expr *expr)
{
	const struct expr *base = expr->a && expr->a->op == EXPR_ADD ? expr->a->a : expr->a;

	return expr->op == EXPR_LOAD && expr->size == 8 && arch &&
	       !(base->op == EXPR_REG &&
		 (base->value == arch->stack_register || base->value == arch->frame_register));
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* How many bits the calculation is on at least: as many as an extension within it begins with, or a
 * constant has, or as a shift goes over. */
static unsigned least_width(const struct arch *arch, const struct expr *expr)
{
	bool is_shift = expr->op == EXPR_SHL || expr->op == EXPR_SHR || expr->op == EXPR_SHRA;
	int64_t value = (int64_t)expr->value;
	unsigned width;

	if (expr->op == EXPR_CONST)
		return value >= -128 && value <= 255 ? 8 : value >= -32768 && value <= 65535 ? 16 :
		       value >= INT32_MIN && value <= UINT32_MAX ? 32 : 64;
	if (expr->op == EXPR_EXTEND)
		return expr->size;
	if (is_leaf(expr))
		return is_full_load(arch, expr) ? 64 : 8;
	width = least_width(arch, expr->a);
	if (is_shift && expr->b->op == EXPR_CONST)
		return larger(width, expr->b->value < 64 ? (unsigned)expr->b->value + 1 : 64);
	return expr->b ? larger(width, least_width(arch, expr->b)) : width;
}

/* The least of 8, 16, 32 and 64 bits that is enough for both. */
static unsigned machine_width(unsigned a, unsigned b)
{
	unsigned width = larger(a, b);

	return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

/* How a calculation may be meant: on `width` bits; what is extended within it on `inner` bits, or
 * on the least number that is enough; DW_OP_mod with a sign, as clang means it for C's `%`;
 * DW_OP_div without one, as gcc means it for a `/` of unsigned numbers on fewer bits than an
 * address. */
struct reading {
	struct dwarf_info *info;
	unsigned width, inner;
	bool is_signed, is_unsigned;
};

/* a % b as C has it. */
static const struct expr *signed_rest(struct arena *arena, const struct expr *a,
				      const struct expr *b)
{
	const struct expr *whole = expr_binary(arena, EXPR_DIV, a, b);

	return expr_binary(arena, EXPR_SUB, a, expr_binary(arena, EXPR_MUL, whole, b));
}

/* The reading of what is extended. */
static struct reading within(struct reading as, const struct expr *extension)
{
	as.width = machine_width(larger(extension->size, as.inner),
				 least_width(as.info->base.arch, extension->a));
	return as;
}

static const struct expr *read_as(struct reading as, const struct expr *expr)
{
	bool is_rest = expr->op == EXPR_MOD && as.is_signed;
	bool is_whole = expr->op == EXPR_DIV && as.is_unsigned && as.width < 64;
	bool is_signed = (expr->op == EXPR_DIV && !is_whole) || expr->op == EXPR_SHRA || is_rest;
	struct arena *arena = as.info->arena;
	const struct expr *a, *b;

	if (is_leaf(expr))
		return expr;
	if (expr->op == EXPR_EXTEND)
		return expr_extend(arena, read_as(within(as, expr), expr->a), expr->size,
				   expr->is_signed);
	a = read_as(as, expr->a);
	if (!expr->b)
		return expr_unary(arena, expr->op, a);
	b = read_as(as, expr->b);
	if (is_wide(expr->op)) {
		a = expr_extend(arena, a, as.width, is_signed);
		b = expr_extend(arena, b, as.width, is_signed);
	}
	return is_rest ? signed_rest(arena, a, b) :
			 expr_binary(arena, is_whole ? EXPR_DIVU : expr->op, a, b);
}

static unsigned wide_operations(const struct expr *expr)
{
	if (!expr || is_leaf(expr))
		return 0;
	return is_wide(expr->op) + wide_operations(expr->a) + wide_operations(expr->b);
}

static bool has_division(const struct expr *expr)
{
	return expr && !is_leaf(expr) &&
	       (expr->op == EXPR_DIV || has_division(expr->a) || has_division(expr->b));
}

/* What holds if a shift in it goes over more bits than that reading has, so that it can't be meant;
 * NULL: none does. */
static const struct expr *shifts_too_far(struct reading as, const struct expr *expr)
{
	bool is_shift = expr->op == EXPR_SHL || expr->op == EXPR_SHR || expr->op == EXPR_SHRA;
	struct arena *arena = as.info->arena;
	const struct expr *a, *b = NULL;

	if (is_leaf(expr))
		return NULL;
	a = shifts_too_far(expr->op == EXPR_EXTEND ? within(as, expr) : as, expr->a);
	if (is_shift && expr->b->op != EXPR_CONST && as.width < 64)
		b = expr_binary(arena, EXPR_GE, expr_extend(arena, expr->b, 8, false),
				expr_const(arena, as.width));
	else if (expr->b)
		b = shifts_too_far(as, expr->b);
	return a && b ? expr_binary(arena, EXPR_OR, a, b) : a ?: b;
}

/* What holds if the value, of which so many bits count, is the same in that reading; NULL: it
 * always is. */
static const struct expr *is_same_in(struct reading as, const struct expr *value, unsigned bits)
{
	const struct expr *a = expr_extend(as.info->arena, read_as(as, value), bits, false);
	const struct expr *b = expr_extend(as.info->arena, value, bits, false);
	const struct expr *same = expr_binary(as.info->arena, EXPR_EQ, a, b),
			  *impossible = shifts_too_far(as, value);

	if (expr_equal(a, b))
		return NULL;
	return impossible ? expr_binary(as.info->arena, EXPR_OR, same, impossible) : same;
}

enum { READINGS = 12 }; /* of signed numbers; of unsigned ones as many again */

/* The value, if all readings of the calculation agree. */
static const struct expr *if_all_agree(struct dwarf_info *info, const struct expr *value,
				       unsigned bits, bool is_unsigned)
{
	unsigned least = larger(bits, least_width(info->base.arch, value)), count = 0, j;
	const struct expr *condition = NULL, *same[2 * READINGS];

	for (unsigned i = 0; i < (is_unsigned ? 2u : 1u) * READINGS; i++) {
		unsigned inner = 8u << i % READINGS / 4;
		const struct reading as = {
			.info = info,
			.inner = inner,
			.width = i & 2 ? 64 : machine_width(least, inner),
			.is_signed = i & 1,
			.is_unsigned = i >= READINGS,
		};

		same[count] = is_same_in(as, value, bits);
		for (j = 0; same[count] && j < count && !expr_equal(same[j], same[count]); j++)
			;
		if (!same[count] || j < count)
			continue;
		condition = condition ? expr_binary(info->arena, EXPR_AND, condition, same[count]) :
					same[count];
		count++;
	}
	return condition ? expr_if(info->arena, condition, value, expr_no_value(info->arena)) :
			   value;
}

/* Whether a compiler wrote it whose instructions may be meant. */
static bool is_of_compiler(Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) && *producer_of(&unit);
}

void leave_out_unsure_widths(struct dwarf_info *info, Dwarf_Die *die, const struct type *type,
			     struct loc *loc)
{
	unsigned bits = type->size && type->size < 8 ? (unsigned)type->size * 8 : 64;

	enum { MOST_OPERATIONS = 8 };
	unsigned operations = loc->kind == LOC_VALUE ? wide_operations(loc->expr) : 0;

	if (!operations || !is_of_compiler(die))
		return;
	if (operations <= MOST_OPERATIONS)
		loc->expr = if_all_agree(info, loc->expr, bits,
					 has_division(loc->expr) && !type->is_signed);
	else
		*loc = (struct loc){.kind = LOC_REFUSED,
				    .reason = "a calculation that is too long to try all widths"};
}
