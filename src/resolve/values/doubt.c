// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says why a value that debug information gives isn't believed.
 *
 * The surprise: gdb believes it. It has the machine's state right, but at the beginning of a line
 * the statement before may be unfinished; and clang forgets that a variable was spilled, and says
 * `sp + 8` for what is stored there.
 */
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/points/flow.h"
#include "resolve/values/walk.h"

/* Whether it is made of nothing but the stack pointer and constants. */
static bool is_of_stack(const struct resolver *resolver, const struct expr *expr)
{
	if (!expr || expr->op == EXPR_CONST)
		return true;
	if (expr->op == EXPR_REG)
		return expr->value == resolver->arch->stack_register;
	return (expr->a || expr->b) && expr->op != EXPR_LOAD && expr->op != EXPR_ENTRY &&
	       is_of_stack(resolver, expr->a) && is_of_stack(resolver, expr->b);
}

/* A number narrower than an address is no stack address. The difference of two is a number. */
bool is_lost_slot(const struct resolver *resolver, const struct variable *variable)
{
	const struct type *type = variable->type;

	return variable->loc.kind == LOC_VALUE && type->size < 8 && type->kind != TYPE_POINTER &&
	       expr_uses(variable->loc.expr, EXPR_REG) && is_of_stack(resolver, variable->loc.expr);
}

/* Returns NULL if the variable has no location. */
static const struct loc *loc_at(const struct walk *walk, struct position at)
{
	struct variable *variable;

	if (resolve_variable(walk->resolver, walk->instance, at, walk->want->base, &variable) || !variable ||
	    variable->loc.kind == LOC_ABSENT || variable->loc.kind == LOC_REFUSED)
		return NULL;
	return &variable->loc;
}

/* Whether the instruction makes the variable's new value: debug information gives the old
 * location also after the instruction. If it gives another expression of the same value there,
 * the register was needed for something else; if it gives none any more, what is made from the
 * old value is the new one. */
static bool is_changed(const struct walk *walk, struct position at, const struct pending_write *write,
		       bool is_update)
{
	const struct position behind = {.address = write->end, .is_straight = true, .line = at.line};
	const struct loc *before = loc_at(walk, at), *after = loc_at(walk, behind);

	if (!before || !after)
		return before && is_update && (before->kind == LOC_MEMORY ||
					       (before->expr && before->expr->op == EXPR_REG));
	return before->kind == after->kind && before->expr && after->expr &&
	       expr_equal(before->expr, after->expr);
}

static bool reads_changed(const struct capture *capture, const struct pending_write *write, bool is_update)
{
	bool found = pending_changes(write, capture->expr, capture_bytes(capture), is_update);

	for (unsigned i = 0; i < capture->nparts; i++)
		found |= pending_changes(write, capture->parts[i].expr, 0, is_update);
	return found;
}

const char *capture_outdated(struct walk *walk, const struct point *point, struct position at,
			    const struct capture *capture)
{
	const struct pending *pending = at.address >= point->at.address ? point->pending : NULL;

	for (unsigned i = 0; pending && i < pending->count; i++) {
		const struct pending_write *write = &pending->list[i];

		if (write->end <= at.address || !reads_changed(capture, write, false))
			continue; /* done by then, or of something else */
		if (!is_changed(walk, at, write, reads_changed(capture, write, true)))
			return NULL;
		return arena_printf(walk->resolver->arena, "line %u, which the source has before this one, "
				    "changes it behind this address", write->line);
	}
	return NULL;
}
