/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of stream/: turns raw ring-buffer pages into events, one at a time, in time order,
 * losses counted. Reads in paced batches: an eager reader costs the traced program more than the
 * event does.
 */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <poll.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/buffers.h"
#include "ktrace/event.h"
#include "ktrace/pairs.h"
#include "ktrace/tracepoint.h"

/* Fills in a tracepoint's fields from its format, and what they mean, as far as its print fmt
 * says. */
struct error *format_describe(struct arena *arena, struct tracepoint *tracepoint) must_check;

struct stream; /* opaque */

/* Unwinds a user stack: writes up to STACK_DEPTH_MAX addresses, exact ones with STACK_EXACT, and
 * returns how many. depth: most of them; 0: all.
 * *cut: why it isn't whole, or NULL. */
struct unwinder {
	unsigned (*unwind)(void *cookie, const struct event *event,
			   const struct stack_memory *memory, unsigned depth, uint64_t *ret,
			   const char **cut);
	void *cookie;
};

/* Where buffers->names is NULL, the comm of a record without one is a guess. */
struct error *stream_open(struct arena *arena, const struct plan *plan,
			  const struct buffers *buffers, struct stream **ret) must_check;
/* Only events of these processes' own threads are shown. Needs buffers->names. */
struct error *stream_only(struct stream *stream, const pid_t *pids, unsigned npids) must_check;
/* Without one, stacks that ktrace unwinds have no value. */
void stream_unwinds(struct stream *stream, const struct unwinder *unwinder);
/* Sets each event's process. Needs buffers->names. */
struct error *stream_processes(struct stream *stream) must_check;
#define PAIRS_OPEN 65536
/* For the plan's pairs: how many starts of each may wait for their ends. PAIRS_OPEN unless set. */
struct error *stream_pairs(struct stream *stream, unsigned open) must_check;
void stream_close(struct stream *stream);

/* Reads what the CPUs have now. `final`: tracing is stopped, read to the end and hold nothing
 * back. */
struct error *stream_read(struct stream *stream, bool final) must_check;
/* The next event of what was read that passes probe->filter. Returns NULL when stream_read is
 * due, after stream_wait. Allocates only to remember companions and threads, or for an error. */
const struct event *stream_next(struct stream *stream);
/* The trace's clock, ns, to the us. 0: not known. */
uint64_t stream_now(struct stream *stream);
/* Sleeps until it is time to read (after a pause, or, when nothing fires, until something does),
 * until one of the caller's fds is ready (revents as in poll(2)), or for limit_ms (-1: no
 * limit). nfds: at most 4. */
void stream_wait(struct stream *stream, struct pollfd *fds, unsigned nfds, int limit_ms);

struct stream_counts {
	uint64_t read;     /* events of the threads asked for, filtered ones included */
	uint64_t filtered; /* dropped by probe->filter */
	uint64_t unknown;  /* of dead threads: may be a child process's, so not shown */
	uint64_t lost;     /* overwritten unread, all CPUs; lost_is_unknown: at least this many */
	bool lost_is_unknown;
	unsigned ncpus;
	const uint64_t *lost_per_cpu;
	const uint64_t *records; /* how many were read, by plan->probes[i] */
	struct pair_counts *pairs; /* by plan->pairs[i] */
	unsigned npairs;
};
/* Returns an error when some CPU's stats can't be read, which makes `lost` unknown; the other
 * counts are valid. */
struct error *stream_counts(const struct stream *stream, struct stream_counts *ret) must_check;

#endif
