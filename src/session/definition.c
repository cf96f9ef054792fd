// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the texts that this session writes for the plan's probes: the plan's own, with this
 * session's group (ktrace_PID) in them and the comm at the end. So the columns of arguments differ
 * from the plan's.
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

#define OFFSET_ROOM 16 /* libtracefs writes a uprobe's offset with 16 digits */

/* Whether some argument is a string. A string argument that faulted is recognised by the next
 * string's offset, so one must follow the last: the comm. */
static bool has_guards(const struct probe *probe)
{
	for (unsigned i = 0; i < probe->nfetches; i++)
		if (fetch_type_is_string(&probe->fetches[i].type) && !probe->fetches[i].type.count)
			return true;
	return false;
}

/* The plan left room for the comm if it was made for tracing. */
static bool has_comm(const struct probe *probe, size_t length)
{
	bool is_wanted =
		has_guards(probe) || (!role_is_companion(probe->role) && !probe->is_nameless);

	return is_wanted && probe->nfetches < KERNEL_ARGS_MAX && length <= KERNEL_LINE_MAX;
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

/* The columns of the head and the arguments, moved by the length of this session's group names. */
static void set_columns(struct session *session, const struct probe *probe,
			struct definition *definition)
{
	unsigned head = (unsigned)strcspn(definition->text, " ") + 1;
	unsigned length = (unsigned)strlen(with_group(session, probe->head));
	unsigned first = probe->nfetches ? probe->fetches[0].column.start : 0;

	definition->head = (struct column){head, length};
	definition->fetches = arena_array(session->arena, struct column, probe->nfetches);
	for (unsigned i = 0; i < probe->nfetches; i++) {
		const struct span *column = &probe->fetches[i].column;

		definition->fetches[i] = (struct column){head + length + 1 + column->start - first,
							 column->end - column->start};
	}
}

static void definition_text(struct session *session, const struct probe *probe,
			    struct definition *definition)
{
	static const char comm[] = " " COMM_FIELD "=$comm:string";
	struct strbuf text;

	strbuf_init(&text);
	strbuf_expand(&text, probe->definition, GROUP_MARK, session->group);
	/* an event probe would take $comm for a field's name, and needs a type */
	if (has_comm(probe, text.length + sizeof(comm) + OFFSET_ROOM))
		strbuf_puts(&text, probe->kind == PROBE_EVENT ? comm : " " COMM_FIELD "=$comm");
	definition->text = arena_strndup(session->arena, text.data, text.length);
	strbuf_deinit(&text);
	set_columns(session, probe, definition);
}

static const struct event_file *file_of(const struct probe *probe)
{
	if (probe->kind == PROBE_EVENT || probe->kind == PROBE_SYNTHETIC)
		return &dynamic_file;
	return &event_files[probe->site->path ? 1 : 0];
}

static void definition_actions(struct session *session, const struct probe *probe,
			       struct definition *definition)
{
	definition->actions = arena_array(session->arena, const char *, probe->nactions + 1);
	for (unsigned i = 0; i < probe->nactions; i++)
		definition->actions[i] = with_group(session, probe->actions[i].text);
}

/* A hosted probe has its host's event, which joint.c may have renamed. */
static void take_hosts(struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		unsigned host = session->plan->probes[i].host;

		if (!host)
			continue;
		session->definitions[i] = session->definitions[host - 1];
		session->definitions[i].host = &session->definitions[host - 1];
	}
}

void definitions_init(struct session *session)
{
	const struct plan *plan = session->plan;

	session->definitions = arena_array(session->arena, struct definition, plan->nprobes);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		struct definition *definition = &session->definitions[i];

		if (plan->probes[i].host)
			continue;
		if (plan->probes[i].kind == PROBE_TRACEPOINT) {
			definition->group = plan->probes[i].group;
			definition->event = plan->probes[i].event;
			definition_actions(session, &plan->probes[i], definition);
			continue;
		}
		definition->group = session->group;
		definition->file = file_of(&plan->probes[i]);
		definition->event = with_group(session, plan->probes[i].event);
		definition_text(session, &plan->probes[i], definition);
		definition_actions(session, &plan->probes[i], definition);
	}
	joints_make(session);
	take_hosts(session);
}

static struct tracefs_dynevent *program_event(const struct definition *definition, char *head,
					      const char *args, bool is_return)
{
	char *colon = strrchr(head, ':');

	if (!colon)
		return NULL;
	*colon = '\0';
	return (is_return ? tracefs_uretprobe_alloc : tracefs_uprobe_alloc)(
		definition->group, definition->event, head, strtoull(colon + 1, NULL, 0), args);
}

/* head: the event it is attached to, "synthetic.NAME". */
static struct tracefs_dynevent *probe_on_event(const struct definition *definition, char *head,
					       const char *args)
{
	char *dot = strchr(head, '.');

	if (!dot)
		return NULL;
	*dot = '\0';
	return tracefs_eprobe_alloc(definition->group, definition->event, head, dot + 1, args);
}

static struct tracefs_dynevent *new_event(const struct definition *definition, enum probe_kind kind,
					  char *head, const char *args)
{
	if (kind == PROBE_EVENT)
		return probe_on_event(definition, head, args);
	if (definition->file == &event_files[1])
		return program_event(definition, head, args, kind == PROBE_RETURN);
	if (kind == PROBE_RETURN)
		return tracefs_kretprobe_alloc(definition->group, definition->event, head, args, 0);
	return tracefs_kprobe_alloc(definition->group, definition->event, head, args);
}

/* Replaces the place by what libtracefs writes. */
static void set_place(struct session *session, struct definition *definition, unsigned nfetches,
		      const char *place)
{
	const char *old = definition->text,
		   *behind = old + definition->head.start + definition->head.length;
	unsigned length = (unsigned)strlen(place);

	definition->text = arena_printf(session->arena, "%.*s%s%s", (int)definition->head.start,
					old, place, behind);
	for (unsigned i = 0; i < nfetches; i++)
		definition->fetches[i].start += length - definition->head.length;
	definition->head.length = length;
}

struct tracefs_dynevent *definition_event(struct session *session, unsigned probe)
{
	struct definition *definition = &session->definitions[probe];
	const struct probe *p = &session->plan->probes[probe];
	const char *at = definition->text + definition->head.start,
		   *args = at + definition->head.length;
	char *head = arena_strndup(session->arena, at, definition->head.length), *place = NULL;
	struct tracefs_dynevent *event;

	if (p->kind == PROBE_SYNTHETIC)
		return NULL;
	event = new_event(definition, p->kind, head, args + strspn(args, " "));
	if (event)
		tracefs_dynevent_info(event, NULL, NULL, NULL, &place, NULL);
	if (place)
		set_place(session, definition, p->nfetches, place);
	free(place);
	return event;
}
