// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts, stops and reads the histograms that the kernel keeps. They count from the moment they
 * are made, whatever tracing_on and the event's own filter say; so they are made paused, and with
 * the filter in the trigger.
 */
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

/* "hist:keys=a:vals=hitcount:size=2048:pause if FILTER": the trigger in another state. */
static const char *trigger_text(struct session *session, unsigned probe, const char *state)
{
	const struct definition *definition = &session->definitions[probe];

	return arena_printf(session->arena, "%s%s%s%s", definition->actions[0], state,
			    definition->filter ? " if " : "", definition->filter ?: "");
}

static struct error *set_state(struct session *session, unsigned probe, const char *state)
{
	return tfs_set(session->arena, session->instance, event_file(session, probe, "trigger"),
		       trigger_text(session, probe, state));
}

struct error *counted_make(struct session *session, unsigned probe)
{
	const char *file = event_file(session, probe, "trigger");
	struct undo undo =
		undo_new(session, session->instance, file,
			 arena_printf(session->arena, "!%s", trigger_text(session, probe, "")));
	struct error *error;

	undo_push(session, undo);
	error = set_state(session, probe, ":pause");
	if (error)
		undo_drop(session);
	return error;
}

struct error *counted_start(struct session *session, unsigned probe)
{
	return set_state(session, probe, ":continue");
}

struct error *counted_stop(struct session *session)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < session->plan->nprobes && !error; i++)
		if (session->plan->probes[i].counting &&
		    !session->plan->probes[i].counting->by_program &&
		    !session->definitions[i].skipped)
			error = set_state(session, i, ":pause");
	return error;
}

/* A cursor over the text of a `hist` file. */
struct reading {
	struct arena *arena;
	const struct counting *counting;
	const char *at; /* NULL: the text isn't as expected */
};

/* Steps over the blanks and the word; NULL where another one stands there. */
static void expect(struct reading *reading, const char *word)
{
	if (!reading->at)
		return;
	reading->at += strspn(reading->at, " ");
	reading->at = strncmp(reading->at, word, strlen(word)) ? NULL : reading->at + strlen(word);
}

static uint64_t read_number(struct reading *reading)
{
	uint64_t number = 0;
	char *end;

	if (!reading->at)
		return 0;
	number = strtoull(reading->at, &end, 10);
	reading->at = end == reading->at ? NULL : end;
	return number;
}

/* "name: 12", "name: ~ 2^4", "name: ~ 20-29" */
static uint64_t read_key(struct reading *reading, const struct counted_key *key)
{
	uint64_t number;

	if (key->kind == COUNTED_BUCKET)
		expect(reading, "~ ");
	if (key->kind == COUNTED_BUCKET && !key->step)
		expect(reading, "2^");
	number = read_number(reading);
	if (key->step) {
		expect(reading, "-");
		read_number(reading);
	}
	return number;
}

/* The text is the last key, and what follows it has numbers only: it ends where that begins the
 * last time on what is left of the line. A text with a newline has lines of its own. */
static const char *read_text(struct reading *reading)
{
	static const char behind[] = " } hitcount:";
	const char *start, *end, *next;

	if (!reading->at || *reading->at != ' ')
		return NULL;
	start = reading->at + 1;
	end = strstr(start, behind);
	for (next = end; next; next = strstr(next + 1, behind))
		if (!memchr(end, '\n', (size_t)(next - end)))
			end = next;
	reading->at = end;
	while (end && end > start && end[-1] == ' ')
		end--;
	return end ? arena_strndup(reading->arena, start, (size_t)(end - start)) : NULL;
}

/* "{ a: 1, b: x } hitcount: 3  c: 5" */
static void read_row(struct reading *reading, struct counted_row *ret)
{
	const struct counting *counting = reading->counting;

	*ret = (struct counted_row){0};
	expect(reading, "{");
	for (unsigned i = 0; i < counting->nkeys; i++) {
		const struct counted_key *key = &counting->keys[i];

		expect(reading, i ? "," : "");
		expect(reading, key->field);
		expect(reading, ":");
		if (key->is_text)
			ret->text = read_text(reading);
		else
			ret->numbers[i] = read_key(reading, key);
	}
	if (!counting->nkeys) { /* the CPU */
		expect(reading, "common_cpu:");
		read_number(reading);
	}
	expect(reading, "}");
	expect(reading, "hitcount:");
	ret->hits = read_number(reading);
	for (unsigned i = 0; i < counting->nvalues; i++) {
		expect(reading, counting->values[i].field);
		expect(reading, ":");
		ret->sums[i] = read_number(reading);
	}
	expect(reading, "\n");
}

/* The rows stand between the head, lines with '#', and the totals. */
static bool read_rows(struct reading *reading, struct counted *ret)
{
	while (reading->at && *reading->at) {
		if (*reading->at == '#' || *reading->at == '\n') {
			const char *end = strchr(reading->at, '\n');

			reading->at = end ? end + 1 : NULL;
		} else if (*reading->at == '{') {
			read_row(reading, &arena_append(reading->arena, ret->rows, ret->nrows));
		} else {
			break;
		}
	}
	expect(reading, "Totals:\n");
	expect(reading, "Hits:");
	read_number(reading);
	expect(reading, "\n");
	expect(reading, "Entries:");
	read_number(reading);
	expect(reading, "\n");
	expect(reading, "Dropped:");
	ret->dropped = read_number(reading);
	return reading->at;
}

struct error *counted_read(struct arena *arena, const char *text, const struct counting *counting,
			   struct counted *ret)
{
	struct reading reading = {arena, counting, text};

	*ret = (struct counted){0};
	if (read_rows(&reading, ret))
		return NULL;
	return error_new(arena, ERROR_SYSTEM, "the kernel's histogram isn't as expected");
}

struct error *session_counted(struct session *session, struct arena *arena, unsigned probe,
			      struct counted *ret)
{
	const struct definition *definition = &session->definitions[probe];
	const char *file =
		arena_printf(arena, "events/%s/%s/hist", definition->group, definition->event);
	struct error *error;
	char *text;

	*ret = (struct counted){0};
	if (definition->skipped)
		return NULL;
	if (session->programs[probe])
		return program_read(session, arena, probe, ret);
	error = tfs_read(arena, session->instance, file, &text);
	return error ? error :
		       counted_read(arena, text, session->plan->probes[probe].counting, ret);
}
