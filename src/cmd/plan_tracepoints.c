// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans probes for the events of -e. session/ knows their names and formats, stream/ parses
 * formats: neither knows the other. No debug information is needed.
 */
#include "cmd/add_value.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "plan/plan.h"
#include "resolve/resolve.h"
#include "session/session.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/stream.h"

static struct error *find_events(struct arena *arena, const struct spec *spec,
				 struct tracepoints *ret)
{
	struct error *error =
		resolve_tracepoints(arena, spec, tracepoint_names, &ret->list, &ret->count);

	unsigned kept = 0;

	ret->spec = spec;
	for (unsigned i = 0; !error && i < ret->count; i++) {
		struct tracepoint *one = &ret->list[i];

		error = tracepoint_format(arena, one);
		if (!error && one->format)
			error = format_describe(arena, one);
		if (!error && one->format)
			ret->list[kept++] = *one;
	}
	if (!error && !kept)
		error = error_new(arena, ERROR_NOT_FOUND, "the event '%s' has just been removed",
				  spec->text);
	ret->count = kept;
	return error;
}

static struct error *plan_event(struct arena *arena, const struct spec *spec,
				const struct plan_input *input, struct plan *plan)
{
	struct plan_input own = *input;
	struct tracepoints starts, found;
	unsigned first = plan->nprobes;
	struct error *error = find_events(arena, spec, &found);

	if (!error && spec->pairing)
		error = find_events(arena, spec->pairing->start, &starts);
	if (error)
		return error;
	if (input->text_bytes) /* a dry run is for any kernel */
		find_code(arena, spec, found.list, found.count, &own);
	error = spec->pairing ?
			plan_tracepoint_pair(arena, &own, &starts, &found, plan) :
			plan_tracepoints(arena, &own, spec, found.list, found.count, plan);
	return error ? error : tables_check(arena, plan, first);
}

struct event_trial {
	struct arena *arena;
	const struct plan_input *input;
};

static struct error *try_event(void *cookie, struct spec *spec)
{
	const struct event_trial *trial = cookie;
	struct plan plan = {.arena = trial->arena};

	return plan_event(trial->arena, spec, trial->input, &plan);
}

static struct error *plan_text_event(struct arena *arena, const char *text,
				     const struct plan_input *input, struct plan *plan)
{
	struct event_trial trial = {arena, input};
	struct spec *spec;
	struct error *error = spec_parse_event(arena, text, &spec);

	if (!error)
		error = plan_event(arena, spec, input, plan);
	if (!error || !error->lacks)
		return error;
	return add_value(arena, &(struct adding){text, spec_parse_event, try_event, &trial}, spec,
			 error);
}

struct error *plan_events(struct arena *arena, const struct options *options,
			  const struct plan_input *input, struct plan *plan)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < options->events.count && !error; i++)
		error = plan_text_event(arena, options->events.texts[i], input, plan);
	return error;
}
