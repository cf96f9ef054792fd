// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells when a process writes to a probed file, and whether one opens it at all. A uprobe is an
 * offset in a file: if the code changes, the probe would be put into other code; and what no process
 * opens, none runs.
 *
 * The surprise: only the first opening is asked for, since thousands a second would each wake us.
 */
#include <linux/magic.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cmd/live/live.h"

static bool is_watched(const struct watch *watch, const char *path)
{
	for (unsigned i = 0; i < watch->count; i++)
		if (!strcmp(watch->files[i].path, path))
			return true;
	return false;
}

static bool is_on_overlay(const char *path)
{
	struct statfs statfs_of;

	return !statfs(path, &statfs_of) && statfs_of.f_type == OVERLAYFS_SUPER_MAGIC;
}

void watch_open(struct watch *watch, struct arena *arena, const struct plan *plan)
{
	*watch = (struct watch){.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .opened = -1};
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const char *path = plan->probes[i].site ? plan->probes[i].site->path : NULL;
		struct stat status;

		if (path && !is_watched(watch, path) && !stat(path, &status))
			arena_append(arena, watch->files, watch->count) = (struct watched){
				.path = path,
				.number = inotify_add_watch(watch->fd, path, IN_MODIFY),
				.device = status.st_dev,
				.inode = status.st_ino,
				.is_overlay = is_on_overlay(path),
				.changed = status.st_ctim,
			};
	}
}

const char *watch_read(const struct watch *watch)
{
	struct inotify_event event;

	if (read(watch->fd, &event, sizeof(event)) != sizeof(event))
		return NULL;
	for (unsigned i = 0; i < watch->count; i++)
		if (event.wd >= 0 && watch->files[i].number == event.wd)
			return watch->files[i].path;
	return NULL;
}

void watch_openings(struct watch *watch)
{
	watch->opened = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	for (unsigned i = 0; i < watch->count; i++)
		watch->files[i].opening = inotify_add_watch(watch->opened, watch->files[i].path,
							    IN_OPEN | IN_ONESHOT);
}

static void note_opening(struct watch *watch, const struct inotify_event *event)
{
	for (unsigned i = 0; i < watch->count; i++)
		if (watch->files[i].opening == event->wd || event->mask & IN_Q_OVERFLOW)
			watch->files[i].opening = -1;
}

void watch_read_openings(struct watch *watch)
{
	struct inotify_event event;

	while (read(watch->opened, &event, sizeof(event)) == sizeof(event))
		note_opening(watch, &event);
}

void watch_close(struct watch *watch)
{
	if (watch->fd >= 0)
		close(watch->fd);
	if (watch->opened >= 0)
		close(watch->opened);
	watch->fd = watch->opened = -1;
}
