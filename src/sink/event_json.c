// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints an event as one JSON object on one line. All lines of a probe have the same keys in the
 * same order, except "errors", present only if a value is null, and "cut", only if a text was cut;
 * what a probe's place has not, as a tracepoint has no line, has no key. Integers are exact, up to
 * 64 bits: a reader that keeps numbers as doubles must watch out above 2^53.
 */
#include <string.h>

#include "base/escape.h"
#include "sink/end.h"
#include "sink/value.h"

#define LINE_END "}\n" /* the wording has it, and what is not a number comes before it */

static void json_hex(struct strbuf *out, uint64_t number)
{
	strbuf_putc(out, '"');
	put_hex(out, number);
	strbuf_putc(out, '"');
}

/* A plain number of ns: programs have their own units. */
static void json_time(struct strbuf *out, uint64_t ns, bool is_negative)
{
	if (is_negative)
		strbuf_putc(out, '-');
	put_unsigned(out, ns);
}

static void json_character(struct strbuf *out, uint64_t number)
{
	const char c = (char)number;

	if (number < 0x20 || number > 0x7e)
		put_signed(out, (int64_t)number);
	else
		strbuf_json(out, &c, 1);
}

static void json_text(struct strbuf *out, const char *text)
{
	if (text)
		strbuf_json(out, text, strlen(text));
	else
		strbuf_add(out, "null", 4);
}

static void json_null(struct strbuf *out)
{
	json_text(out, NULL);
}

static void json_none(struct strbuf *out, const char *reason)
{
	(void)reason; /* goes to "errors" */
	json_text(out, NULL);
}

static void json_member(struct strbuf *out, const char *name)
{
	json_text(out, name);
	strbuf_putc(out, ':');
}

/* JSON has no word for such bytes: what they are in C. */
static void json_key_string(struct strbuf *out, const char *text, size_t length)
{
	struct strbuf escaped = {0};

	if (is_utf8(text, length)) {
		strbuf_json(out, text, length);
		return;
	}
	strbuf_escaped(&escaped, text, length);
	strbuf_puts(out, "{\"escaped\":");
	strbuf_json(out, escaped.data, escaped.length);
	strbuf_putc(out, '}');
	strbuf_deinit(&escaped);
}

#define JSON_NOTATION \
	.array_begin = "[", \
	.array_end = "]", \
	.pointee_begin = "{\"pointee\":", \
	.pointee_end = "}", \
	.struct_begin = "{", \
	.member_end = ",", \
	.quotes_hex = true, \
	.member = json_member, \
	.wide = json_text, \
	.hex = json_hex, \
	.time = json_time, \
	.character = json_character, \
	.cut = "", \
	.word = json_text, \
	.stack = json_stack, \
	.fault = json_null, \
	.none = json_none

const struct notation json_notation = {JSON_NOTATION, .string = strbuf_json};
const struct notation json_key_notation = {JSON_NOTATION, .string = json_key_string};

static void json_head(struct strbuf *out, const struct event *event)
{
	strbuf_puts(out, ",\"comm\":");
	json_text(out, event->comm);
	strbuf_puts(out, ",\"pid\":");
	put_signed(out, event->pid);
	strbuf_puts(out, ",\"cpu\":");
	put_signed(out, event->cpu);
}

static void put_address(struct strbuf *out, uint64_t address, const struct sink_context *context)
{
	const char *symbol = symbol_of(context, address);

	if (symbol)
		json_text(out, symbol);
	else
		json_hex(out, address);
}

void json_origin(struct strbuf *out, const struct origin *origin, size_t probe)
{
	if (!origin)
		return;
	strbuf_puts(out, ",\"host\":");
	json_text(out, origin->host);
	strbuf_puts(out, ",\"build_id\":");
	json_text(out, origin->builds[probe]);
}

/* A place's key; left out where there is no such thing, which jq(1) reads as null as well. */
static void word_text(struct strbuf *out, const char *key, const char *text)
{
	if (!text)
		return;
	strbuf_puts(out, key);
	json_text(out, text);
}

static void word_number(struct strbuf *out, const char *key, uint64_t number, bool is_there)
{
	if (!is_there)
		return;
	strbuf_puts(out, key);
	put_unsigned(out, number);
}

static void word_place(struct strbuf *out, const struct probe *probe)
{
	const struct site *site = probe->site;

	word_text(out, ",\"group\":", probe->group);
	word_text(out, ",\"event\":", probe->shown ?: probe->event);
	word_text(out, ",\"symbol\":",
		  (site->path ? site->symbol : NULL) ?: site->shown_symbol);
	word_number(out, ",\"offset\":", site->shown_offset, site->shown_symbol);
	if (probe->kind != PROBE_TRACEPOINT)
		strbuf_puts(out, ",\"ip\":");
}

static void word_source(struct strbuf *out, const struct site *site)
{
	word_text(out, ",\"function\":", site->function);
	word_text(out, ",\"file\":", site->file);
	word_number(out, ",\"line\":", site->line, site->line);
}

static void json_prepare(const struct printer *printer, struct arena *arena,
			 const struct probe *probe, struct strbuf *scratch, struct wording *ret)
{
	ret->has_ip = probe->kind != PROBE_TRACEPOINT;
	ret->has_return_ip = probe->is_return;
	json_origin(scratch, printer->context->origin, (size_t)(probe - printer->plan->probes));
	word_place(scratch, probe);
	chunk_take(arena, scratch, &ret->place);
	word_source(scratch, probe->site);
	strbuf_puts(scratch, ",\"args\":{");
	for (unsigned i = 0; i < probe->nvalues; i++) {
		if (i)
			strbuf_putc(scratch, ',');
		json_text(scratch, probe->values[i].name);
		strbuf_putc(scratch, ':');
		chunk_take(arena, scratch, &ret->values[i].before);
	}
	strbuf_puts(scratch, "}" LINE_END);
	chunk_take(arena, scratch, &ret->values[probe->nvalues].before);
}

/* Why each null has no value. */
static void put_reason(struct strbuf *out, const char *name, const char *reason, bool *any)
{
	strbuf_puts(out, *any ? "," : ",\"errors\":{");
	*any = true;
	json_text(out, name);
	strbuf_putc(out, ':');
	json_text(out, reason);
}

/* The members of a struct that have no value. */
static void put_lost(struct strbuf *out, const char *path, const struct shape *shape, bool *any)
{
	for (unsigned i = 0; i < shape->nmembers; i++) {
		const struct shape *member = shape->members[i].shape;
		struct strbuf name = {0};

		if (member->kind != SHAPE_LOST && member->kind != SHAPE_STRUCT)
			continue;
		strbuf_join(&name, path, ".", shape->members[i].name, NULL);
		if (member->kind == SHAPE_LOST)
			put_reason(out, name.data, lost_reason, any);
		else
			put_lost(out, name.data, member, any);
		strbuf_deinit(&name);
	}
}

void json_errors(struct strbuf *out, const struct event *event)
{
	const struct probe *probe = event->probe;
	bool any = false;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct value *value = &probe->values[i];
		const struct datum *datum = &event->values[i];

		if (datum->kind == DATUM_FAULT || datum->kind == DATUM_NONE)
			put_reason(out, value->name, datum->kind == DATUM_FAULT ? "fault" :
				   none_reason(value, datum), &any);
		else if (value->shape)
			put_lost(out, value->name, value->shape, &any);
	}
	if (any)
		strbuf_putc(out, '}');
}

/* The values whose text is longer than what was recorded. */
void json_cut(struct strbuf *out, const struct event *event)
{
	const struct probe *probe = event->probe;
	bool any = false;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		if (event->values[i].kind != DATUM_BYTES || !event->values[i].reason)
			continue;
		strbuf_puts(out, any ? "," : ",\"cut\":[");
		any = true;
		json_text(out, probe->values[i].name);
	}
	if (any)
		strbuf_putc(out, ']');
}

static bool has_numbers_alone(const struct event *event)
{
	unsigned i = 0;

	while (i < event->probe->nvalues && event->values[i].kind == DATUM_INT)
		i++;
	return i == event->probe->nvalues;
}

static char *write_time(struct time_head *head, const char *key, char *to, uint64_t time)
{
	uint64_t milliseconds = time / 1000000;

	if (head->milliseconds != milliseconds || !head->length) {
		char *end = stpcpy(head->text, key);

		end = milliseconds ? write_number(end, DIGITS_UNSIGNED, milliseconds) : end;
		head->length = (unsigned)(end - head->text);
		head->milliseconds = milliseconds;
	}
	to = write_chunk(to, &(struct chunk){head->text, head->length});
	if (!milliseconds)
		return write_number(to, DIGITS_UNSIGNED, time);
	return write_micros(to, (uint32_t)(time - milliseconds * 1000000));
}

/* A line begins with the wall clock's time, so that sort(1) needs to be told nothing. */
static void put_time(struct printer *printer, struct strbuf *out, uint64_t time)
{
	const struct origin *origin = printer->context->origin;
	char *to = strbuf_room(out, 2 * TIME_ROOM);
	bool has_wall = origin && origin->clock;

	if (has_wall)
		to = write_time(&printer->wall, "{\"wall_ns\":", to, wall_at(origin->clock, time));
	strbuf_end(out, write_time(&printer->time, has_wall ? ",\"time_ns\":" : "{\"time_ns\":", to,
				   time));
}

static void json_event(struct printer *printer, struct strbuf *out, const struct event *event)
{
	const struct wording *wording = printer_wording(printer, event);
	char *to;

	put_time(printer, out, event->time);
	to = printer_head(printer, out, event, 0, wording->room);
	to = write_chunk(to, &wording->place);
	if (wording->has_ip)
		to = write_number(to, DIGITS_QUOTED_HEX, event->ip);
	if (wording->has_return_ip) {
		strbuf_end(out, to);
		strbuf_puts(out, ",\"caller\":");
		put_address(out, event->return_ip, printer->context);
		to = strbuf_room(out, wording->room);
	}
	put_values(printer, out, to, wording, event);
	if (has_numbers_alone(event))
		return;
	out->length -= strlen(LINE_END);
	json_errors(out, event);
	json_cut(out, event);
	strbuf_puts(out, LINE_END);
}

static void json_end(struct strbuf *out, const struct table_end *end)
{
	strbuf_puts(out, "{\"end\":{");
	end_json(out, end);
	if (end->hosts)
		strbuf_join(out, ",\"hosts\":", end->hosts, NULL);
	strbuf_puts(out, "}}\n");
}

const struct sink sink_json = {
	.name = "json",
	.notation = &json_notation,
	.prepare = json_prepare,
	.head = json_head,
	.event = json_event,
	.end = json_end,
};
