/* SPDX-License-Identifier: GPL-2.0-only */
/* The wait for debuginfod: progress, and the signals that end it; and the cache of its client. */
#ifndef TARGET_FETCH_WAIT_H
#define TARGET_FETCH_WAIT_H

#include <elfutils/debuginfod.h>
#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"

/* What on_progress() knows: the client's user data. */
struct progress {
	const char *what;
	bool is_terminal;
	bool is_shown;
	bool is_over; /* given up */
};

/* Called at least once a second. Returns nonzero to give up: a signal is waiting to end us. */
int on_progress(debuginfod_client *client, long done, long total);
/* Blocks the signals that end a program: libdebuginfod must remove the part that it got. */
void hold_signals(sigset_t *old);
/* fetch_cache.c: elfutils 0.188 takes a fetch that was given up for one that found nothing, and
 * remembers so for ten minutes, by an empty file. */
void forget_misses(struct arena *arena, const char *build_id);
/* fetch_cache.c: a file descriptor of the debug information that is in the cache, or -1. *place: 0;
 * for the next one, as it was left. Nothing is known of the file. */
int open_cached(struct arena *arena, const char *build_id, unsigned *place, const char **path);

#endif
