// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan in, a printer of its events out: what is the same in each line of a probe is worked out once,
 * so that an event is a row of ready chunks with numbers between.
 */
#include "sink/value.h"

struct printer {
	const struct sink *sink;
	const struct plan *plan;
	const struct sink_context *context;
	struct wording *wordings; /* of plan->probes[i] */
};

void chunk_take(struct arena *arena, struct strbuf *from, struct chunk *ret)
{
	*ret = (struct chunk){arena_strndup(arena, from->length ? from->data : "", from->length),
			      from->length};
	from->length = 0;
}

struct printer *printer_new(struct arena *arena, const struct sink *sink, const struct plan *plan,
			    const struct sink_context *context)
{
	struct printer *printer = arena_new(arena, struct printer);
	struct strbuf scratch = {0};

	*printer = (struct printer){sink, plan, context,
				    arena_array(arena, struct wording, plan->nprobes)};
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		if (probe->role != ROLE_SHOWN)
			continue;
		printer->wordings[i].values = arena_array(arena, struct chunk, probe->nvalues + 1);
		sink->prepare(arena, probe, &scratch, &printer->wordings[i]);
	}
	strbuf_deinit(&scratch);
	return printer;
}

void printer_event(const struct printer *printer, struct strbuf *out, const struct event *event)
{
	printer->sink->event(out, &printer->wordings[event->probe - printer->plan->probes], event,
			     printer->context);
}
