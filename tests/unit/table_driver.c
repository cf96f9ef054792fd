// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events as text in, the tables of specs out, as JSON or (-t WIDTH) as text: what tests/unit/tables gives to the engine
 * and to a plain interpreter. Without a table each event is a line of JSON.
 *
 *	table_driver [-t WIDTH] [-s COLUMN] [-n TOP] [-j JOIN] [-o OPEN] KEYS SPEC... <EVENTS
 *
 * A value's name is its type: s8x, u64y, t (a text). An event is a line: the spec's number, CPU, thread, process,
 * comm, and for each of the spec's wants (but $line and $function) iNUMBER, tHEX (a text), cHEX (one that was cut),
 * f (a fault) or n (none).
 *
 * Of a pair (tests/unit/pairs) the spec's number has `s`, `e` or, if both places are one, `b` behind it, and a time, a
 * frame and the time of the call's entry (0: not seen) follow; `e` has only the end's own values, `b` these and then
 * the start's. `lost` is a loss. JOIN says how pairs without `on` are joined: call, nested-call, thread, nested-thread.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "expr/expr.h"
#include "sink/sink.h"
#include "spec/spec.h"
#include "stream/internal.h"
#include "stream/pairs.h"

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

/* What is asked for: how pairs are joined. */
struct joining {
	enum pair_by by;
	bool nests;
};

static struct value *make_values(struct arena *arena, const struct spec *spec, const struct site *site)
{
	struct value *values = arena_array(arena, struct value, spec->nwants + 1);

	for (unsigned i = 0; i < spec->nwants; i++) {
		const struct want *want = &spec->wants[i];

		make_value(want, &values[i]);
		values[i].is_start = want->is_start;
		values[i].start = want->start;
		if (want->kind == WANT_PLACE)
			make_word(want, site, &values[i]);
		if (strcmp(want->base, DURATION) != 0)
			continue;
		values[i].name = "duration";
		values[i].is_between = true;
		values[i].render = RENDER_UNSIGNED;
		values[i].size = 8;
	}
	return values;
}

/* A start is the probe that follows its end, unless the two are one. */
static void make_pair(struct arena *arena, struct plan *plan, struct probe *end, const struct joining *joining)
{
	const struct pairing *pairing = end->spec->pairing;
	const struct spec *start = pairing->start;
	bool is_one_place = !strcmp(start->place.function, end->spec->place.function);
	struct value *values = make_values(arena, start, end->site);
	struct probe *probe = end;

	end->pair = plan->npairs + 1;
	if (!is_one_place) {
		probe = &plan->probes[plan->nprobes++];
		*probe = *end;
		probe->role = ROLE_START;
		probe->values = values;
		probe->nvalues = start->nwants;
	} else {
		end->starts = values;
		end->nstarts = start->nwants;
	}
	end->frame = probe->frame = expr_leaf(arena, EXPR_FETCH, 0);
	plan->pairs[plan->npairs++] = (struct pair){
		.pairing = pairing,
		.title = arena_printf(arena, "%s -> %s", start->place.function, end->spec->place.function),
		.by = pairing->njoins ? PAIR_BY_VALUES : joining->by,
		.nests = !pairing->njoins && joining->nests,
		.is_one_place = is_one_place,
		.values = values,
		.nvalues = start->nwants,
	};
}

static struct error *make_probe(struct arena *arena, const char *text, struct plan *plan, const struct joining *joining)
{
	struct probe *probe = &plan->probes[plan->nprobes++];
	struct site *site = arena_new(arena, struct site);
	struct spec *spec;
	struct error *error = spec_parse(arena, text, &spec);

	if (error)
		return error;
	site->function = site->shown_symbol = spec->place.function;
	site->file = "/src/dir/file.c";
	site->line = 7;
	*probe = (struct probe){.spec = spec, .site = site, .group = "probe", .event = spec->place.function,
				.kind = PROBE_TRACEPOINT, .nvalues = spec->nwants,
				.values = make_values(arena, spec, site)};
	if (spec->pairing)
		make_pair(arena, plan, probe, joining);
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

#define VALUES_MAX 64

struct run {
	struct plan plan;
	const struct probe **specs; /* what each spec shows */
	struct layout *layouts; /* by the plan's probes */
	struct decoder decoder;
	struct datum values[VALUES_MAX];
	struct datum starts[VALUES_MAX];
	uint64_t frame;
	struct pairs *pairs;
	struct tables *tables; /* NULL: lines */
	struct printer *printer;
	struct strbuf out;
	uint64_t events;
};

static void read_values(const struct value *values, unsigned count, struct datum *ret, char **line)
{
	for (unsigned i = 0; i < count; i++)
		if (!values[i].is_start && !values[i].is_between)
			read_datum(&values[i], line, &ret[i]);
}

static void show(struct run *run, const struct event *event)
{
	run->events++;
	if (run->tables)
		tables_event(run->tables, event);
	else
		printer_event(run->printer, &run->out, event);
}

static void free_values(const struct value *values, unsigned count, struct datum *data)
{
	for (unsigned i = 0; i < count; i++)
		if (!values[i].is_start && !values[i].is_between && data[i].kind == DATUM_BYTES)
			free((void *)data[i].bytes);
}

static void one_event(struct run *run, char *line)
{
	const char *word = strtok_r(line, " \n", &line);
	char half = word[strlen(word) - 1];
	struct event *event = &run->decoder.event;
	const struct probe *probe = run->specs[atoi(word)];
	uint64_t entry = 0;

	if (!strcmp(word, "lost")) {
		pairs_forget(run->pairs);
		return;
	}
	probe += half == 's'; /* see make_pair() */
	*event = (struct event){.probe = probe, .values = run->values};
	if (probe->pair) {
		event->time = strtoull(strtok_r(NULL, " ", &line), NULL, 10);
		run->frame = strtoull(strtok_r(NULL, " ", &line), NULL, 10);
		entry = strtoull(strtok_r(NULL, " ", &line), NULL, 10);
	}
	event->cpu = atoi(strtok_r(NULL, " ", &line));
	event->pid = atoi(strtok_r(NULL, " ", &line));
	event->process = atoi(strtok_r(NULL, " ", &line));
	event->comm = strtok_r(NULL, " \n", &line);
	read_values(probe->values, probe->nvalues, run->values, &line);
	read_values(probe->starts, probe->nstarts, run->starts, &line);
	run->decoder.parts[PART_OWN].layout = &run->layouts[probe - run->plan.probes];
	run->decoder.parts[PART_ENTRY] = (struct record){.layout = entry ? run->layouts : NULL, .time = entry};
	if (!probe->pair || pairs_take(run->pairs, &run->decoder, run->decoder.parts[PART_OWN].layout))
		show(run, event);
	free_values(probe->values, probe->nvalues, run->values);
	free_values(probe->starts, probe->nstarts, run->starts);
}

static void make_decoder(struct run *run, struct arena *arena, unsigned open)
{
	run->decoder = (struct decoder){.plan = &run->plan, .values = run->values, .starts = run->starts,
					.numbers = &run->frame};
	run->layouts = arena_array(arena, struct layout, run->plan.nprobes);
	for (unsigned i = 0; i < run->plan.nprobes; i++)
		run->layouts[i] = (struct layout){.probe = &run->plan.probes[i], .function = 7};
	run->pairs = pairs_new(arena, &run->plan);
	if (!pairs_make_room(run->pairs, open))
		abort();
}

int main(int argc, char **argv)
{
	struct table_options options = {.top = 20, .width = 80};
	struct table_end end = {.is_final = true};
	struct sink_context context = {0};
	struct joining joining = {PAIR_BY_CALL, false};
	static struct run run;
	unsigned open = 1000, nspecs = 0;
	struct error *error = NULL;
	struct arena arena;
	static char line[LINE_MAX_BYTES];
	bool is_text = false;
	int option;

	while ((option = getopt(argc, argv, "t:s:n:j:o:")) != -1) {
		if (option == 'j')
			joining = (struct joining){strstr(optarg, "call") ? PAIR_BY_CALL : PAIR_BY_THREAD,
						   strstr(optarg, "nested")};
		open = option == 'o' ? (unsigned)atoi(optarg) : open;
		is_text |= option == 't';
		options.width = option == 't' ? (unsigned)atoi(optarg) : options.width;
		options.sort = option == 's' ? optarg : options.sort;
		options.top = option == 'n' ? (unsigned)atoi(optarg) : options.top;
	}
	arena_init(&arena);
	options.keys = (unsigned)atoi(argv[optind++]);
	run.plan.probes = arena_array(&arena, struct probe, 2 * (unsigned)argc);
	run.plan.pairs = arena_array(&arena, struct pair, (unsigned)argc);
	run.specs = arena_array(&arena, const struct probe *, (unsigned)argc);
	for (; optind < argc && !error; optind++) {
		run.specs[nspecs++] = &run.plan.probes[run.plan.nprobes];
		error = make_probe(&arena, argv[optind], &run.plan, &joining);
	}
	if (!error && tables_wanted(&run.plan))
		error = tables_new(&arena, &run.plan, &context, &options, &run.tables);
	if (error)
		printf("error: %s\n", error->message);
	if (error)
		return 1;
	run.printer = printer_new(&arena, &sink_json, &run.plan, &context);
	make_decoder(&run, &arena, open);
	while (fgets(line, sizeof(line), stdin))
		one_event(&run, line);
	end.events = run.events;
	end.npairs = run.plan.npairs;
	end.pairs = pairs_counts(run.pairs);
	if (run.tables)
		tables_show(run.tables, &run.out, !is_text, &end);
	if (!is_text)
		sink_json.end(&run.out, &end);
	printf("%s", run.out.data ? run.out.data : "");
	strbuf_deinit(&run.out);
	tables_free(run.tables);
	pairs_free(run.pairs);
	arena_deinit(&arena);
	return 0;
}
