// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints stacks, innermost frame first: in JSON as an array of objects, as text a line for each
 * frame below the event's own line, as perf script does.
 */
#include <string.h>

#include "base/escape.h"
#include "sink/value.h"

const struct stack_frame *stack_frames(const struct value *value, const struct datum *datum,
				       const struct sink_context *context, unsigned *count)
{
	*count = 0;
	return value->stack && datum->kind == DATUM_BYTES && context && context->frames ?
	       context->frames(context->cookie, value, datum, count) : NULL;
}

static void put_member(struct strbuf *out, const char *name, const char *text)
{
	strbuf_join(out, name, NULL);
	if (text)
		strbuf_json(out, text, strlen(text));
	else
		strbuf_puts(out, "null");
}

static void json_frame(struct strbuf *out, const struct stack_frame *frame)
{
	put_member(out, "{\"function\":", frame->function);
	strbuf_puts(out, ",\"offset\":");
	if (frame->function || frame->module)
		put_unsigned(out, frame->offset);
	else
		strbuf_puts(out, "null");
	put_member(out, ",\"file\":", frame->file);
	strbuf_puts(out, ",\"line\":");
	if (frame->line)
		put_unsigned(out, frame->line);
	else
		strbuf_puts(out, "null");
	strbuf_puts(out, frame->is_inlined ? ",\"inlined\":true" : ",\"inlined\":false");
	put_member(out, ",\"module\":", frame->module);
	if (frame->is_unproven)
		strbuf_puts(out, ",\"unproven\":true");
	if (!frame->function && !frame->module) {
		strbuf_puts(out, ",\"address\":\"");
		put_hex(out, frame->address);
		strbuf_putc(out, '"');
	}
	strbuf_putc(out, '}');
}

void json_stack(struct strbuf *out, const struct stack_frame *frames, unsigned count,
		const char *cut)
{
	(void)cut; /* goes to the event's "cut" */
	strbuf_putc(out, '[');
	for (unsigned i = 0; i < count; i++) {
		if (i)
			strbuf_putc(out, ',');
		json_frame(out, &frames[i]);
	}
	strbuf_putc(out, ']');
}

void text_stack(struct strbuf *out, const struct stack_frame *frames, unsigned count,
		const char *cut)
{
	(void)frames;
	put_unsigned(out, count);
	strbuf_puts(out, count == 1 ? " frame" : " frames");
	strbuf_puts(out, cut ? "..." : "");
}

/* "? work+0x1f work.c:12 (app)"; "helper work.c:7 (inlined) (app)" */
void text_frame(struct strbuf *out, const struct stack_frame *frame)
{
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL;

	strbuf_puts(out, frame->is_unproven ? "\t? " : "\t");
	if (!frame->function && !frame->module)
		put_hex(out, frame->address);
	else
		strbuf_printf(out, "%s", frame->function ?: frame->module);
	if (!frame->is_inlined && (frame->function || frame->module))
		strbuf_printf(out, "+0x%llx", (unsigned long long)frame->offset);
	if (frame->file)
		strbuf_printf(out, " %s:%u", slash ? slash + 1 : frame->file, frame->line);
	strbuf_puts(out, frame->is_inlined ? " (inlined)" : "");
	if (frame->module && frame->function)
		strbuf_printf(out, " (%s)", frame->module);
	strbuf_putc(out, '\n');
}

void put_stacks(struct strbuf *out, const struct event *event, const struct sink_context *context)
{
	const struct probe *probe = event->probe;
	unsigned stacks = 0;

	for (unsigned i = 0; i < probe->nvalues; i++)
		stacks += probe->values[i].stack != STACK_NONE;
	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct datum *datum = &event->values[i];
		unsigned count;
		const struct stack_frame *frames =
			stack_frames(&probe->values[i], datum, context, &count);

		if (!frames)
			continue;
		if (stacks > 1)
			strbuf_printf(out, "    %s:\n", probe->values[i].name);
		for (unsigned j = 0; j < count; j++)
			text_frame(out, &frames[j]);
		if (datum->reason)
			strbuf_printf(out, "\t... (cut: %s)\n", datum->reason);
	}
}
