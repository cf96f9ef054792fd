// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges event lines of several files by their wall time, the next line of each in a binary heap. A
 * line goes out as it came in. The surprise: a file's last line may be half of one, where its host
 * died.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_tree.h"
#include "sink/hosts/hosts.h"

struct merging {
	struct hosts *hosts;
	struct arena scratch; /* of one line */
	struct host_input **heap; /* those with a line left, the earliest first */
	unsigned count;
	FILE *out;
	struct strbuf text;
	bool is_json;
	bool may_wait; /* reading some input may take long: what is there is written first */
};

static bool read_line(struct host_input *input)
{
	ssize_t length = getline(&input->line, &input->room, input->file);

	input->number += length >= 0;
	input->length = length > 0 ? (size_t)length : 0;
	return length >= 0;
}

static bool is_blank(const struct host_input *input)
{
	return strspn(input->line, " \t\r\n") == input->length;
}

enum host_lines input_peek(struct host_input *input)
{
	static const char *const tables[] = {"table", "row"};
	enum host_lines ret = LINES_NONE;
	const struct json *line;
	struct arena arena;

	do {
		if (!read_line(input))
			return ret;
	} while (is_blank(input));
	arena_init(&arena);
	line = json_read(&arena, input->line, input->length);
	for (unsigned i = 0; i < 2; i++)
		if (json_member(line, tables[i]))
			ret = LINES_TABLE;
	if (ret == LINES_NONE && !json_member(line, "refused"))
		ret = LINES_EVENTS;
	arena_deinit(&arena);
	return ret;
}

struct strbuf input_rest(struct host_input *input)
{
	struct strbuf text = {0};

	do {
		strbuf_add(&text, input->line ? input->line : "", input->length);
	} while (read_line(input));
	return text;
}

static struct error *bad_line(const struct merging *merging, const struct host_input *input)
{
	return error_hint(merging->hosts->arena,
			  error_new(merging->hosts->arena, ERROR_SYNTAX,
				    "line %u of '%s' is neither an event's of a trace nor its end",
				    input->number, input->name),
			  "'ktrace run --json' and 'ktrace probe --json' write what can be merged");
}

static struct error *bad_order(const struct merging *merging, const struct host_input *input)
{
	return error_hint(merging->hosts->arena,
			  error_new(merging->hosts->arena, ERROR_SYNTAX,
				    "line %u of '%s' is earlier than the one before it",
				    input->number, input->name),
			  "put it in order first: LC_ALL=C sort FILE | ktrace merge -");
}

static bool take_event(struct merging *merging, struct host_input *input, const struct json *line)
{
	const struct json *host = json_member(line, "host");
	const char *name = host && host->kind == JSON_TEXT ? host->text : NULL;

	if (!json_counter(json_member(line, "wall_ns"), &input->wall))
		return false;
	if (!input->host || !name || !input->host->name || strcmp(input->host->name, name) != 0)
		input->host = hosts_find(merging->hosts, name, input->name);
	return true;
}

/* Whether it is a part of a line, whose writer was cut off. */
static bool is_half(const struct host_input *input)
{
	return input->line[input->length - 1] != '\n' && feof(input->file);
}

/* Takes the line that was read. *is_event: it is one. */
static struct error *take_line(struct merging *merging, struct host_input *input, bool *is_event)
{
	uint64_t before = input->wall;
	const struct json *line = json_read(&merging->scratch, input->line, input->length);
	bool is_end = false, good = line && hosts_take(merging->hosts, line, input->name, &is_end);
	struct error *error = NULL;

	*is_event = line && !is_end && take_event(merging, input, line);
	if (!*is_event && !(is_end && good) && !(!line && is_half(input)))
		error = bad_line(merging, input);
	else if (*is_event && input->wall < before)
		error = bad_order(merging, input);
	arena_reset(&merging->scratch);
	return error;
}

/* Goes on to the input's next event; *any: there is one. is_read: its next line is there
 * already. */
static struct error *next_event(struct merging *merging, struct host_input *input, bool is_read,
				bool *any)
{
	struct error *error = NULL;

	for (*any = false; !error && !*any; is_read = false) {
		if (!is_read && !input->is_file)
			fflush(merging->out);
		errno = 0;
		if (!is_read && !read_line(input)) {
			if (ferror(input->file))
				error = error_errno(merging->hosts->arena, errno, "can't read '%s'",
						    input->name);
			break;
		}
		if (!is_blank(input))
			error = take_line(merging, input, any);
	}
	return error;
}

static bool is_before(const struct host_input *a, const struct host_input *b)
{
	return a->wall < b->wall || (a->wall == b->wall && a < b);
}

static void sink_down(struct merging *merging, unsigned at)
{
	for (;;) {
		unsigned first = at, child = 2 * at + 1;
		struct host_input *input = merging->heap[at];

		for (unsigned i = child; i < child + 2 && i < merging->count; i++)
			if (is_before(merging->heap[i], merging->heap[first]))
				first = i;
		if (first == at)
			return;
		merging->heap[at] = merging->heap[first];
		merging->heap[first] = input;
		at = first;
	}
}

static void put_line(struct merging *merging, const struct host_input *input)
{
	size_t length = input->length - (input->line[input->length - 1] == '\n');

	input->host->events++;
	if (merging->is_json) {
		fwrite(input->line, 1, length, merging->out);
		putc('\n', merging->out);
		return;
	}
	event_text(&merging->text, json_read(&merging->scratch, input->line, input->length));
	fwrite(merging->text.data, 1, merging->text.length, merging->out);
	merging->text.length = 0;
	arena_reset(&merging->scratch);
}

static struct error *merge(struct merging *merging)
{
	struct error *error = NULL;
	bool any;

	for (unsigned i = merging->count / 2; i > 0; i--)
		sink_down(merging, i - 1);
	while (merging->count && !error && !ferror(merging->out)) {
		put_line(merging, merging->heap[0]);
		error = next_event(merging, merging->heap[0], false, &any);
		if (!any)
			merging->heap[0] = merging->heap[--merging->count];
		sink_down(merging, 0);
	}
	return error;
}

/* A file whose lines name no host counts as a host without a name. */
static void name_silent(struct hosts *hosts, const struct host_input *input)
{
	for (unsigned i = 0; i < hosts->count; i++)
		if (!strcmp(hosts->list[i]->file, input->name))
			return;
	hosts_find(hosts, NULL, input->name);
}

struct error *hosts_merge(struct hosts *hosts, struct host_input *inputs, unsigned count,
			  bool is_json, FILE *out)
{
	struct merging merging = {.hosts = hosts, .is_json = is_json, .out = out};
	struct error *error = NULL;

	merging.heap = arena_array(hosts->arena, struct host_input *, count + 1);
	arena_init(&merging.scratch);
	for (unsigned i = 0; i < count && !error; i++) {
		bool any = false;

		if (inputs[i].length)
			error = next_event(&merging, &inputs[i], true, &any);
		if (any)
			merging.heap[merging.count++] = &inputs[i];
		else if (!error)
			name_silent(hosts, &inputs[i]);
	}
	if (!error)
		error = merge(&merging);
	strbuf_deinit(&merging.text);
	arena_deinit(&merging.scratch);
	return error;
}
