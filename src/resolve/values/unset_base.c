// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a variable is found by a register that the function itself has yet to set: with
 * -fsanitize=address, variables lie in memory that the function gets at its beginning, and
 * debug information has `rbx - 32` for all of the function. Free Pascal has variables themselves in
 * such registers, and uses one for several; only a parameter that is put there once is believed.
 *
 * The surprise: before that, the register is the caller's. If the caller was compiled in the same
 * way, the memory is a variable of the caller, and looks like a value.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/values/doubts.h"

enum { REGISTERS = 32 };

static const char shared_register[] =
	"debug information finds it by a register that the function uses for other things, too";
static const char unstored[] =
	"it is still to be stored at this address, the beginning of the function";

/* The registers of the expression, one bit each, but for those of the frame. */
static uint32_t bases_of(const struct arch *arch, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_ENTRY)
		return 0;
	if (expr->op == EXPR_REG)
		return expr->value >= REGISTERS || expr->value == arch->stack_register ||
				       expr->value == arch->frame_register ?
			       0 :
			       1u << expr->value;
	return bases_of(arch, expr->a) | bases_of(arch, expr->b);
}

/* Whether it gives the caller its register back: a pop, or a load in code that ends the function.
 */
static bool restores(struct resolver *resolver, const struct flow *flow, uint64_t address,
		     const struct effect *effect)
{
	const struct arch *arch = resolver->arch;
	uint64_t end = flow_straight_end(flow, address);
	struct effect other;
	struct insn insn;

	if (effect->stack == STACK_RESTORED || (effect->stack == STACK_MOVED && effect->value > 0))
		return true;
	if (!effect->load_size || (effect->load_base != arch->stack_register &&
				   effect->load_base != arch->frame_register))
		return false;
	for (uint64_t at = address; at < end; at += insn.length)
		if (!code_effect(resolver, at, &insn, &other) || insn.is_return)
			return insn.length && insn.is_return;
	return false;
}

/* The function's instructions that set one of the registers. */
struct sets {
	uint64_t body; /* where the first line behind the function's first begins */
	bool any;
	bool at_beginning; /* before that */
	bool is_later;     /* some may come behind the address */
	bool is_again;     /* some in the body may come before it */
};

/* Unoptimised code has its lines' order. */
static uint64_t body_of(const struct walk *walk)
{
	uint64_t entry = walk->instance->entry, ret = UINT64_MAX;
	unsigned first = 0, count;
	struct row *rows;

	if (debuginfo_rows(walk->resolver->info, walk->instance, &rows, &count))
		return entry;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].address == entry)
			first = rows[i].line;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].line > first && rows[i].address >= entry && rows[i].address < ret)
			ret = rows[i].address;
	return ret;
}

static void find_sets(const struct walk *walk, const struct flow *flow, uint32_t registers,
		      uint64_t address, struct sets *ret)
{
	*ret = (struct sets){.body = body_of(walk)};
	for (unsigned i = 0; i < flow_count(flow); i++) {
		uint64_t at = flow_step(flow, i).address;
		struct effect effect;
		struct insn insn;

		if (!code_effect(walk->resolver, at, &insn, &effect) || insn.is_call ||
		    !(effect.written & registers) || restores(walk->resolver, flow, at, &effect))
			continue;
		ret->any = true;
		ret->is_later |= at == address ||
				 flow_reaches_from(flow, &address, 1, at, NULL, 0);
		if (at >= walk->instance->entry && at < ret->body)
			ret->at_beginning = true;
		else
			ret->is_again |= flow_reaches_from(flow, &at, 1, address, NULL, 0);
	}
}

const char *find_unset_base(const struct walk *walk, uint64_t address)
{
	const struct variable *variable = walk->variable;
	const struct instance *instance = walk->instance;
	const struct arch *arch = walk->resolver->arch;
	const struct flow *flow;
	struct sets sets;
	uint32_t bases;
	bool is_rough;

	if (!variable || variable->holds.end || !instance || walk->resolver != walk->home)
		return NULL;
	is_rough = instance->has_rough_registers && variable->loc.kind == LOC_VALUE;
	bases = bases_of(arch, variable->loc.expr);
	if (is_rough && ((bases & ~arch->preserved) || variable->scope != SCOPE_PARAMETER))
		return shared_register;
	if ((variable->loc.kind != LOC_MEMORY && !is_rough) || instance->inlined)
		return NULL;
	flow = bases ? passing_flow(walk->resolver, instance) : NULL;
	if (!flow)
		return NULL;
	find_sets(walk, flow, bases, address, &sets);
	if (!sets.any)
		return is_rough ? shared_register : NULL;
	if ((bases & ~arch->preserved) || (sets.at_beginning && sets.is_again))
		return shared_register;
	if (sets.is_later && (!sets.at_beginning || address < sets.body))
		return "debug information finds it by a register that is set behind this address";
	return address < sets.body ? unstored : NULL;
}
