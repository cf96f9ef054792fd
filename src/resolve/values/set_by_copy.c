// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether an inlined copy that was given a variable's address may have set it: of `n = 0;
 * read_number(&n); log(); use(n);` clang says 0 until use() reads n, though read_number() has set
 * it.
 *
 * The surprise: nothing is left of the address. In the copy's place the variable needs none, and
 * that is how the copy is known: its parameter, a pointer to such a type, was optimised out.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/passes/passes.h"
#include "resolve/source_words.h"
#include "resolve/values/doubts.h"
#include "target/code.h"

/* A struct's members have locations of their own, which LLVM keeps up to date. */
static bool is_scalar(const struct type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
	       type->kind == TYPE_FLOAT || type->kind == TYPE_ENUM || type->kind == TYPE_POINTER;
}

static bool is_same_type(const struct type *one, const struct type *other)
{
	if (one->kind != other->kind || one->size != other->size ||
	    one->is_signed != other->is_signed)
		return false;
	return one->kind != TYPE_POINTER ||
	       (one->target && other->target && one->target->kind == other->target->kind &&
		one->target->size == other->target->size);
}

/* Whether the line has the variable's name; is_address: with an `&` before it. */
static bool has_name(const char *line, const char *name, bool is_address)
{
	for (const char *use = line; (use = next_use(use, name)); use++)
		if (!is_address || is_address_taken(line, use))
			return true;
	return false;
}

/* Whether the source gives the variable, or its address, where it calls the copy, as far as it is
 * known; the call may go on over some lines. */
static bool may_be_given(const struct walk *walk, const struct instance *copy, bool is_address)
{
	enum { LINES_MOST = 4 };

	for (unsigned i = 0; i < LINES_MOST; i++) {
		const char *text = source_line(walk->resolver, walk->instance, copy->call_line + i);

		if (!text || has_name(text, walk->variable->name, is_address))
			return true;
	}
	return false;
}

/* Whether the copy has a parameter by which it may set the variable, and which is gone. */
static bool may_set(const struct walk *walk, const struct instance *copy)
{
	const struct position at = {.address = copy->entry, .view = copy->entry_view};
	struct variable *list;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, copy, at, false, &list, &count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		const struct type *type = list[i].type;

		if (list[i].scope == SCOPE_PARAMETER && list[i].loc.kind == LOC_ABSENT && type &&
		    type->kind == TYPE_POINTER && type->target &&
		    !is_read_only(type->target) &&
		    is_same_type(type->target, walk->variable->type) &&
		    may_be_given(walk, copy, !type->is_reference))
			return true;
	}
	return false;
}

static const struct variable *variable_in(const struct walk *walk, uint64_t address)
{
	return variable_at(walk, (struct position){.address = address, .view = VIEW_LAST});
}

static bool is_same(const struct walk *walk, const struct variable *there)
{
	const struct loc *loc = &walk->variable->loc;

	return there && there->loc.kind == loc->kind && there->loc.expr &&
	       expr_equal(there->loc.expr, loc->expr);
}

/* Whether debug information has the variable at the position as it had it before the copy. What the
 * copy needs may be computed first: then a constant begins inside it. */
static bool is_from_before(const struct walk *walk, const struct instance *copy)
{
	const struct variable *before = variable_in(walk, copy->entry);

	if (before || !is_constant(walk->variable))
		return is_same(walk, before);
	for (unsigned i = 0; i < copy->nranges; i++)
		if (is_same(walk, variable_in(walk, copy->ranges[i].end - 1)))
			return true;
	return false;
}

bool may_be_set_by_copy(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct flow *flow;
	struct instance **copies;
	unsigned count;

	if (!walk->instance || !walk->instance->is_by_llvm || variable->loc.kind != LOC_VALUE ||
	    !variable->loc.expr || !variable->type || !is_scalar(variable->type) ||
	    is_read_only(variable->type) || variable->is_artificial || variable->is_outside)
		return false;
	count = passes_copies(walk->resolver, walk->instance, &copies);
	flow = count ? passing_flow(walk->resolver, walk->instance) : NULL;
	for (unsigned i = 0; flow && i < count; i++) {
		const uint64_t entry = copies[i]->entry;

		if (copies[i]->nranges && (!at.line || copies[i]->call_line < at.line) &&
		    !is_inside(copies[i], at.address) && may_set(walk, copies[i]) &&
		    is_from_before(walk, copies[i]) &&
		    flow_reaches_from(flow, &entry, 1, at.address, NULL, 0))
			return true;
	}
	return false;
}
