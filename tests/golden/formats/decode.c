// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines `FORMAT_FILE RECORD_IN_HEX` in, what the record says as JSON out: format_fields, plan_tracepoints,
 * the decoder and the sink, without a kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "sink/sink.h"
#include "stream/internal.h"

static unsigned from_hex(const char *text, uint8_t *ret)
{
	unsigned length = 0;

	for (; text[0] >= '0' && text[1] >= '0'; text += 2) {
		const char digits[] = {text[0], text[1], 0};

		ret[length++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return length;
}

static struct error *decode_one(struct arena *arena, const char *path, const char *hex)
{
	static const struct spec spec = {.text = "x:y"};
	const struct plan_input input = {0};
	const struct sink_context context = {0};
	struct tracepoint tracepoint = {.system = "x", .event = "y"};
	uint8_t *data = malloc(strlen(hex) / 2 + 1); /* of that size: a sanitizer sees what is behind */
	unsigned length = from_hex(hex, data);
	struct stream_source source;
	struct decoder decoder;
	struct plan plan = {.arena = arena};
	struct strbuf out;
	struct error *error;
	char *text;

	error = text_read(arena, path, &text);
	if (error)
		return error;
	tracepoint.format = text;
	format_fields(arena, &tracepoint);
	error = plan_tracepoints(arena, &input, &spec, &tracepoint, 1, &plan);
	source = (struct stream_source){.id = data[0] | data[1] << 8, .format = text};
	if (!error)
		error = decoder_init(&decoder, arena, &plan, &source);
	if (error)
		return error;
	strbuf_init(&out);
	if (decode(&decoder, data, length, 0, 0))
		printer_event(printer_new(arena, &sink_json, &plan, &context), &out, &decoder.event);
	printf("%s", out.data ? out.data : "no event\n");
	strbuf_deinit(&out);
	comm_cache_free(decoder.comms);
	free(data);
	return NULL;
}

int main(void)
{
	static char line[1 << 18], path[4096], hex[1 << 18];

	while (fgets(line, sizeof(line), stdin)) {
		struct arena arena;
		struct error *error;

		hex[0] = '\0';
		if (sscanf(line, "%4095s %262143s", path, hex) < 1)
			return 2;
		arena_init(&arena);
		error = decode_one(&arena, path, hex);
		if (error)
			printf("error: %s\n", error->message);
		arena_deinit(&arena);
	}
	return 0;
}
