/* SPDX-License-Identifier: GPL-2.0-only */
/* Fills in and keeps up a run's origin. */
#ifndef CMD_ORIGIN_H
#define CMD_ORIGIN_H

#include "base/arena.h"
#include "ktrace/origin.h"
#include "ktrace/plan.h"
#include "ktrace/target.h"
#include "stream/stream.h"

struct clock_keeper {
	struct origin origin;
	struct wall_clock clock;
	uint64_t next; /* CLOCK_MONOTONIC, ns: when the clocks are compared again */
};

/* Writes a line of JSON to standard output that says why the trace didn't begin. */
void put_refused(struct arena *arena, const char *reason);
/* program: of the plan's uprobes, or NULL. */
void origin_init(struct arena *arena, struct clock_keeper *keeper, const struct plan *plan,
		 const struct target *program);
/* Compares the clocks for the first time, once the probes are enabled. */
void origin_begin(struct clock_keeper *keeper, struct stream *stream);
/* Compares them again, if it is time to. */
void origin_follow(struct clock_keeper *keeper, struct stream *stream);
/* Compares them a last time, and asks the kernel how good its wall clock is. */
void origin_end(struct clock_keeper *keeper, struct stream *stream);

#endif
