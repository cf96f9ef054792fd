// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan in, a live trace out; every step pushes its inverse, so that the end of any way is
 * undo_all. Events are defined before the instance is made, hence removed after it is gone:
 * the kernel does not remove an event that an instance has enabled.
 */
#include <stdarg.h>
#include <unistd.h>

#include "session/internal.h"

/* Beside the steps of each probe: the instance, what makes it quiet, and that for names. */
#define FIXED_STEPS 3
#define PROBE_STEPS 2 /* defined, its trigger set */

void undo_push(struct session *session,
	       struct error *(*function)(struct session *session, const void *argument),
	       const void *argument)
{
	session->undo[session->nundo++] = (struct undo){function, argument};
}

struct error *undo_all(struct session *session)
{
	return undo_to(session, 0);
}

struct error *undo_to(struct session *session, unsigned keep)
{
	struct error *first = NULL;

	while (session->nundo > keep) {
		const struct undo *undo = &session->undo[--session->nundo];
		struct error *error = undo->function(session, undo->argument);

		if (!first)
			first = error;
	}
	return first;
}

static const char *path_below(struct session *session, const char *directory, const char *format,
			      va_list args)
{
	return arena_printf(session->arena, "%s/%s", directory,
			    arena_vprintf(session->arena, format, args));
}

const char *session_path(struct session *session, const char *format, ...)
{
	va_list args;
	const char *path;

	va_start(args, format);
	path = path_below(session, session->tracefs, format, args);
	va_end(args);
	return path;
}

const char *instance_path(struct session *session, const char *format, ...)
{
	va_list args;
	const char *path;

	va_start(args, format);
	path = path_below(session, session->directory, format, args);
	va_end(args);
	return path;
}

const char *event_path(struct session *session, unsigned probe, const char *file)
{
	const struct live *live = &session->live[probe];

	return instance_path(session, "events/%s/%s/%s", live->group, live->event, file);
}

static struct error *session_new(struct arena *arena, const struct plan *plan,
				 const struct session_options *options, struct session **ret)
{
	struct session *session = arena_new(arena, struct session);
	struct error *error = tracefs_find(arena, &session->tracefs);

	if (error)
		return error;
	session->arena = arena;
	session->plan = plan;
	session->options = options;
	session->group = arena_printf(arena, GROUP_PREFIX "%d", (int)getpid());
	session->directory = session_path(session, "instances/%s", session->group);
	session->undo = arena_array(arena, struct undo, plan->nprobes * PROBE_STEPS + FIXED_STEPS);
	live_init(session);
	*ret = session;
	return NULL;
}

/* What bears our pid was left by somebody dead who had it before. */
static struct error *remove_namesake(struct session *session)
{
	struct leftover namesake = {.pid = getpid()};
	struct error *error = leftovers_remove(session->arena, &namesake);

	return error ? error_hint(session->arena, error,
				  "a ktrace of another pid namespace may own it") : NULL;
}

struct error *session_open(struct arena *arena, const struct plan *plan,
			   const struct session_options *options, struct session **ret)
{
	struct session *session;
	struct error *undone, *error = session_new(arena, plan, options, &session);

	if (error)
		return error;
	error = remove_namesake(session);
	if (!error)
		error = define_all(session);
	if (!error)
		error = instance_open(session);
	if (!error)
		error = instance_setup(session);
	if (!error)
		error = names_open(session);
	if (!error) {
		*ret = session;
		return NULL;
	}
	undone = undo_all(session);
	if (undone)
		error->message = arena_printf(arena, "%s (and undoing it: %s)", error->message,
					      undone->message);
	return error;
}

struct error *enable_one(struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];
	struct error *error = tracefs_set(session->arena, event_path(session, probe, "enable"), "1");

	return error && p->spec ? error_at(error, p->spec->text, p->spec->place.span) : error;
}

static bool has_triggers(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->live[i].trigger && !session->live[i].skipped)
			return true;
	return false;
}

static bool has_definitions(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->live[i].file && !session->live[i].skipped)
			return true;
	return false;
}

/* What only has a trigger must not be recorded too; companions come before whom they serve. */
static struct error *enable_each(struct session *session, bool tracepoints)
{
	struct error *error = NULL;

	for (unsigned i = session->plan->nprobes; i > 0 && !error; i--) {
		enum role role = session->plan->probes[i - 1].role;

		if (session->live[i - 1].skipped || tracepoints == (session->live[i - 1].file != NULL))
			continue;
		if (role == ROLE_SHOWN || role == ROLE_MEMORY || role == ROLE_ENTRY)
			error = enable_one(session, i - 1);
	}
	return error;
}

struct error *session_enable(struct session *session)
{
	struct error *error = NULL;

	if (has_triggers(session))
		error = enable_each(session, false);
	else if (has_definitions(session))
		error = tracefs_set(session->arena,
				    instance_path(session, "events/%s/enable", session->group), "1");
	return error ? error : enable_each(session, true);
}

struct error *session_stop(struct session *session)
{
	return tracefs_set(session->arena, instance_path(session, "tracing_on"), "0");
}

struct error *session_close(struct session *session)
{
	return undo_all(session);
}

const struct error *session_skipped(const struct session *session, unsigned probe)
{
	return session->live[probe].skipped;
}

const char *session_names_directory(const struct session *session)
{
	return session->names;
}

const char *session_directory(const struct session *session)
{
	return session->directory;
}

int session_event_id(const struct session *session, unsigned probe)
{
	return session->live[probe].id;
}

const char *session_event_format(const struct session *session, unsigned probe)
{
	return session->live[probe].format;
}
