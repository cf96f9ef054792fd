// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts the addresses of static objects, which only a live run knows, into its finishes. An address
 * that can't be known makes its value unavailable, with the reason.
 */
#include "plan/internal.h"

const struct static_place *find_static(const struct capture *capture, uint64_t address)
{
	const struct static_place *best = NULL;

	for (unsigned i = 0; i < capture->nstatics; i++) {
		const struct static_place *place = &capture->statics[i];

		if (place->address <= address && (!best || place->address > best->address))
			best = place;
	}
	return best;
}

struct relocation {
	struct arena *arena;
	const struct capture *capture;
	const char *reason;
};

static const struct expr *relocate(struct relocation *relocation, const struct expr *expr)
{
	struct arena *arena = relocation->arena;
	const struct static_place *place;
	struct expr *copy;

	if (!expr || (!expr->a && expr->op != EXPR_STATIC))
		return expr;
	if (expr->op == EXPR_STATIC) {
		place = find_static(relocation->capture, expr->value);
		relocation->reason = relocation->reason ?: place->reason;
		return expr_const(arena, place->running + (expr->value - place->address));
	}
	copy = arena_new(arena, struct expr);
	*copy = *expr;
	copy->a = relocate(relocation, expr->a);
	copy->b = relocate(relocation, expr->b);
	return copy;
}

static void relocate_value(struct arena *arena, const struct capture *capture, struct value *value)
{
	struct relocation relocation = {.arena = arena, .capture = capture};
	const struct expr **all = arena_array(arena, const struct expr *, value->ncpus + 1);
	struct part_value *parts = arena_array(arena, struct part_value, value->nparts + 1);

	value->finish = relocate(&relocation, value->finish);
	for (unsigned i = 0; i < value->nparts; i++)
		parts[i] = (struct part_value){value->parts[i].size,
					       relocate(&relocation, value->parts[i].expr),
					       value->parts[i].is_lost};
	if (value->parts)
		value->parts = parts;
	for (unsigned i = 0; i < value->ncpus; i++)
		all[i] = relocate(&relocation, value->by_cpu[i]);
	if (value->by_cpu)
		value->by_cpu = all;
	if (!relocation.reason)
		return;
	value->status = VALUE_UNAVAILABLE;
	value->reason = relocation.reason;
}

static bool is_live(const struct capture *capture)
{
	for (unsigned i = 0; i < capture->nstatics; i++)
		if (capture->statics[i].is_live)
			return true;
	return false;
}

void values_running(struct arena *arena, const struct capture *captures, struct value *values,
		    unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (values[i].status == VALUE_OK && is_live(&captures[i]))
			relocate_value(arena, &captures[i], &values[i]);
}

void plan_running(struct arena *arena, struct probe *probe)
{
	values_running(arena, probe->site->captures, probe->values, probe->nvalues);
}
