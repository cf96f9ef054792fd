// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events as text in, the tables of specs out, as JSON or (-t WIDTH) as text: what tests/unit/tables gives to the engine
 * and to a plain interpreter.
 *
 *	table_driver [-t WIDTH] [-s COLUMN] [-n TOP] KEYS SPEC... <EVENTS
 *
 * A value's name is its type: s8x, u64y, t (a text). An event is a line: the spec's number, CPU, thread, process,
 * comm, and for each of the spec's wants (but $line and $function) iNUMBER, tHEX (a text), cHEX (one that was cut),
 * f (a fault) or n (none).
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "sink/sink.h"
#include "spec/spec.h"

#define LINE_MAX_BYTES 65536

static void make_value(const struct want *want, struct value *ret)
{
	bool is_text = want->base[0] == 't';

	*ret = (struct value){
		.name = want->name ? want->name : want->base,
		.type_name = "",
		.render = is_text ? RENDER_STRING : want->base[0] == 's' ? RENDER_SIGNED : RENDER_UNSIGNED,
		.is_signed = want->base[0] == 's',
		.size = is_text ? 1 : (uint8_t)(atoi(want->base + 1) / 8),
		.finish_text = "",
	};
}

static void make_word(const struct want *want, const struct site *site, struct value *ret)
{
	*ret = (struct value){.name = want->name ? want->name : want->base + 1, .type_name = "", .finish_text = "",
			      .render = RENDER_STRING};
	ret->text = strcmp(want->base, OWN_LINE) ? site->function : "file.c:7";
}

static struct error *make_probe(struct arena *arena, const char *text, struct probe *probe)
{
	struct site *site = arena_new(arena, struct site);
	struct spec *spec;
	struct error *error = spec_parse(arena, text, &spec);

	if (error)
		return error;
	site->function = site->shown_symbol = spec->place.function;
	site->file = "/src/dir/file.c";
	site->line = 7;
	*probe = (struct probe){.spec = spec, .site = site, .group = "probe", .event = spec->place.function,
				.nvalues = spec->nwants,
				.values = arena_array(arena, struct value, spec->nwants + 1)};
	for (unsigned i = 0; i < spec->nwants; i++) {
		make_value(&spec->wants[i], &probe->values[i]);
		if (spec->wants[i].kind == WANT_PLACE)
			make_word(&spec->wants[i], site, &probe->values[i]);
	}
	return NULL;
}

static void read_bytes(const char *hex, struct datum *datum)
{
	size_t length = strlen(hex) / 2;
	uint8_t *bytes = malloc(length + 1);

	for (size_t i = 0; i < length; i++) {
		const char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};

		bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	datum->kind = DATUM_BYTES;
	datum->bytes = bytes;
	datum->length = (uint32_t)length;
}

static void read_datum(const struct value *value, char **line, struct datum *datum)
{
	const char *word = value->text ? NULL : strtok_r(NULL, " \n", line);

	if (value->text) {
		*datum = (struct datum){.kind = DATUM_BYTES, .bytes = strdup(value->text),
					.length = (uint32_t)strlen(value->text)};
		return;
	}
	*datum = (struct datum){.kind = DATUM_NONE, .reason = "no such value"};
	if (*word == 'f') {
		*datum = (struct datum){.kind = DATUM_FAULT};
	} else if (*word == 'i') {
		*datum = (struct datum){.kind = DATUM_INT};
		datum->number = word[1] == '-' ? (uint64_t)strtoll(word + 1, NULL, 10) :
						 strtoull(word + 1, NULL, 10);
	} else if (*word == 't' || *word == 'c') {
		datum->reason = NULL;
		read_bytes(word + 1, datum);
		datum->reason = *word == 'c' ? "it is longer" : NULL;
	}
}

static void one_event(const struct plan *plan, struct tables *tables, char *line)
{
	struct datum values[64];
	struct event event = {.probe = &plan->probes[atoi(strtok_r(line, " ", &line))], .values = values};

	event.cpu = atoi(strtok_r(NULL, " ", &line));
	event.pid = atoi(strtok_r(NULL, " ", &line));
	event.process = atoi(strtok_r(NULL, " ", &line));
	event.comm = strtok_r(NULL, " \n", &line);
	for (unsigned i = 0; i < event.probe->nvalues; i++)
		read_datum(&event.probe->values[i], &line, &values[i]);
	tables_event(tables, &event);
	for (unsigned i = 0; i < event.probe->nvalues; i++)
		if (values[i].kind == DATUM_BYTES)
			free((void *)values[i].bytes);
}

int main(int argc, char **argv)
{
	struct table_options options = {.top = 20, .width = 80};
	struct table_end end = {.is_final = true};
	struct sink_context context = {0};
	struct plan plan = {0};
	struct tables *tables = NULL;
	struct strbuf out = {0};
	struct error *error = NULL;
	struct arena arena;
	static char line[LINE_MAX_BYTES];
	bool is_text = false;
	int option;

	while ((option = getopt(argc, argv, "t:s:n:")) != -1) {
		is_text |= option == 't';
		options.width = option == 't' ? (unsigned)atoi(optarg) : options.width;
		options.sort = option == 's' ? optarg : options.sort;
		options.top = option == 'n' ? (unsigned)atoi(optarg) : options.top;
	}
	arena_init(&arena);
	options.keys = (unsigned)atoi(argv[optind++]);
	plan.probes = arena_array(&arena, struct probe, (unsigned)argc);
	for (; optind < argc && !error; optind++)
		error = make_probe(&arena, argv[optind], &plan.probes[plan.nprobes++]);
	if (!error)
		error = tables_new(&arena, &plan, &context, &options, &tables);
	if (error)
		printf("error: %s\n", error->message);
	for (; !error && fgets(line, sizeof(line), stdin); end.events++)
		one_event(&plan, tables, line);
	if (!error)
		tables_show(tables, &out, !is_text, &end);
	if (!error && !is_text)
		sink_json.end(&out, &end);
	printf("%s", out.data ? out.data : "");
	strbuf_deinit(&out);
	tables_free(tables);
	arena_deinit(&arena);
	return !!error;
}
