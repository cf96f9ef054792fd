// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a plan's events: what is the same in all lines of a probe is made once, and what is the
 * same as in the CPU's last line is copied, so that an event is ready chunks with numbers between.
 */
#include <string.h>

#include "sink/value.h"

void chunk_take(struct arena *arena, struct strbuf *from, struct chunk *ret)
{
	char *text = arena_alloc(arena, from->length + CHUNK_BLOCK);

	if (from->length)
		memcpy(text, from->data, from->length);
	*ret = (struct chunk){text, from->length};
	from->length = 0;
}

static enum digits digits_of(const struct sink *sink, const struct value *value)
{
	if (value->is_pointee || (value->shape && value->shape->kind != SHAPE_NUMBER))
		return DIGITS_NOT;
	switch (value->shape ? value->shape->render : value->render) {
	case RENDER_SIGNED: return DIGITS_SIGNED;
	case RENDER_UNSIGNED: return DIGITS_UNSIGNED;
	case RENDER_HEX: return sink->notation->quotes_hex ? DIGITS_QUOTED_HEX : DIGITS_HEX;
	default: return DIGITS_NOT;
	}
}

static void prepare(struct printer *printer, struct arena *arena, const struct probe *probe,
		    struct strbuf *scratch, struct wording *ret)
{
	const unsigned nvalues = probe->nvalues;

	ret->values = arena_array(arena, struct chunk, nvalues + 1);
	ret->digits = arena_array(arena, enum digits, nvalues + 1);
	printer->sink->prepare(printer, arena, probe, scratch, ret);
	ret->room = ret->place.length + ret->values[nvalues].length + CHUNK_BLOCK;
	for (unsigned i = 0; i < nvalues; i++) {
		ret->digits[i] = digits_of(printer->sink, &probe->values[i]);
		ret->room += ret->values[i].length + NUMBER_ROOM;
	}
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
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].role == ROLE_SHOWN)
			prepare(printer, arena, &plan->probes[i], &scratch, &printer->wordings[i]);
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
		const struct chunk chunk = {head->text, head->length};

		strbuf_end(out, write_chunk(strbuf_room(out, sizeof(head->text)), &chunk));
		return;
	}
	printer->sink->head(out, event);
	length = out->length - start;
	*head = (struct head){.second = second, .pid = event->pid, .cpu = event->cpu};
	if (strlen(event->comm) >= HEAD_COMM || length > HEAD_TEXT)
		return;
	memcpy(head->comm, event->comm, strlen(event->comm));
	memcpy(head->text, out->data + start, length);
	head->length = (unsigned)length;
}

void put_values(struct printer *printer, struct strbuf *out, const struct wording *wording,
		const struct event *event)
{
	const struct probe *probe = event->probe;
	char *to = strbuf_room(out, wording->room);

	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct datum *datum = &event->values[i];

		if (!wording->values[i].text)
			continue;
		to = write_chunk(to, &wording->values[i]);
		if (datum->kind == DATUM_INT && wording->digits[i]) {
			to = write_number(to, wording->digits[i], datum->number);
			continue;
		}
		strbuf_end(out, to);
		put_value(out, printer->sink->notation, &probe->values[i], datum, printer->context);
		to = strbuf_room(out, wording->room);
	}
	strbuf_end(out, write_chunk(to, &wording->values[probe->nvalues]));
}

void printer_event(struct printer *printer, struct strbuf *out, const struct event *event)
{
	printer->sink->event(printer, out, event);
}
