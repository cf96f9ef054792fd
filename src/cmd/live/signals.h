/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that end a trace, and those that end this program. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "ktrace/error.h"

/* crash.c: a fatal signal becomes a message and exit(3), which undoes a live trace. */
void crash_init(void);

/* At the start: an ignored SIGINT or SIGQUIT that comes before signals_take() isn't lost. The kernel
 * keeps what is blocked, even if it is ignored. */
void signals_keep(void);

struct signals {
	int fd; /* readable when a signal is pending; -1: not taken */
	sigset_t old;
};

/* From now on, all signals that would end the process are read from fd, except ignored ones
 * (nohup). */
struct error *signals_take(struct arena *arena, struct signals *ret) must_check;
/* Returns how many ending signals came since the last call; *child: whether a child ended. */
unsigned signals_read(const struct signals *signals, bool *child);
/* Signals act as before; pending ones are dropped. */
void signals_release(struct signals *signals);

#endif
