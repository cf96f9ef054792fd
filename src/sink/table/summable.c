// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says what of a plan is summed up in tables, and refuses what can't be: sums are of integers of 64
 * bits, so that they are exact; and a run gives either tables or lines.
 */
#include "base/error.h"
#include "sink/table/feed.h"

bool tables_wanted(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN && plan->probes[i].spec->naggregates)
			return true;
	return false;
}

bool tables_need_processes(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct spec *spec = plan->probes[i].spec;

		for (unsigned j = 0; plan->probes[i].role == ROLE_SHOWN && j < spec->nkeys; j++)
			if (spec->keys[j].kind == KEY_PID)
				return true;
	}
	return false;
}

/* Why it can't be summed up, or NULL. */
static const char *not_a_number(const struct value *value)
{
	if (value->status != VALUE_OK)
		return NULL;
	if (value->stack)
		return "'%s' is a stack";
	if (value->render == RENDER_STRING)
		return "'%s' is a text";
	if (value->count || (value->shape && value->shape->kind != SHAPE_NUMBER))
		return "'%s' is not one number";
	if (value_is_float(value))
		return "'%s' is a floating-point number, of which sums are not exact";
	return value->shape && value->shape->size > 8 ? "'%s' has 128 bits" : NULL;
}

static struct error *check_columns(struct arena *arena, const struct probe *probe)
{
	const struct spec *spec = probe->spec;

	for (unsigned i = 0; i < spec->naggregates; i++) {
		const struct aggregate *aggregate = &spec->aggregates[i];
		const struct value *value = &probe->values[aggregate->want];
		const char *reason =
			aggregate->kind == AGGREGATE_COUNT ? NULL : not_a_number(value);

		if (reason)
			return error_hint(
				arena,
				error_at(error_new(arena, ERROR_INEXPRESSIBLE, "%s",
						   arena_printf(arena, reason, value->name)),
					 spec->text, aggregate->span),
				"count() by %s counts each", value->name);
	}
	return NULL;
}

/* The same table of the same place twice would be one with double counts. */
static struct error *check_again(struct arena *arena, const struct plan *plan, unsigned index)
{
	const struct probe *probe = &plan->probes[index];
	const char *last = NULL;

	for (unsigned i = 0; i < index && probe->spec->naggregates; i++) {
		const struct spec *spec = plan->probes[i].spec;

		if (plan->probes[i].role != ROLE_SHOWN || spec->text == probe->spec->text ||
		    spec->text == last)
			continue;
		last = spec->text;
		if (same_rows(arena, &plan->probes[i], probe))
			return error_hint(arena,
					  error_at(error_new(arena, ERROR_USAGE,
							     "this table is asked for twice"),
						   probe->spec->text, probe->spec->place.span),
					  "leave one out");
	}
	return NULL;
}

struct error *tables_check(struct arena *arena, const struct plan *plan, unsigned first)
{
	struct error *error = NULL;
	unsigned shown = first;

	while (shown < plan->nprobes && plan->probes[shown].role != ROLE_SHOWN)
		shown++;
	if (shown < plan->nprobes)
		error = check_again(arena, plan, shown);
	for (unsigned i = first; i < plan->nprobes && !error; i++)
		if (plan->probes[i].role == ROLE_SHOWN)
			error = check_columns(arena, &plan->probes[i]);
	return error;
}

struct error *tables_check_all(struct arena *arena, const struct plan *plan)
{
	const struct spec *lines = NULL, *table = NULL;

	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN)
			*(plan->probes[i].spec->naggregates ? &table : &lines) =
				plan->probes[i].spec;
	if (!lines || !table)
		return NULL;
	return error_hint(arena, error_at(
		error_new(arena, ERROR_USAGE, "this gives lines, and '%s' a table", table->text),
		lines->text, lines->place.span), "add count(), or trace them separately");
}
