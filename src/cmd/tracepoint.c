// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans probes for the events of -e. session/ knows their names and formats, stream/ parses
 * formats: neither knows the other. No debug information is needed.
 */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "plan/plan.h"
#include "resolve/resolve.h"
#include "session/session.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/stream.h"

static struct error *plan_event(struct arena *arena, const char *text,
				const struct plan_input *input, struct plan *plan)
{
	struct plan_input own = *input;
	struct tracepoint *found;
	struct spec *spec;
	unsigned count, first = plan->nprobes;
	struct error *error = spec_parse_event(arena, text, &spec);

	if (!error)
		error = resolve_tracepoints(arena, spec, tracepoint_names, &found, &count);
	if (error)
		return error;
	for (unsigned i = 0; i < count && !error; i++) {
		error = tracepoint_format(arena, &found[i]);
		if (!error)
			error = format_describe(arena, &found[i]);
	}
	if (!error && input->text_bytes) /* a dry run is for any kernel */
		find_code(arena, spec, found, count, &own);
	if (!error)
		error = plan_tracepoints(arena, &own, spec, found, count, plan);
	return error ? error : tables_check(arena, plan, first);
}

struct error *plan_events(struct arena *arena, const struct options *options,
			  const struct plan_input *input, struct plan *plan)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < options->events.count && !error; i++)
		error = plan_event(arena, options->events.texts[i], input, plan);
	return error;
}
