// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints an event as the line that `perf script` users know:
 *	            sshd 92592 [009] 87585.288990: probe:EVENT: (FUNC+0x11b) size=280
 * As there, times are truncated to microseconds, not rounded.
 */
#include <string.h>

#include "base/escape.h"
#include "sink/value.h"

#define COMM_WIDTH 16
#define MICROS 6 /* digits of a second's part */

/* Whether it stands for itself inside a C literal. */
static bool is_bare(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '\\';
}

static void text_string(struct strbuf *out, const char *text, size_t length)
{
	strbuf_putc(out, '"');
	strbuf_literal(out, text, length, '"');
	strbuf_putc(out, '"');
}

static void text_character(struct strbuf *out, uint64_t number)
{
	const char c = (char)number;

	if (number < 0x20 || number > 0x7e) {
		put_signed(out, (int64_t)number);
		return;
	}
	strbuf_putc(out, '\'');
	strbuf_literal(out, &c, 1, '\'');
	strbuf_putc(out, '\'');
}

/* All digits: 1.234567ms */
static void text_time(struct strbuf *out, uint64_t ns, bool is_negative)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	unsigned unit = 0, digits = 0;
	uint64_t size = 1, rest;

	for (; unit < 3 && ns / size >= 1000; unit++, digits += 3)
		size *= 1000;
	rest = ns % size;
	if (is_negative)
		strbuf_putc(out, '-');
	put_unsigned(out, ns / size);
	if (rest) {
		for (; rest % 10 == 0; digits--)
			rest /= 10;
		strbuf_putc(out, '.');
		strbuf_end(out, write_padded(strbuf_room(out, 20), rest, digits, '0'));
	}
	strbuf_puts(out, units[unit]);
}

static void text_word(struct strbuf *out, const char *text)
{
	strbuf_shown(out, text, strlen(text), "");
}

static void text_member(struct strbuf *out, const char *name)
{
	strbuf_putc(out, '.');
	text_word(out, name);
	strbuf_putc(out, '=');
}

static void text_fault(struct strbuf *out)
{
	strbuf_puts(out, "(fault)");
}

static void text_none(struct strbuf *out, const char *reason)
{
	strbuf_puts(out, "<unavailable: ");
	text_word(out, reason);
	strbuf_putc(out, '>');
}

static const struct notation text_notation = {
	.array_begin = "{",
	.array_end = "}",
	.pointee_begin = "&",
	.pointee_end = "",
	.struct_begin = "{",
	.member_end = ", ",
	.can_nest = true,
	.member = text_member,
	.wide = text_word,
	.hex = put_hex,
	.time = text_time,
	.character = text_character,
	.string = text_string,
	.cut = "...",
	.word = text_word,
	.stack = text_stack,
	.fault = text_fault,
	.none = text_none,
};

/* Right-aligned in COMM_WIDTH columns. A comm may have any bytes: they are escaped first, which
 * decides its width. */
static void put_comm(struct strbuf *out, const char *comm)
{
	size_t start = out->length, width;
	char *to = strbuf_room(out, COMM_WIDTH);

	for (width = 0; width < COMM_WIDTH && is_bare((unsigned char)comm[width]); width++)
		;
	if (!comm[width]) { /* nothing to escape: the usual case */
		memset(to, ' ', COMM_WIDTH);
		memcpy(to + COMM_WIDTH - width, comm, width);
		strbuf_end(out, to + COMM_WIDTH);
		return;
	}
	strbuf_literal(out, comm, strlen(comm), '\0');
	width = out->length - start;
	if (width >= COMM_WIDTH)
		return;
	strbuf_add(out, "                ", COMM_WIDTH - width);
	memmove(out->data + start + COMM_WIDTH - width, out->data + start, width);
	memset(out->data + start, ' ', COMM_WIDTH - width);
}

/* "dd 92592 [009] 87585." */
static void text_head(struct strbuf *out, const struct event *event)
{
	char *to;

	put_comm(out, event->comm);
	to = strbuf_room(out, 80);
	*to++ = ' ';
	to = write_padded(to, (uint64_t)event->pid, 5, ' ');
	*to++ = ' ';
	*to++ = '[';
	to = write_padded(to, (uint64_t)event->cpu, 3, '0');
	*to++ = ']';
	*to++ = ' ';
	to = write_padded(to, event->time / 1000000000, 5, ' ');
	*to++ = '.';
	strbuf_end(out, to);
}

static void put_address(struct strbuf *out, uint64_t address, const struct sink_context *context)
{
	const char *symbol = symbol_of(context, address);

	if (symbol)
		text_word(out, symbol);
	else
		put_hex(out, address);
}

/* Each of several lines shows the values that it has. */
static bool is_left_out(const struct probe *probe, const struct value *value)
{
	return value->status != VALUE_OK && place_is_range(&probe->spec->place);
}

/* ": GROUP:EVENT: (FUNC+0x11b) NAME="; for a return "(CALLER+0x1d <- FUNC)" */
static void text_prepare(const struct printer *printer, struct arena *arena,
			 const struct probe *probe, struct strbuf *scratch, struct wording *ret)
{
	bool has_place = probe->kind != PROBE_TRACEPOINT, is_return = probe->is_return;
	const char *symbol = has_place ? probe->site->shown_symbol : NULL;

	(void)printer;
	strbuf_printf(scratch, ": %s:%s:%s", probe->group, probe->shown ?: probe->event,
		      has_place ? " (" : "");
	if (symbol && !is_return)
		strbuf_printf(scratch, "%s+0x%llx", symbol,
			      (unsigned long long)probe->site->shown_offset);
	chunk_take(arena, scratch, &ret->place);
	ret->has_return_ip = is_return;
	ret->has_ip = has_place && !symbol;
	if (symbol && is_return)
		strbuf_printf(scratch, " <- %s", symbol);
	strbuf_puts(scratch, has_place ? ")" : "");
	for (unsigned i = 0; i < probe->nvalues; i++) {
		ret->has_stacks |= probe->values[i].stack;
		if (is_left_out(probe, &probe->values[i]))
			continue;
		strbuf_printf(scratch, " %s=", probe->values[i].name);
		chunk_take(arena, scratch, &ret->values[i].before);
	}
	strbuf_putc(scratch, '\n');
	chunk_take(arena, scratch, &ret->values[probe->nvalues].before);
}

static char *put_addresses(const struct printer *printer, struct strbuf *out, char *to,
			   const struct event *event)
{
	const struct wording *wording = printer_wording(printer, event);

	strbuf_end(out, to);
	if (wording->has_return_ip)
		put_address(out, event->return_ip, printer->context);
	if (wording->has_return_ip && wording->has_ip)
		strbuf_add(out, " <- ", 4);
	if (wording->has_ip)
		put_address(out, event->ip, printer->context);
	return strbuf_room(out, wording->room);
}

static void text_event(struct printer *printer, struct strbuf *out, const struct event *event)
{
	const struct wording *wording = printer_wording(printer, event);
	uint64_t second = event->time / 1000000000;
	char *to = printer_head(printer, out, event, second, MICROS + wording->room);

	to = write_micros(to, (uint32_t)(event->time - second * 1000000000) / 1000);
	to = write_chunk(to, &wording->place);
	if (wording->has_ip || wording->has_return_ip)
		to = put_addresses(printer, out, to, event);
	put_values(printer, out, to, wording, event);
	if (wording->has_stacks)
		put_stacks(out, event, printer->context);
}

static void text_end(struct strbuf *out, const struct table_end *end)
{
	/* the counts go to standard error: lines of output are events */
	(void)out;
	(void)end;
}

const struct sink sink_text = {
	.name = "text",
	.notation = &text_notation,
	.prepare = text_prepare,
	.head = text_head,
	.event = text_event,
	.end = text_end,
};
