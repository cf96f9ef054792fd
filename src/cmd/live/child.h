/* SPDX-License-Identifier: GPL-2.0-only */
/* The command after "--": searched for at once, forked before the probes are live, released once
 * they are. */
#ifndef CMD_CHILD_H
#define CMD_CHILD_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/error.h"

enum child_step {
	CHILD_BEGINS,
	CHILD_WAITS, /* at the gate */
	CHILD_SPINS, /* without a system call */
	CHILD_RUNS,
};

/* Shared with the new process. */
struct child_shared {
	_Atomic int step; /* enum child_step */
	int reason;       /* errno of its execve(2) */
};

struct child {
	struct arena *arena;
	char *const *command; /* NULL: there is none */
	const char *path;     /* of its program */
	char **shell;         /* argv to run it as a shell script */
	pid_t pid;            /* 0: it isn't running */
	int status;           /* as a shell gives it, once it has ended */
	int gate;             /* a byte written here wakes it */
	int tie;              /* reads as closed once it is the command, or gone */
	struct child_shared *shared;
	int *inherited;       /* files that were open when ktrace was started */
	unsigned ninherited;
};

struct child_start {
	const sigset_t *signals;     /* its mask */
	bool was_ignored;            /* SIGPIPE was ignored when ktrace was started */
	uint64_t open_files;         /* its limit of them */
	bool to_stderr;              /* send its output to standard error */
	void (*mark)(void *cookie); /* called in the new process */
	void *cookie;
};

/* Call before anything is opened. command: NULL makes all calls below do nothing. */
/* Searches as execvp(3) does. Returns NULL with errno set when it isn't found. */
const char *child_program(struct arena *arena, const char *name);
struct error *child_find(struct arena *arena, char *const *command, struct child *ret) must_check;
/* Returns once mark() has been called and the new process waits at its gate. */
struct error *child_start(struct arena *arena, struct child *child,
			  const struct child_start *start) must_check;
/* Lets it through the gate: from then to its execve(2) it does nothing that could be traced, and
 * keeps a CPU busy. */
struct error *child_wake(struct arena *arena, struct child *child) must_check;
struct error *child_go(struct arena *arena, struct child *child) must_check;
/* Reaps it. Returns true when the command itself has ended (not some other child). */
bool child_has_ended(struct child *child);
/* If it still runs: sends SIGTERM and waits a moment. Returns false when it runs on. */
bool child_end(struct child *child);

#endif
