/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of stream/: raw ring-buffer pages to events, one at a time, in time order, losses
 * counted. Reads in paced batches: an eager reader costs the traced program more than the event.
 */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <poll.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/buffers.h"
#include "ktrace/event.h"
#include "ktrace/tracepoint.h"

/* The fields of a tracepoint, from its format, and what they mean, as far as its print fmt says so. */
struct error *format_describe(struct arena *arena, struct tracepoint *tracepoint) must_check;

struct stream; /* opaque */

/* Where buffers->names is NULL, what a thread is called is guessed where a record doesn't say. */
struct error *stream_open(struct arena *arena, const struct plan *plan, const struct buffers *buffers,
			  struct stream **ret) must_check;
/* Only the events of these processes' own threads; the buffers have `names`. */
struct error *stream_only(struct stream *stream, const pid_t *pids, unsigned npids) must_check;
/* Events say which process their thread is of; the stream has `names`. */
struct error *stream_processes(struct stream *stream) must_check;
void stream_close(struct stream *stream);

/* Reads what the CPUs have now. `final`: tracing is stopped, read to the end and hold nothing
 * back for ordering. */
struct error *stream_read(struct stream *stream, bool final) must_check;
/* The next event of what was read, filtered by probe->filter; NULL: call stream_read again, after
 * stream_wait. Allocates nothing. */
const struct event *stream_next(struct stream *stream);
/* Sleeps until it is time to read: after a pause, or, where nothing fires, once something does. Or until
 * one of the caller's fds is ready, as poll(2) says there, or limit_ms have passed (-1: no limit).
 * nfds: at most 4. */
void stream_wait(struct stream *stream, struct pollfd *fds, unsigned nfds, int limit_ms);

struct stream_counts {
	uint64_t read;     /* events decoded, filtered ones included */
	uint64_t filtered; /* dropped by probe->filter */
	uint64_t unknown;  /* of threads that may be one of those that were asked for, or a child's */
	uint64_t lost;     /* overwritten before they were read, all CPUs; or, lost_is_unknown, at least */
	bool lost_is_unknown;
	unsigned ncpus;
	const uint64_t *lost_per_cpu;
	const uint64_t *records; /* that were read of plan->probes[i] */
};
/* What can't be read makes `lost` unknown; why, or NULL. All else is known. */
struct error *stream_counts(const struct stream *stream, struct stream_counts *ret) must_check;

#endif
