/* SPDX-License-Identifier: GPL-2.0-only */
/* The command after "--": forked early, let go once the probes are live. */
#ifndef CMD_CHILD_H
#define CMD_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/error.h"

struct child {
	pid_t pid;  /* 0: none */
	const char *name;
	int gate;   /* a byte written here lets it go */
	int failed; /* its exec's errno comes out here */
};

struct error *child_start(struct arena *arena, char *const *command, const sigset_t *signals,
			  struct child *ret) must_check;
struct error *child_go(struct arena *arena, struct child *child) must_check;
/* Reaps; true: the command itself has ended (not some other child). */
bool child_has_ended(struct child *child);
/* If it still runs: SIGTERM, and waits. */
void child_end(struct child *child);

#endif
