/* SPDX-License-Identifier: GPL-2.0-only */
/* Files by build-id from the servers that $DEBUGINFOD_URLS names. Without it nothing is asked. */
#ifndef TARGET_DEBUGINFOD_H
#define TARGET_DEBUGINFOD_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"

#define FETCH_ID_MAX 63 /* bytes; libdebuginfod takes no more */

struct fetch {
	struct arena *arena;
	const char *what;     /* for the progress on a terminal */
	/* hex; anything else isn't asked for. It may be from a hostile file */
	const char *build_id;
	/* absolute path of a source file, maybe a stranger's; NULL: debug information */
	const char *source;
	/* answer */
	const char *path; /* in the client's cache */
	const char *why;  /* why there is no file; NULL when nothing was asked */
	bool is_nowhere;  /* every server answered that it has no such file */
};
/* Returns a file descriptor, or -1. Debug information has the build-id that was asked for. */
int fetch_file(struct fetch *fetch);
/* The same for what an earlier fetch left in the client's cache: no server is asked. */
int fetch_cached(struct fetch *fetch);
bool fetch_is_wanted(void);
/* Like dwfl_standard_find_debuginfo(), of what is installed alone. */
int without_fetching(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		     const char *path, const char *link, GElf_Word checksum, char **found);

#endif
