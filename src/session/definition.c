// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan's probes in, the events that libtracefs is to make out: the same head and arguments in the group
 * ktrace_PID, and each argument's columns, which are not the plan's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "session/internal.h"

#include <tracefs.h>

const struct event_file event_files[2] = {
	{"kprobe_events", "kprobe_profile", "trace_kprobe"},
	{"uprobe_events", "uprobe_profile", "trace_uprobe"},
};

const struct event_file dynamic_file = {"dynamic_events", NULL, "event_probe"};

#define COMM_ARGUMENT COMM_FIELD "=$comm"
#define HEAD_ROOM 16 /* libtracefs writes the offset in a program with 16 digits */

static void column_begin(struct column *column, const struct strbuf *text)
{
	column->start = (unsigned)text->length;
}

static void column_end(struct column *column, const struct strbuf *text)
{
	column->length = (unsigned)text->length - column->start;
}

static void put_fetch(struct strbuf *text, const struct fetch *fetch, struct column *column)
{
	if (text->length)
		strbuf_putc(text, ' ');
	column_begin(column, text);
	strbuf_puts(text, fetch->field);
	strbuf_putc(text, '=');
	strbuf_puts(text, fetch->body);
	if (fetch->type) {
		strbuf_putc(text, ':');
		strbuf_puts(text, fetch->type);
	}
	column_end(column, text);
}

/* What has failed to be read is told by the strings behind it: the last one is always the comm. */
static bool has_guards(const struct probe *probe)
{
	for (unsigned i = 0; i < probe->nfetches; i++)
		if (probe->fetches[i].type && (!strcmp(probe->fetches[i].type, "string") ||
					       !strcmp(probe->fetches[i].type, "ustring")))
			return true;
	return false;
}

/* A live plan leaves room. */
static bool has_comm(const struct probe *probe, size_t length)
{
	return (probe->role == ROLE_SHOWN || has_guards(probe)) && probe->nfetches < KERNEL_ARGS_MAX &&
	       length <= KERNEL_LINE_MAX;
}

static const char *definition_args(struct session *session, const struct probe *probe,
				   struct definition *definition)
{
	size_t around = strlen("p:/ ") + strlen(definition->group) + strlen(definition->event) +
			strlen(definition->head) + HEAD_ROOM;
	const char *args;
	struct strbuf text;

	strbuf_init(&text);
	definition->fetches = arena_array(session->arena, struct column, probe->nfetches);
	for (unsigned i = 0; i < probe->nfetches; i++)
		put_fetch(&text, &probe->fetches[i], &definition->fetches[i]);
	/* an event probe takes the word for a field's name, and asks for a type */
	if (has_comm(probe, around + text.length + strlen(COMM_ARGUMENT ":string")))
		strbuf_printf(&text, "%s%s%s", text.length ? " " : "", COMM_ARGUMENT,
			      probe->kind == 'e' ? ":string" : "");
	args = arena_strndup(session->arena, text.data ? text.data : "", text.length);
	strbuf_deinit(&text);
	return args;
}

static const struct event_file *file_of(const struct probe *probe)
{
	if (probe->kind == 'e' || probe->kind == 's')
		return &dynamic_file;
	return &event_files[probe->site->path ? 1 : 0];
}

static const char *with_group(struct session *session, const char *text)
{
	struct strbuf out;
	const char *copy;

	strbuf_init(&out);
	strbuf_expand(&out, text, GROUP_MARK, session->group);
	copy = arena_strndup(session->arena, out.data, out.length);
	strbuf_deinit(&out);
	return copy;
}

void definitions_init(struct session *session)
{
	const struct plan *plan = session->plan;

	session->definitions = arena_array(session->arena, struct definition, plan->nprobes);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		struct definition *definition = &session->definitions[i];

		if (plan->probes[i].kind == 't') {
			definition->group = plan->probes[i].group;
			definition->event = plan->probes[i].event;
			continue;
		}
		definition->group = session->group;
		definition->file = file_of(&plan->probes[i]);
		definition->event = with_group(session, plan->probes[i].event);
		definition->head = with_group(session, plan->probes[i].head);
		if (plan->probes[i].trigger)
			definition->trigger = with_group(session, plan->probes[i].trigger);
		definition->args = definition_args(session, &plan->probes[i], definition);
	}
}

static struct tracefs_dynevent *program_event(const struct definition *definition, bool is_return)
{
	char *path = strdup(definition->head), *colon = path ? strrchr(path, ':') : NULL;
	struct tracefs_dynevent *event = NULL;

	if (colon) {
		*colon = '\0';
		event = (is_return ? tracefs_uretprobe_alloc : tracefs_uprobe_alloc)(
			definition->group, definition->event, path, strtoull(colon + 1, NULL, 0),
			definition->args);
	}
	free(path);
	return event;
}

/* Its head is "synthetic.NAME". */
static struct tracefs_dynevent *event_event(const struct definition *definition)
{
	const char *dot = strchr(definition->head, '.');
	char *system = dot ? strndup(definition->head, (size_t)(dot - definition->head)) : NULL;
	struct tracefs_dynevent *event = NULL;

	if (system)
		event = tracefs_eprobe_alloc(definition->group, definition->event, system, dot + 1,
					     definition->args);
	free(system);
	return event;
}

static struct tracefs_dynevent *new_event(const struct definition *definition, char kind)
{
	if (kind == 'e')
		return event_event(definition);
	if (definition->file == &event_files[1])
		return program_event(definition, kind == 'r');
	if (kind == 'r')
		return tracefs_kretprobe_alloc(definition->group, definition->event, definition->head,
					       definition->args, 0);
	return tracefs_kprobe_alloc(definition->group, definition->event, definition->head, definition->args);
}

struct tracefs_dynevent *definition_event(struct session *session, unsigned probe)
{
	struct definition *definition = &session->definitions[probe];
	char kind = session->plan->probes[probe].kind, *place = NULL;
	struct tracefs_dynevent *event = NULL;

	if (kind != 's')
		event = new_event(definition, kind);
	if (event)
		tracefs_dynevent_info(event, NULL, NULL, NULL, &place, NULL);
	definition->text = kind == 's' ?
		arena_printf(session->arena, "s:%s %s", definition->event, definition->head) :
		arena_printf(session->arena, "%c:%s/%s %s %s", kind, definition->group, definition->event,
			     place ? place : definition->head, definition->args);
	free(place);
	return event;
}
