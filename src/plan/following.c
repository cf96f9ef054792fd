// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans what following a call needs besides values: the frame that tells one call from another, and
 * the comparisons of --calls, each of which a probe makes that has its value.
 */
#include "plan/kernel_filter.h"

struct error *plan_followed(struct work *work, const struct site *site)
{
	struct probe *probe = work->probes[PART_OWN];

	probe->frame = site->frame ? cut_frame(work, PART_OWN, site->frame) : NULL;
	return probe->frame ? NULL :
			      error_at(error_new(work->arena, ERROR_INEXPRESSIBLE,
						 "one call of '%s' can't be told from another",
						 site->function ?: "?"),
				       probe->spec->text, probe->spec->place.span);
}

/* `retval` is what the call returns, whatever its variables are called. */
static bool is_named(const struct probe *probe, const char *name)
{
	const struct value *value = name ? named_value(probe, name) : NULL;

	if (probe->site->inner || !value || value->status != VALUE_OK ||
	    !strcmp(name, CALL_DURATION))
		return false;
	return probe->spec->followed == FOLLOWED_END || strcmp(name, &RETURN_VALUE[1]) != 0;
}

struct error *plan_watched(struct arena *arena, const struct plan_input *input,
			   const struct sites *sites, struct following *following,
			   struct probe *probe)
{
	struct assign assign = {arena, input, sites, probe, following->calls_text};
	const struct filter **watched =
		arena_array(arena, const struct filter *, following->nconditions + 1);

	for (unsigned i = 0; i < following->nconditions; i++) {
		const struct filter *condition = following->conditions[i];
		struct error *error;

		if (!is_named(probe, condition->field) && !is_named(probe, condition->constant))
			continue;
		error = filter_here(&assign, condition, &watched[i]);
		if (error)
			return error;
		following->is_known[i] = true;
	}
	probe->watched = watched;
	return NULL;
}
