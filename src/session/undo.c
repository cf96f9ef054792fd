// SPDX-License-Identifier: GPL-2.0-only
/*
 * Undoes a session's steps, last first, past failures. exit(3) runs this too: it is called when
 * memory has run out, or on a fatal signal. So it doesn't use libtracefs, whose calls allocate: a
 * fault inside malloc(3) would deadlock on its lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "session/internal.h"

#define TRIES_BUSY 50 /* an event or instance stays busy for a moment after its last user */
#define TRIES      5

struct undo undo_new(struct session *session, struct tracefs_instance *instance, const char *file,
		     const char *text)
{
	/* another process may remove an instance or an event */
	return (struct undo){tfs_path(session->arena, instance, file), text, !instance};
}

void undo_push(struct session *session, struct undo undo)
{
	session->undo[session->nundo++] = undo;
}

void undo_drop(struct session *session)
{
	session->nundo--;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	int err = n < 0 ? errno : (size_t)n == strlen(text) ? 0 : EIO;

	if (fd >= 0)
		close(fd);
	return err;
}

static int try_undo(const struct undo *undo)
{
	int err = undo->text ? write_text(undo->path, undo->text) : rmdir(undo->path) ? errno : 0;

	return undo->may_be_gone && (err == ENOENT || err == ENODEV) ? 0 : err;
}

/* Returns 0 or an errno. Allocates nothing. */
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
		return error_hint(
			arena, error_errno(arena, err, "cannot remove '%s'", undo->path),
			"another program holds a file of it open; when it has ended: ktrace clean");
	if (!strncmp(undo->text, "-:", 2))
		return error_hint(arena,
				  error_errno(arena, err, "cannot remove the probe '%.*s'",
					      (int)strcspn(undo->text + 2, "\n"), undo->text + 2),
				  "another program uses it; when that has ended: ktrace clean");
	return tfs_error(arena, undo->path, "write", err);
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

/* Outlives the session: exit(3) calls undo_at_exit() in any case, which frees it. */
struct last_resort {
	struct session *session; /* NULL: closed */
	pid_t pid;
};

static void undo_at_exit(int status, void *cookie)
{
	struct last_resort *last = cookie;
	struct session *session = last->session;

	(void)status;
	/* the kernel doesn't remove an instance while a file of it is open */
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

const char *event_file(struct session *session, unsigned probe, const char *file)
{
	const struct definition *definition = &session->definitions[probe];

	return arena_printf(session->arena, "events/%s/%s/%s", definition->group, definition->event,
			    file);
}
