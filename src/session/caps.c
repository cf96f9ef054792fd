// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs's README in, what this kernel's probe events accept out. Asked by what the README
 * says, never by the kernel's version: distributions backport.
 */
#include <stdio.h>
#include <string.h>

#include "session/session.h"
#include "session/tracefs.h"

struct error *caps_read(struct arena *arena, struct caps *ret)
{
	char *readme;
	struct error *error = tfs_find(arena);

	if (error)
		return error;
	*ret = (struct caps){0};
	error = tfs_read(arena, NULL, "README", &readme);
	if (error)
		return error;
	*ret = (struct caps){
		.has_immediate = strstr(readme, "\\imm-value"),
		.has_sums = strstr(readme, "onmatch(matching.event)") &&
			    strstr(readme, "trace(<synthetic_event>") &&
			    strstr(readme, "<attached-group>.<attached-event>"),
	};
	return NULL;
}
