// SPDX-License-Identifier: GPL-2.0-only
/* `ktrace clean`: removes what a dead ktrace left, and only that. */
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "session/session.h"

struct error *cmd_clean(struct arena *arena, const struct options *options)
{
	struct leftover *left;
	unsigned count;
	struct caps caps;
	struct error *error = caps_read(arena, &caps), *first = NULL;

	if (!error)
		error = leftovers_find(arena, &left, &count);
	if (error)
		return error;
	for (unsigned i = 0; i < count; i++) {
		bool is_alive;

		error = leftovers_remove(arena, &left[i], &is_alive);
		first = first ? first : error;
		if (!error && !is_alive && !options->quiet)
			printf("removed %u probe%s%s of ktrace %d\n", left[i].nevents,
			       left[i].nevents == 1 ? "" : "s",
			       left[i].has_instance ? " and the instance" : "",
			       (int)left[i].owner.pid);
	}
	if (!count && !options->quiet)
		puts("nothing was left behind");
	return first;
}
