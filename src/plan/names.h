/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that the kernel takes: of events, companions and fields. */
#ifndef PLAN_NAMES_H
#define PLAN_NAMES_H

#include "plan/plan.h"

/* Takes the name: no other probe gets it. */
void take_event(struct plan *plan, const char *name);
/* number: in and out, the first that may be free for this spec's next instance; starts at 1. */
char *event_name(struct arena *arena, const struct plan *plan, const struct sites *sites,
		 const struct site *site, unsigned *number);
/* A companion's name: the shown event's, made different. */
char *companion_name(struct arena *arena, const char *event, const char *suffix, unsigned number);
char *field_name(struct arena *arena, const struct probe *probe, const char *wanted);

/* readable.c: for a function of C++ or Rust, its last scope and name; for C, the name itself. */
const char *readable_name(struct arena *arena, const char *name);

#endif
