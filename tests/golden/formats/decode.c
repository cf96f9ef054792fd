// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads lines `FORMAT_FILE RECORD_IN_HEX [FILTER]`, and prints what each record says as JSON:
 * format_describe, plan_tracepoints, the decoder and the sink, without a kernel. With the argument
 * `shaped`, by the print fmt as well; with `named`, behind a tab also the text that libtraceevent
 * makes of the record, which must be a sound one. With `filter`, whether the record passes the part
 * of FILTER that ktrace tests, and behind a tab the part that the kernel tests. With `text`, the
 * line as text, and behind a tab libtraceevent's text by the format file that FILTER names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plan/plan.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/internal.h"
#include "stream/threads.h"

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

static unsigned from_hex(const char *text, uint8_t *ret)
{
	unsigned length = 0;

	for (; text[0] >= '0' && text[1] >= '0'; text += 2) {
		const char digits[] = {text[0], text[1], 0};

		ret[length++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return length;
}

/* Functions of one name for all, every 64 KB, beginning at FIRST_CODE. */
#define FIRST_CODE 0xffffffff81000000u
#define NFUNCTIONS 64u
#define FUNCTION_SIZE 0x10000u

static const char *function_name(void *cookie, uint64_t address)
{
	static char text[64];

	(void)cookie;
	if (address < FIRST_CODE || address >= FIRST_CODE + (uint64_t)NFUNCTIONS * FUNCTION_SIZE)
		return NULL;
	snprintf(text, sizeof(text), "function+0x%x", (unsigned)(address % FUNCTION_SIZE));
	return text;
}

/* What libtraceevent prints of a record, in one line. It reads on behind a text without a NUL. */
static void print_theirs(const char *format, const uint8_t *bytes, unsigned length)
{
	struct tep_handle *tep = tep_alloc();
	uint8_t *data = calloc(1, length + 4096);
	struct tep_record record = {.data = data, .size = (int)length};
	struct tep_event *event = NULL;
	struct trace_seq seq;
	uint16_t id = (uint16_t)strtoul(strstr(format, "\nID: ") + 5, NULL, 10);

	memcpy(data, bytes, length);
	memcpy(data, &id, sizeof(id));

	trace_seq_init(&seq);
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	for (unsigned i = 0; i <= NFUNCTIONS; i++)
		tep_register_function(tep, i < NFUNCTIONS ? "function" : "end",
				      FIRST_CODE + (uint64_t)i * FUNCTION_SIZE, NULL);
	if (!tep_parse_event(tep, format, strlen(format), "x"))
		event = tep_find_event(tep, id);
	if (event)
		tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	for (char *p = seq.buffer; *p; p++)
		putchar(*p == '\n' ? ' ' : *p);
	trace_seq_destroy(&seq);
	tep_free(tep);
	free(data);
}

static bool is_decoded(struct decoder *decoder, const uint8_t *data, unsigned length)
{
	const struct record record = {
		.data = data, .length = length, .layout = layout_of(decoder, data, length)};

	return record.layout && decode_record(decoder, &record, 0);
}

/* "yes\t" or "no\t", by what is left to ktrace, and what is left to the kernel. */
static void tell_filter(struct decoder *decoder, const struct plan *plan, const uint8_t *data,
			unsigned length, struct strbuf *out)
{
	const struct layout *layout = layout_of(decoder, data, length);
	bool is_shown = is_decoded(decoder, data, length);
	const char *kernel = plan->probes[0].kernel_filter;

	is_shown = is_shown && filter_passes(layout->test, &decoder->event);
	strbuf_printf(out, "%s\t%s", is_shown ? "yes" : "no", kernel ? kernel : "");
}

static struct error *decode_one(struct arena *arena, const char *path, const char *hex,
				const char *asked, const char *how)
{
	static const struct spec spec = {.text = "x:y"};
	bool is_filter = how && !strcmp(how, "filter");
	const struct filter *filter = NULL;
	const struct plan_input input = {
		.filters = &filter, .filter_texts = &asked, .nfilters = is_filter};
	bool is_text = how && !strcmp(how, "text");
	const struct sink_context context = {.symbolize = is_text ? function_name : NULL};
	struct tracepoint tracepoint = {.system = "x", .event = "y"};
	/* of that size: a sanitizer sees what is behind */
	uint8_t *data = malloc(strlen(hex) / 2 + 1);
	unsigned length = from_hex(hex, data);
	struct live_event source;
	struct decoder decoder;
	struct plan plan = {.arena = arena};
	struct strbuf out;
	struct error *error;
	char *text;

	if (file_read(arena, path, 1 << 14, &text))
		return error_new(arena, ERROR_SYSTEM, "cannot read '%s'", path);
	tracepoint.format = text;
	error = format_describe(arena, &tracepoint);
	if (error)
		return error;
	for (unsigned i = 0; !how && i < tracepoint.nfields; i++)
		tracepoint.fields[i].shape = NULL;
	error = is_filter ? filter_parse(arena, asked, &filter) : NULL;
	if (!error)
		error = plan_tracepoints(arena, &input, &spec, &tracepoint, 1, &plan);
	source = (struct live_event){.id = data[0] | data[1] << 8, .format = text};
	if (!error)
		error = decoder_init(&decoder, arena, &plan, &source);
	if (error)
		return error;
	strbuf_init(&out);
	if (is_filter)
		tell_filter(&decoder, &plan, data, length, &out);
	else if (is_decoded(&decoder, data, length))
		printer_event(printer_new(arena, is_text ? &sink_text : &sink_json, &plan,
					  &context), &out, &decoder.event);
	if (out.data)
		printf("%.*s", (int)strcspn(out.data, "\n"), out.data);
	else
		printf("no event");
	if (is_text && file_read(arena, asked, 1 << 15, &text))
		return error_new(arena, ERROR_SYSTEM, "cannot read '%s'", asked);
	if (is_text || (how && !strcmp(how, "named"))) {
		putchar('\t');
		print_theirs(text, data, length);
	}
	putchar('\n');
	strbuf_deinit(&out);
	comm_cache_free(decoder.comms);
	free(data);
	return NULL;
}

int main(int argc, char **argv)
{
	static char line[1 << 18], path[4096], hex[1 << 18], asked[1024];

	while (fgets(line, sizeof(line), stdin)) {
		struct arena arena;
		struct error *error;

		hex[0] = asked[0] = '\0';
		if (sscanf(line, "%4095s %262143s %1023[^\n]", path, hex, asked) < 1)
			return 2;
		arena_init(&arena);
		error = decode_one(&arena, path, hex, asked, argc > 1 ? argv[1] : NULL);
		if (error)
			printf("error: %s\n", error->message);
		arena_deinit(&arena);
	}
	return 0;
}
