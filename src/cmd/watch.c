// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells when somebody writes to a probed file. A uprobe is an offset in a file: if the code
 * changes, the probe would be put into other code.
 */
#include <sys/inotify.h>
#include <unistd.h>

#include "cmd/live.h"

/* Files that inotify can't watch are not watched. */
void watch_open(struct watch *watch, struct arena *arena, const struct plan *plan)
{
	watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	watch->paths = NULL;
	watch->count = 0;
	for (unsigned i = 0; i < plan->nprobes && watch->fd >= 0; i++) {
		const char *path = plan->probes[i].site ? plan->probes[i].site->path : NULL;
		int number = path ? inotify_add_watch(watch->fd, path, IN_MODIFY) : -1;

		/* a file keeps its number, and they count from 1 */
		if (number == (int)watch->count + 1)
			arena_append(arena, watch->paths, watch->count) = path;
	}
}

const char *watch_read(const struct watch *watch)
{
	struct inotify_event event;

	if (read(watch->fd, &event, sizeof(event)) != sizeof(event) || event.wd < 1 ||
	    (unsigned)event.wd > watch->count)
		return NULL;
	return watch->paths[event.wd - 1];
}

void watch_close(struct watch *watch)
{
	if (watch->fd >= 0)
		close(watch->fd);
	watch->fd = -1;
}
