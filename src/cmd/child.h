/* SPDX-License-Identifier: GPL-2.0-only */
/* The command after "--": looked for at once, forked before the probes are live, let go once they are. */
#ifndef CMD_CHILD_H
#define CMD_CHILD_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/error.h"

enum child_step {
	CHILD_WAITS, /* at the gate */
	CHILD_SPINS, /* without a system call */
	CHILD_RUNS,
};

/* With the new process. */
struct child_shared {
	_Atomic int step; /* enum child_step */
	int reason;       /* its exec's errno */
};

struct child {
	struct arena *arena;
	char *const *command; /* NULL: there is none */
	const char *path;     /* of its program */
	char **shell;         /* the same as a script */
	pid_t pid;            /* 0: it doesn't run */
	int status;           /* a shell's, once it has ended */
	int gate;             /* a byte written here wakes it */
	int tie;              /* closed on its side once it is the command, or gone */
	struct child_shared *shared;
	int *inherited;       /* files that were open when ktrace was started */
	unsigned ninherited;
};

struct child_start {
	const sigset_t *signals;     /* its mask */
	bool was_ignored;            /* SIGPIPE, by whoever started us */
	bool to_stderr;              /* its output: standard output is for something else */
	void (*mark)(void *cookie); /* called in the new process */
	void *cookie;
};

/* Before anything is opened. command: NULL, and nothing is done from here on. */
struct error *child_find(struct arena *arena, char *const *command, struct child *ret) must_check;
struct error *child_start(struct arena *arena, struct child *child,
			  const struct child_start *start) must_check;
/* From here to its execve(2) it does nothing that could be traced. */
struct error *child_wake(struct arena *arena, struct child *child) must_check;
struct error *child_go(struct arena *arena, struct child *child) must_check;
/* Reaps; true: the command itself has ended (not some other child). */
bool child_has_ended(struct child *child);
/* If it still runs: SIGTERM, and waits a moment. false: it runs on. */
bool child_end(struct child *child);

#endif
