// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says when the buffers are read again: after a pause, or, when nothing fires, when the kernel
 * wakes us. To read more often than needed costs the traced program more than the events do.
 */
#include "stream/pace.h"

/* Bytes a CPU can record in 1 ms: 4 million events of 40 bytes a second, from benchmarks. */
#define BYTES_PER_MS 160000u
#define PAUSE_BUSY_MS 2u
#define PAUSE_MS 10u
#define QUIET_ROUNDS 5u
#define IDLE_WAIT_MS 1000 /* in case a kernel forgets to wake us, or a CPU comes online */

void pace_init(struct pace *pace, const struct merge *merge, size_t buffer_bytes)
{
	*pace = (struct pace){
		.buffer_bytes = buffer_bytes, .pause_ms = PAUSE_BUSY_MS, .ncpus = merge->ncpus};
	pace->fds = arena_array(merge->arena, struct pollfd, FDS_MAX + merge->ncpus);
	for (unsigned i = 0; i < merge->ncpus; i++) {
		struct page_source *source = merge->cpus[i].source;

		pace->fds[FDS_MAX + i] = (struct pollfd){
			source->ops->poll_fd(source, merge->cpus[i].place), POLLIN, 0};
	}
}

/* The pause is short enough that an empty buffer can't become half full. */
void pace_set(struct pace *pace, const struct merge *merge)
{
	unsigned safe = (unsigned)(pace->buffer_bytes / 2 / BYTES_PER_MS);
	unsigned pause = PAUSE_MS;
	size_t most = merge_most(merge);

	/* the record that woke us is held back until the next round, and a reader may wait for
	 * it */
	if (pace->is_woken || most > pace->buffer_bytes / 8 || safe < PAUSE_BUSY_MS)
		pause = PAUSE_BUSY_MS;
	else if (safe < PAUSE_MS)
		pause = safe;
	pace->pause_ms = pause;
	pace->quiet = most ? 0 : pace->quiet + 1;
	pace->is_woken = false;
}

/* A CPU that was never online always polls ready: it is not polled again. */
static void see_who_woke(struct pace *pace)
{
	struct pollfd *cpus = pace->fds + FDS_MAX;

	for (unsigned i = 0; i < pace->ncpus; i++) {
		pace->is_woken = pace->is_woken || cpus[i].revents;
		if (cpus[i].revents & ~POLLIN)
			cpus[i].fd = -1;
	}
	if (pace->is_woken)
		pace->quiet = 0;
}

/* The kernel wakes us once, at a CPU's first record: later ones cost the traced program nothing. */
void pace_wait(struct pace *pace, const struct merge *merge, struct pollfd *fds, unsigned nfds,
	       int limit_ms)
{
	bool is_quiet = pace->quiet >= QUIET_ROUNDS && !merge->nheap;
	int most_ms = is_quiet ? IDLE_WAIT_MS : (int)pace->pause_ms;
	struct pollfd *all = pace->fds + FDS_MAX - nfds;
	int ready;

	for (unsigned i = 0; i < nfds; i++)
		all[i] = fds[i];
	ready = poll(all, nfds + (is_quiet ? pace->ncpus : 0),
		     limit_ms < 0 || limit_ms > most_ms ? most_ms : limit_ms);
	for (unsigned i = 0; i < nfds; i++)
		fds[i].revents = ready > 0 ? all[i].revents : 0;
	if (is_quiet && ready > 0)
		see_who_woke(pace);
}
