/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals as the ends of a trace, and as the end of this program. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "ktrace/error.h"

/* crash.c: a fault becomes words and exit(3), which undoes a live trace. */
void crash_init(void);

struct signals {
	int fd; /* readable when one has come; -1: not taken */
	sigset_t old;
};

/* From here on all that would end the process are read from fd, but for those that are ignored (nohup). */
struct error *signals_take(struct arena *arena, struct signals *ret) must_check;
/* What has come since: how many that end, and whether a child's end is among the others. */
unsigned signals_read(const struct signals *signals, bool *child);
/* They act as before; those that have come are forgotten. */
void signals_release(struct signals *signals);

#endif
