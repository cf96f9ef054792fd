// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan's probes in, the texts that this session writes out: the same head and arguments in
 * the group ktrace_PID, and each argument's columns in that text, which are not the plan's.
 */
#include <string.h>

#include "base/strbuf.h"
#include "session/internal.h"

const struct event_file event_files[2] = {
	{"kprobe_events", "kprobe_profile", "trace_kprobe"},
	{"uprobe_events", "uprobe_profile", "trace_uprobe"},
};

const struct event_file dynamic_file = {"dynamic_events", NULL, "event_probe"};

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

static void definition_text(struct session *session, const struct probe *probe, struct definition *definition)
{
	static const char comm[] = " " COMM_FIELD "=$comm:string";
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "%c:%s%s%s ", probe->kind,
		      probe->role == ROLE_SYNTHETIC ? "" : session->group,
		      probe->role == ROLE_SYNTHETIC ? "" : "/", definition->event);
	column_begin(&definition->head, &text);
	strbuf_expand(&text, probe->head, GROUP_MARK, session->group);
	column_end(&definition->head, &text);
	definition->fetches = arena_array(session->arena, struct column, probe->nfetches);
	for (unsigned i = 0; i < probe->nfetches; i++)
		put_fetch(&text, &probe->fetches[i], &definition->fetches[i]);
	/* a live plan leaves room; an event probe takes the word for a field's name, and asks for a type */
	if ((probe->role == ROLE_SHOWN || has_guards(probe)) && probe->nfetches < KERNEL_ARGS_MAX &&
	    text.length + sizeof(comm) <= KERNEL_LINE_MAX)
		strbuf_puts(&text, probe->kind == 'e' ? comm : " " COMM_FIELD "=$comm");
	definition->text = arena_strndup(session->arena, text.data, text.length);
	strbuf_deinit(&text);
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
		if (plan->probes[i].trigger)
			definition->trigger = with_group(session, plan->probes[i].trigger);
		definition_text(session, &plan->probes[i], definition);
	}
}
