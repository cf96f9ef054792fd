// SPDX-License-Identifier: GPL-2.0-only
/* Tells stream/ where a session's records are, and in what format. */
#include <stdlib.h>
#include <string.h>

#include "session/internal.h"

/* The format has the event's number, too: of hundreds of events, it is one file less to open. */
struct error *live_event_read(struct arena *arena, struct tracefs_instance *instance,
			      const char *event, struct live_event *ret)
{
	char *format;
	struct error *error =
		tfs_read(arena, instance, arena_printf(arena, "events/%s/format", event), &format);
	const char *id = error ? NULL : strstr(format, "\nID:");

	if (!error && !id)
		return error_new(arena, ERROR_SYSTEM, "the format of '%s' has no ID", event);
	if (!error)
		*ret = (struct live_event){.id = atoi(id + strlen("\nID:")), .format = format};
	return error;
}

/* On older kernels only the top instance has this file. */
static struct error *read_header_page(struct session *session, const char **ret)
{
	static const char file[] = "events/header_page";
	bool exists;
	char *text;
	struct error *error = tfs_look(session->arena, session->instance, file, &exists);

	if (!error)
		error = tfs_read(session->arena, exists ? session->instance : NULL, file, &text);
	if (!error)
		*ret = text;
	return error;
}

static struct error *read_names(struct session *session, struct buffers *ret)
{
	struct error *error =
		live_event_read(session->arena, session->names, "task/task_newtask", &ret->newtask);

	if (!error)
		error = live_event_read(session->arena, session->names, "task/task_rename",
					&ret->rename);
	ret->names = tfs_path(session->arena, session->names, NULL);
	return error;
}

/* The kernel's own records are no events that can be enabled: only the top instance has them. */
static struct error *read_stacks(struct session *session, struct buffers *ret)
{
	struct error *error = NULL;

	if (session_has_stack(session, STACK_KERNEL))
		error = live_event_read(session->arena, NULL, "ftrace/kernel_stack",
					&ret->kernel_stack);
	if (!error && session_has_stack(session, STACK_POINTERS))
		error = live_event_read(session->arena, NULL, "ftrace/user_stack",
					&ret->user_stack);
	return error;
}

struct error *session_buffers(struct session *session, const struct buffers **ret)
{
	struct arena *arena = session->arena;
	struct live_event *events =
		arena_array(arena, struct live_event, session->plan->nprobes + 1);
	struct buffers *buffers = arena_new(arena, struct buffers);
	struct error *error = read_header_page(session, &buffers->header_page);
	char *size;

	for (unsigned i = 0; i < session->plan->nprobes; i++)
		events[i] = session->definitions[i].live;
	buffers->events = events;
	buffers->directory = tfs_path(arena, session->instance, NULL);
	if (!error)
		error = tfs_read(arena, session->instance, "buffer_size_kb", &size);
	if (!error)
		buffers->cpu_bytes = strtoull(size, NULL, 10) * 1024;
	if (!error && session->names)
		error = read_names(session, buffers);
	if (!error)
		error = read_stacks(session, buffers);
	*ret = buffers;
	return error;
}
