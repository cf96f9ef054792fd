// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each step of a session stands on: names of files in, paths below its tracefs and its instance out;
 * inverses in, which are run last first, past failures.
 */
#include <stdarg.h>

#include "session/internal.h"

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
