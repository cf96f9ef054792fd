// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says that a command has not opened a probed file, so that nothing of it was hit: it ran a copy,
 * or another program, or what the user meant runs already, in a service that the command asks.
 *
 * The surprise: openings tell it, not mappings. A command is gone by the time it has ended, with
 * its maps, but whatever it executes or loads it has to open, and inotify(7) tells that of an
 * inode, as uprobes belong to one.
 */
#include "cmd/live/live.h"

void say_never_opened(struct strbuf *out, struct watch *watch, const char *command)
{
	if (watch->opened < 0)
		return; /* the command wasn't started */
	watch_read_openings(watch);
	for (unsigned i = 0; i < watch->count; i++)
		if (watch->files[i].opening >= 0)
			strbuf_printf(out,
				      "ktrace: neither '%s' nor what it started has opened '%s', "
				      "whose code is probed; probe the file that they run (-x), or "
				      "trace what runs already: -p PID, or -a for all\n",
				      command, watch->files[i].path);
}
