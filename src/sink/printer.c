// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a plan's events: what is the same in all lines of a probe is made once, and what is the
 * same as in the CPU's last line is copied, so that an event is ready chunks with numbers between.
 */
#include <string.h>

#include "sink/value.h"

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

	printer->sink = sink;
	printer->plan = plan;
	printer->context = context;
	printer->wordings = arena_array(arena, struct wording, plan->nprobes);
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

const struct wording *printer_wording(const struct printer *printer, const struct event *event)
{
	return &printer->wordings[event->probe - printer->plan->probes];
}

/* Comms are short: a loop beats a call of strcmp. */
static bool same_text(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

void printer_head(struct printer *printer, struct strbuf *out, const struct event *event,
		  uint64_t second)
{
	struct head *head = &printer->heads[(unsigned)event->cpu % HEADS];
	size_t start = out->length, length;

	if (head->length && head->second == second && head->pid == event->pid &&
	    head->cpu == event->cpu && same_text(head->comm, event->comm)) {
		strbuf_add(out, head->text, head->length);
		return;
	}
	printer->sink->head(out, event);
	length = out->length - start;
	*head = (struct head){.second = second, .pid = event->pid, .cpu = event->cpu};
	if (strlen(event->comm) >= HEAD_COMM || length > sizeof(head->text))
		return;
	memcpy(head->comm, event->comm, strlen(event->comm));
	memcpy(head->text, out->data + start, length);
	head->length = (unsigned)length;
}

void printer_event(struct printer *printer, struct strbuf *out, const struct event *event)
{
	printer->sink->event(printer, out, event);
}
