// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether gcc's list makes a step of the variable where a `for` leads from its condition into
 * its body. gcc -Os counts the rounds down at the head, by another number, and computes the
 * variable from that: in the body it is a step too far.
 *
 * The surprise: such a step is right for `while (n-- > 0)`. Only the source tells the two apart.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/values/doubts.h"

/* In a program that isn't moved, an address may be a constant. */
static bool is_fixed(const struct expr *expr)
{
	return expr->op == EXPR_CONST || expr->op == EXPR_STATIC;
}

static const struct expr *without_summand(const struct expr *expr)
{
	return expr->op == EXPR_ADD && expr->b->op == EXPR_CONST ? expr->a : expr;
}

/* Whether both are the same calculation but for numbers that are added. */
static bool is_alike(const struct expr *a, const struct expr *b)
{
	if (!a || !b)
		return a == b;
	a = without_summand(a);
	b = without_summand(b);
	if (is_fixed(a) && is_fixed(b))
		return a->value == b->value;
	if (a->op != b->op || a->size != b->size || a->op == EXPR_LOAD)
		return false;
	if (a->op == EXPR_SUB && is_fixed(a->a) && is_fixed(b->a))
		return is_alike(a->b, b->b);
	return a->a ? is_alike(a->a, b->a) && is_alike(a->b, b->b) : a->value == b->value;
}

static bool writes(const struct walk *walk, uint64_t address, uint64_t registers)
{
	struct effect effect;
	struct insn insn;

	return !code_effect(walk->resolver, address, &insn, &effect) || insn.is_call ||
	       effect.written & registers;
}

/* Whether the line is a `for` with a condition that changes nothing: without `++`, `--` and `=`. */
static bool is_plain_for(const char *line)
{
	size_t length = strcspn(line, "\n");
	const char *from = source_is_loop(line) ? memchr(line, ';', length) : NULL, *to;

	to = from ? memchr(from + 1, ';', length - (size_t)(from + 1 - line)) : NULL;
	for (; to && ++from < to;) {
		bool is_comparison = strchr("<>!=", from[0]) && from[1] == '=';

		if (*from == '(' || (*from == '=' && !is_comparison) ||
		    (strchr("+-", *from) && from[1] == *from))
			return false;
		from += is_comparison;
	}
	return to;
}

/* Whether the way leads from the head of a `for`. */
static bool is_from_head(const struct walk *walk, const struct line_code *of, uint64_t from)
{
	const struct row *row = row_around(of, from);
	const char *text = row && is_own_row(of->instance, row) ?
				   source_line(walk->resolver, of->instance, row->line) : NULL;

	return text && is_plain_for(text);
}

bool is_step_at_head(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable, *before;
	const struct expr *value = variable->loc.expr;
	uint64_t start = variable->holds.start, registers = expr_registers(value);
	const struct flow *flow;
	struct line_code of;
	struct path *ways;
	unsigned count;

	(void)at; /* the list's part has the same answer everywhere */
	if (!is_by_gcc(walk) || variable->loc.kind != LOC_VALUE || !registers ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	count = flow ? flow_ways_into(flow, &walk->resolver->scratch,
				      (struct range){start, start + 1}, &ways) : 0;
	for (unsigned i = 0; i < count; i++) {
		before = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});
		/* a loop that is entered behind its head begins with the right number */
		if (!before || before->loc.kind != LOC_VALUE ||
		    expr_equal(before->loc.expr, value) || !is_alike(before->loc.expr, value) ||
		    writes(walk, ways[i].from, registers) ||
		    !is_from_head(walk, &of, ways[i].from))
			return false;
	}
	return count;
}
