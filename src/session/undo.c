// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each step of a session stands on: names of files in, paths below its tracefs and its instance out;
 * inverses in, which are run last first, past failures. They are run by exit(3) too: it is called where
 * memory has run out, or a signal says that this program can't go on.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "session/internal.h"

#define TRIES_BUSY 50 /* the kernel lets go of an event or an instance a moment after its last user */
#define TRIES      5

void undo_push(struct session *session, struct undo undo)
{
	session->undo[session->nundo++] = undo;
}

static int try_undo(const struct undo *undo)
{
	int err = undo->text ? tracefs_write(undo->path, undo->text) : rmdir(undo->path) ? errno : 0;

	return undo->may_be_gone && (err == ENOENT || err == ENODEV) ? 0 : err;
}

/* 0 or an errno. Nothing here takes memory. */
static int undo_one(const struct undo *undo)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	int err = try_undo(undo);

	for (int tries = 1; err && tries < (err == EBUSY ? TRIES_BUSY : TRIES); tries++) {
		nanosleep(&pause, NULL);
		err = try_undo(undo);
	}
	return err;
}

static struct error *cannot_undo(struct session *session, const struct undo *undo, int err)
{
	struct arena *arena = session->arena;

	if (!undo->text)
		return error_hint(arena, error_errno(arena, err, "cannot remove '%s'", undo->path),
				  "somebody holds a file of it open; when they are gone: ktrace clean");
	if (!strncmp(undo->text, "-:", 2))
		return error_hint(arena, error_errno(arena, err, "cannot remove the probe '%.*s'",
						     (int)strcspn(undo->text + 2, "\n"), undo->text + 2),
				  "when whoever uses it is gone: ktrace clean");
	return tracefs_error(arena, undo->path, "write", err);
}

struct error *undo_to(struct session *session, unsigned keep)
{
	struct error *first = NULL;

	while (session->nundo > keep) {
		const struct undo *undo = &session->undo[--session->nundo];
		int err = undo_one(undo);

		if (err && !first)
			first = cannot_undo(session, undo, err);
	}
	return first;
}

struct error *undo_all(struct session *session)
{
	return undo_to(session, 0);
}

/* Outlives the session: exit(3) calls in any case. */
struct last_resort {
	struct session *session; /* NULL: closed */
	pid_t pid;
};

static void undo_at_exit(int status, void *cookie)
{
	struct last_resort *last = cookie;
	struct session *session = last->session;

	(void)status;
	/* the kernel removes no instance of which somebody holds a file */
	if (session && last->pid == getpid())
		close_range(STDERR_FILENO + 1, ~0u, 0);
	while (session && last->pid == getpid() && session->nundo)
		undo_one(&session->undo[--session->nundo]);
	free(last);
}

struct error *last_resort_open(struct session *session)
{
	struct last_resort *last = malloc(sizeof(*last));

	if (!last || on_exit(undo_at_exit, last)) {
		free(last);
		return error_new(session->arena, ERROR_SYSTEM, "out of memory");
	}
	*last = (struct last_resort){session, getpid()};
	session->last_resort = last;
	return NULL;
}

void last_resort_close(struct session *session)
{
	session->last_resort->session = NULL;
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
	const struct definition *definition = &session->definitions[probe];

	return instance_path(session, "events/%s/%s/%s", definition->group, definition->event, file);
}
