// SPDX-License-Identifier: GPL-2.0-only
/*
 * Golden files of spec/ in (`KIND: TEXT`, the answer indented below), differences out.
 *   spec_driver check FILE...   compares; the last line is `N passed, N failed`
 *   spec_driver update FILE     the file with today's answers, on stdout
 *   spec_driver KIND TEXT       one answer; exit status 1 if it is an error
 * Every answer that is no error has also been parsed again and compared.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "spec_same.h"

struct tally {
	unsigned passed;
	unsigned failed;
};

static void put_lines(struct strbuf *out, const char *text)
{
	strbuf_printf(out, "    %s\n", text);
}

static void put_error(struct strbuf *out, const struct error *error)
{
	strbuf_printf(out, "    %s: %s\n", error->code == ERROR_LIMIT ? "limit" : "error",
		      error->message);
	if (error->text) {
		strbuf_printf(out, "      %s\n      %*s", error->text, (int)error->span.start, "");
		for (unsigned i = error->span.start; i < error->span.end; i++)
			strbuf_putc(out, '^');
		strbuf_putc(out, '\n');
	}
	if (error->hint)
		strbuf_printf(out, "      %s\n", error->hint);
}

static void put_node(struct strbuf *out, const char *text, const char *what, const char *value,
		     struct span span)
{
	if (value)
		strbuf_printf(out, "    %-9s %s  <%.*s>\n", what, value,
			      (int)(span.end - span.start), text + span.start);
}

static void put_want(struct strbuf *out, const char *text, const struct want *want)
{
	put_node(out, text, "want", want->kind == WANT_RAW ? "raw" : want->kind == WANT_PLACE ? "word" : "variable",
		 want->span);
	put_node(out, text, " name", want->name, want->name_span);
	put_node(out, text, " base", want->base, want->base_span);
	for (unsigned i = 0; i < want->nsteps; i++) {
		const struct step *step = &want->steps[i];

		if (step->kind == STEP_INDEX)
			strbuf_printf(out, "     index    %" PRId64 "  <%.*s>\n", step->index,
				      (int)(step->span.end - step->span.start),
				      text + step->span.start);
		else
			put_node(out, text, step->kind == STEP_DOT ? " dot" : " arrow", step->name,
				 step->span);
	}
	put_node(out, text, " type", want->type, want->type_span);
	if (want->user)
		put_lines(out, " user");
}

static void put_table(struct strbuf *out, const struct spec *spec)
{
	const char *text = spec->text;
	char number[32];

	for (unsigned i = 0; i < spec->naggregates; i++) {
		const struct aggregate *aggregate = &spec->aggregates[i];

		put_node(out, text, "column", aggregate->name, aggregate->span);
		snprintf(number, sizeof(number), "%u", aggregate->want);
		if (aggregate->kind != AGGREGATE_COUNT)
			strbuf_printf(out, "    %-9s %s\n", " of", number);
		snprintf(number, sizeof(number), "%" PRIu64, aggregate->step);
		if (aggregate->step)
			put_node(out, text, " step", number, aggregate->step_span);
	}
	for (unsigned i = 0; i < spec->nkeys; i++) {
		const struct key *key = &spec->keys[i];

		snprintf(number, sizeof(number), "want %u", key->want);
		put_node(out, text, "key", key->kind == KEY_VALUE ? number : key->name, key->span);
	}
}

static void put_spec(struct strbuf *out, const struct spec *spec)
{
	static const char *const kinds[] = {"function", "line", "offset", "return", "file"};
	const struct place *place = &spec->place;
	const char *text = spec->text;
	char number[32];

	put_node(out, text, "group", spec->group, spec->group_span);
	put_node(out, text, "event", spec->event, spec->event_span);
	put_node(out, text, spec->is_return_definition ? "r-place" : "place", kinds[place->kind],
		 place->span);
	if (place->module)
		strbuf_printf(out, "    %-9s %s\n", " module", place->module);
	put_node(out, text, " function", place->function, place->function_span);
	put_node(out, text, " file", place->file, place->file_span);
	if (place_is_range(place))
		snprintf(number, sizeof(number), "%u-%u", place->line, place->last_line);
	else
		snprintf(number, sizeof(number), "%u", place->line);
	if (place->kind == PLACE_LINE || place->kind == PLACE_FILE)
		put_node(out, text, " line", number, place->line_span);
	snprintf(number, sizeof(number), "%" PRIu64, place->offset);
	if (place->kind == PLACE_OFFSET)
		put_node(out, text, " offset", number, place->offset_span);
	for (unsigned i = 0; i < spec->nwants; i++)
		put_want(out, text, &spec->wants[i]);
	put_table(out, spec);
}

static struct error *answer_spec(struct arena *arena, struct strbuf *out, const char *text,
				 bool is_place, bool dump)
{
	struct spec *spec, *again;
	struct error *error = is_place ? spec_parse_place(arena, text, &spec) :
			      spec_parse(arena, text, &spec);

	if (error)
		return error;
	if (dump)
		put_spec(out, spec);
	else
		put_lines(out, spec_print(arena, spec));
	if (!spec_spans_hold(spec, strlen(text)))
		put_lines(out, "SPANS ARE WRONG");
	error = spec_parse(arena, spec_print(arena, spec), &again);
	if (error || !same_spec(spec, again) ||
	    strcmp(spec_print(arena, spec), spec_print(arena, again)))
		put_lines(out, "PARSED AGAIN IT IS ANOTHER");
	return NULL;
}

static struct error *answer_event(struct arena *arena, struct strbuf *out, const char *text)
{
	struct spec *spec, *again;
	struct error *error = spec_parse_event(arena, text, &spec);

	if (error)
		return error;
	put_lines(out, arena_printf(arena, "system %s [%u,%u) event %s [%u,%u)",
				    spec->group ? spec->group : "-", spec->group_span.start,
				    spec->group_span.end, spec->event, spec->event_span.start,
				    spec->event_span.end));
	for (unsigned i = 0; i < spec->nwants; i++)
		put_want(out, text, &spec->wants[i]);
	put_table(out, spec);
	if (!spec_spans_hold(spec, strlen(text)))
		put_lines(out, "SPANS ARE WRONG");
	if (spec_parse_event(arena, spec_print(arena, spec), &again) || !same_spec(spec, again))
		put_lines(out, "PARSED AGAIN IT IS ANOTHER");
	return NULL;
}

static struct error *answer_filter(struct arena *arena, struct strbuf *out, const char *text)
{
	const struct filter *filter, *again;
	struct error *error = filter_parse(arena, text, &filter);

	if (error)
		return error;
	put_lines(out, filter_print(arena, filter));
	if (!filter_spans_hold(filter, strlen(text)))
		put_lines(out, "SPANS ARE WRONG");
	error = filter_parse(arena, filter_print(arena, filter), &again);
	if (error || !same_filter(filter, again))
		put_lines(out, "PARSED AGAIN IT IS ANOTHER");
	return NULL;
}

static struct error *answer_range(struct arena *arena, struct strbuf *out, const char *text)
{
	struct line_range *range;
	struct error *error = spec_parse_range(arena, text, &range);

	if (error)
		return error;
	if (range->function)
		strbuf_printf(out, "    function %s\n", range->function);
	if (range->file)
		strbuf_printf(out, "    file %s\n", range->file);
	if (range->has_range)
		strbuf_printf(out, "    lines %u-%u <%.*s>\n", range->first, range->last,
			      (int)(range->range_span.end - range->range_span.start),
			      text + range->range_span.start);
	return NULL;
}

/* false if kind is unknown. */
static bool answer(struct strbuf *out, const char *kind, const char *text, bool *failed)
{
	struct error *error = NULL;
	bool known = true;
	struct arena arena;

	arena_init(&arena);
	if (!strcmp(kind, "spec") || !strcmp(kind, "dump") || !strcmp(kind, "place"))
		error = answer_spec(&arena, out, text, !strcmp(kind, "place"),
				    !strcmp(kind, "dump"));
	else if (!strcmp(kind, "filter"))
		error = answer_filter(&arena, out, text);
	else if (!strcmp(kind, "event"))
		error = answer_event(&arena, out, text);
	else if (!strcmp(kind, "range"))
		error = answer_range(&arena, out, text);
	else
		known = false;
	if (error && !error_holds(error, text))
		put_lines(out, "THE ERROR IS NOT WHOLE");
	if (error)
		put_error(out, error);
	*failed = error;
	arena_deinit(&arena);
	return known;
}

static bool read_file(const char *path, struct strbuf *text)
{
	FILE *file = fopen(path, "r");
	char block[4096];
	size_t n;

	if (!file) {
		perror(path);
		return false;
	}
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		strbuf_add(text, block, n);
	fclose(file);
	return text->length;
}

/* The lines indented below an input. */
static size_t answer_length(const char *text)
{
	const char *at = text;

	while (!strncmp(at, "    ", 4)) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return (size_t)(at - text);
}

static void judge(struct tally *tally, const char *line, const char *wanted, size_t length,
		  const struct strbuf *got)
{
	if (got->length == length && !memcmp(got->data, wanted, length) && length) {
		tally->passed++;
		printf("ok %s\n", line);
		return;
	}
	tally->failed++;
	printf("not ok %s\n  wanted:\n%.*s  got:\n%s", line, (int)length, wanted,
	       got->data ? got->data : "    nothing\n");
}

/* Takes one line (and the answer below it) off at; returns what is left. */
static const char *take(const char *at, struct tally *tally, bool update)
{
	size_t length = strcspn(at, "\n");
	char *line = strndup(at, length), *colon = strstr(line, ": ");
	struct strbuf got;
	bool failed;

	strbuf_init(&got);
	at += length + (at[length] == '\n');
	if (update)
		puts(line);
	if (*line && *line != '#') {
		if (colon)
			*colon = '\0';
		if (!colon || !answer(&got, line, colon + 2, &failed))
			strbuf_puts(&got, "    no such kind of input\n");
		if (colon)
			*colon = ':';
		if (update)
			fputs(got.data ? got.data : "", stdout);
		else
			judge(tally, line, at, answer_length(at), &got);
		at += answer_length(at);
	}
	strbuf_deinit(&got);
	free(line);
	return at;
}

static bool file_run(const char *path, struct tally *tally, bool update)
{
	struct strbuf text;
	const char *at;
	unsigned before = tally->passed + tally->failed;

	strbuf_init(&text);
	if (!read_file(path, &text))
		return false;
	for (at = text.data; *at;)
		at = take(at, tally, update);
	strbuf_deinit(&text);
	return update || tally->passed + tally->failed > before;
}

int main(int argc, char **argv)
{
	struct tally tally = {0};
	struct strbuf out;
	bool failed = false;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "check") && strcmp(argv[1], "update")) {
		strbuf_init(&out);
		if (!answer(&out, argv[1], argv[2], &failed))
			return 2;
		fputs(out.data, stdout);
		strbuf_deinit(&out);
		return failed;
	}
	for (int i = 2; i < argc; i++) {
		if (!file_run(argv[i], &tally, !strcmp(argv[1], "update"))) {
			printf("%s: no cases\n", argv[i]);
			tally.failed++;
		}
	}
	if (!strcmp(argv[1], "check"))
		printf("%u passed, %u failed\n", tally.passed, tally.failed);
	return tally.failed > 0;
}
