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

	ret->values = arena_array(arena, struct value_words, nvalues + 1);
	printer->sink->prepare(printer, arena, probe, scratch, ret);
	ret->room = ret->place.length + NUMBER_ROOM + ret->values[nvalues].before.length + CHUNK_BLOCK;
	for (unsigned i = 0; i < nvalues; i++) {
		ret->values[i].digits = digits_of(printer->sink, &probe->values[i]);
		ret->room += ret->values[i].before.length + NUMBER_ROOM;
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

static bool is_of(const struct head *head, const struct event *event, uint64_t second)
{
	return head->chunk.length && head->second == second && head->pid == event->pid &&
	       head->cpu == event->cpu && !strcmp(head->comm, event->comm);
}

/* noinline: so that the usual way through printer_head() saves no registers. */
static __attribute__((noinline)) void make_head(struct printer *printer, struct strbuf *out,
						const struct event *event, uint64_t second,
						struct head *head)
{
	size_t start = out->length, length;

	printer->sink->head(out, event);
	length = out->length - start;
	*head = (struct head){.second = second, .pid = event->pid, .cpu = event->cpu};
	if (strlen(event->comm) >= HEAD_COMM || length > HEAD_TEXT)
		return;
	memcpy(head->comm, event->comm, strlen(event->comm));
	memcpy(head->text, out->data + start, length);
	head->chunk = (struct chunk){head->text, length};
}

char *printer_head(struct printer *printer, struct strbuf *out, const struct event *event,
		   uint64_t second, size_t room)
{
	struct head *head = &printer->heads[(unsigned)event->cpu % HEADS];

	if (is_of(head, event, second))
		return write_chunk(strbuf_room(out, sizeof(head->text) + room), &head->chunk);
	make_head(printer, out, event, second, head);
	return strbuf_room(out, room);
}

void put_values(struct printer *printer, struct strbuf *out, char *to,
		const struct wording *wording, const struct event *event)
{
	const unsigned nvalues = event->probe->nvalues;
	const struct value_words *words = wording->values;

	for (unsigned i = 0; i < nvalues; i++, words++) {
		const struct datum *datum = &event->values[i];

		if (!words->before.text)
			continue;
		to = write_chunk(to, &words->before);
		if (datum->kind == DATUM_INT && words->digits) {
			to = write_number(to, words->digits, datum->number);
			continue;
		}
		strbuf_end(out, to);
		put_value(out, printer->sink->notation, &event->probe->values[i], datum,
			  printer->context);
		to = strbuf_room(out, wording->room);
	}
	strbuf_end(out, write_chunk(to, &words->before));
}

void printer_event(struct printer *printer, struct strbuf *out, const struct event *event)
{
	printer->sink->event(printer, out, event);
}
