/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host and the builds of a run's events, and their time on the wall clock, for comparison with
 * other hosts: the kernel's clock counts from this host's boot.
 */
#ifndef KTRACE_ORIGIN_H
#define KTRACE_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

/* The wall clock (CLOCK_REALTIME, ns) as a linear function of the trace's clock (ns). The order of
 * one host's events is exact, so the result never goes back. */
struct wall_clock {
	uint64_t trace; /* both clocks at one moment */
	uint64_t wall;
	int64_t rate;   /* ns that the wall clock gains in 2^32 ns */
	uint64_t last;
};

/* For times that aren't in order. */
static inline uint64_t wall_of(const struct wall_clock *clock, uint64_t time)
{
	int64_t since = (int64_t)(time - clock->trace);

	return clock->wall + (uint64_t)(since + (int64_t)((__int128)since * clock->rate >> 32));
}

static inline uint64_t wall_at(struct wall_clock *clock, uint64_t time)
{
	uint64_t wall = wall_of(clock, time);

	if (wall > clock->last)
		clock->last = wall;
	return clock->last;
}

struct origin {
	const char *host;
	const char *kernel;        /* the build-id of the one that runs; or NULL */
	const char *const *builds; /* of the code at plan->probes[i]; NULL: not known */
	struct wall_clock *clock;
	/* ns: the largest distance found between our wall times and this host's clock */
	uint64_t within;
	bool is_synchronized; /* the kernel says that the wall clock follows a reference */
	/* ns: the kernel's bound on its distance from the reference; if synchronized */
	uint64_t off;
};

#endif
