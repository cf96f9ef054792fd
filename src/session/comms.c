// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a second instance that records which threads start and what they are called. A probe event
 * records the comm with the hit; a tracepoint's record has none, and no record says whether a
 * thread is a process of its own. The instance is separate so that a flood of events doesn't
 * overwrite the names, no filter applies to them, and the lost records counted in the main instance
 * are events that the user asked for.
 */
#include <string.h>

#include "session/internal.h"

#define NAMES_KB "256"

static bool has_named_tracepoints(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (!session->definitions[i].file && !session->plan->probes[i].is_nameless)
			return true;
	return false;
}

/* One renaming makes two records; the event that the user asked for must be recorded first,
 * because it shows the old name. */
static struct error *enable_shown(struct session *session, const char *event)
{
	struct error *error = NULL;

	for (unsigned i = 0; i < session->plan->nprobes && !error; i++)
		if (!session->definitions[i].file &&
		    !strcmp(session->definitions[i].group, "task") &&
		    !strcmp(session->definitions[i].event, event))
			error = enable_one(session, i);
	return error;
}

/* Sets the buffer's size and enables the two events. */
static struct error *enable_names(struct session *session)
{
	static const char *const events[] = {"task_newtask", "task_rename"};
	struct arena *arena = session->arena;
	struct error *error = tfs_set(arena, session->names, "buffer_size_kb", NAMES_KB);

	for (unsigned i = 0; i < 2 && !error; i++) {
		error = enable_shown(session, events[i]);
		if (!error)
			error = tfs_set(arena, session->names,
					arena_printf(arena, "events/task/%s/enable", events[i]),
					"1");
	}
	return error;
}

struct error *comms_open(struct session *session)
{
	const char *name = arena_printf(session->arena, "%s" COMMS_SUFFIX, session->group);
	struct error *error = NULL;
	bool exists = false;

	if (has_named_tracepoints(session) || session->options->npids ||
	    session->options->wants_processes)
		error = tfs_look(session->arena, NULL, "events/task/task_rename", &exists);
	if (error || !exists)
		return error;
	error = instance_make(session, name, &session->names);
	return error ? error : enable_names(session);
}
