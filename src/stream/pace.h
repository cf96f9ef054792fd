/* SPDX-License-Identifier: GPL-2.0-only */
/* When the CPUs' buffers are read again. */
#ifndef STREAM_PACE_H
#define STREAM_PACE_H

#include "stream/merge_cpus.h"

#define FDS_MAX 4u /* a caller's */
struct pace {
	size_t buffer_bytes; /* of a CPU */
	unsigned pause_ms;
	unsigned quiet;     /* rounds without a page */
	bool is_woken;      /* by records not read yet */
	struct pollfd *fds; /* for poll(2): the caller's, then those of the CPUs */
	unsigned ncpus;
};
void pace_init(struct pace *pace, const struct merge *merge, size_t buffer_bytes);
/* Sets the pause before the next read, after a round that is over. */
void pace_set(struct pace *pace, const struct merge *merge);
/* Sleeps as stream_wait() does. */
void pace_wait(struct pace *pace, const struct merge *merge, struct pollfd *fds, unsigned nfds,
	       int limit_ms);

#endif
