// SPDX-License-Identifier: GPL-2.0-only
/*
 * For a capture that depends on the CPU of the hit: a fetch for every CPU, and one finish for each.
 * A probe event can't say "this CPU": it records the object of all CPUs, and ktrace shows the one
 * of the CPU that made the record.
 */
#include "plan/internal.h"

/* Whether the address of a per-CPU variable is added to what the CPU's area begins at. */
static bool adds_address(const struct expr *expr)
{
	return expr->op == EXPR_ADD && expr->b->op == EXPR_STATIC && expr_uses(expr->a, EXPR_CPU);
}

/* 0: it isn't known */
static uint64_t running_address(const struct capture *capture, uint64_t address)
{
	const struct static_place *place = find_static(capture, address);

	return place && place->is_live ? place->running + (address - place->address) : 0;
}

/* Why an address that the expression adds isn't known. */
static const char *unknown_address(const struct capture *capture, const struct expr *expr)
{
	const struct static_place *place;

	if (!expr || !expr_uses(expr, EXPR_CPU))
		return NULL;
	if (!adds_address(expr))
		return unknown_address(capture, expr->a) ?: unknown_address(capture, expr->b);
	place = find_static(capture, expr->b->value);
	if (place && place->is_live)
		return place->reason;
	return "it is a per-CPU variable, which is placed with the kernel when this boots: only a "
	       "live trace knows where";
}

const struct expr *at_cpu(struct arena *arena, const struct capture *capture,
			  const struct expr *expr, unsigned cpu)
{
	const struct expr *a;

	if (!expr_uses(expr, EXPR_CPU))
		return expr;
	if (expr->op == EXPR_CPU)
		return expr_const(arena, cpu);
	a = at_cpu(arena, capture, expr->a, cpu);
	if (adds_address(expr))
		return expr_offset(arena, a, (int64_t)running_address(capture, expr->b->value));
	if (expr->b)
		return expr_binary(arena, expr->op, a, at_cpu(arena, capture, expr->b, cpu));
	if (expr->op == EXPR_LOAD)
		return expr_load(arena, a, expr->size, expr->is_signed, expr->is_user);
	if (expr->op == EXPR_EXTEND)
		return expr_extend(arena, a, expr->size, expr->is_signed);
	return expr_unary(arena, expr->op, a);
}

static const char *cpus_reason(const struct work *work)
{
	unsigned ncpus = work->input->ncpus;

	if (!ncpus)
		return "each CPU has this value of its own, and the definition has an argument for "
		       "each: say how many CPUs there are, --cpus N";
	if (ncpus >= KERNEL_ARGS_MAX)
		return arena_printf(work->arena,
				    "each of %u CPUs has this value of its own; the kernel "
				    "takes %d arguments",
				    ncpus, KERNEL_ARGS_MAX);
	return NULL;
}

static void add_fetches(struct arena *arena, struct value *value, const struct value *one)
{
	unsigned *list = arena_grow(arena, value->fetches, value->nfetches * sizeof(*list),
				    (value->nfetches + one->nfetches + 1) * sizeof(*list));

	for (unsigned i = 0; i < one->nfetches; i++) {
		unsigned j = 0;

		while (j < value->nfetches && list[j] != one->fetches[i])
			j++;
		if (j == value->nfetches)
			list[value->nfetches++] = one->fetches[i];
	}
	value->fetches = list;
}

static const char *all_finishes(struct work *work, const struct value *value)
{
	const char *text = "(";

	for (unsigned i = 0; i < value->ncpus; i++)
		text = arena_printf(work->arena, "%s%s%s", text, i ? ", " : "",
				    finish_print(work, value, value->by_cpu[i]));
	return arena_printf(work->arena, "%s)[cpu]", text);
}

const char *plan_by_cpu(struct work *work, const struct capture *capture, struct value *ret)
{
	struct arena *arena = work->arena;
	unsigned ncpus = work->input->ncpus;
	const struct expr **finishes = arena_array(arena, const struct expr *, ncpus);
	struct window *windows = arena_array(arena, struct window, ncpus);
	const char *reason = cpus_reason(work) ?: unknown_address(capture, capture->expr);

	if (reason)
		return reason;
	for (unsigned i = 0; i < ncpus; i++) {
		struct capture its = *capture;
		struct value one = *ret;

		its.expr = at_cpu(arena, capture, capture->expr, i);
		one.name = arena_printf(arena, "%s_%u", ret->name, i);
		one.fetches = NULL;
		one.nfetches = 0;
		work->name = one.name;
		work->is_per_cpu = true;
		reason = plan_expression(work, &its, &one);
		work->is_per_cpu = false;
		if (!reason && one.nfetches > 1 && !one.finish)
			reason = "each CPU has one of its own, and each takes several arguments";
		if (reason)
			return reason;
		finishes[i] = one.finish ? one.finish : expr_leaf(arena, EXPR_FETCH, one.fetch);
		add_fetches(arena, ret, &one);
		ret->count = one.count;
		ret->string_max = one.string_max;
		if (one.windows) {
			windows[i] = *one.windows;
			ret->windows = windows;
		}
	}
	ret->by_cpu = finishes;
	ret->ncpus = ncpus;
	ret->finish_text = all_finishes(work, ret);
	return NULL;
}
