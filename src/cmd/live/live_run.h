/* SPDX-License-Identifier: GPL-2.0-only */
/* A live run while it is under way, as the files live*.c share it. */
#ifndef CMD_LIVE_RUN_H
#define CMD_LIVE_RUN_H

#include <time.h>

#include "cmd/live/live.h"
#include "cmd/live/origin.h"
#include "cmd/live/output.h"
#include "cmd/live/signals.h"
#include "cmd/stacks/stack_frames.h"

#define LIVE_CHUNK ((size_t)1 << 17) /* bytes per write; stays in a processor's cache */
#define LIVE_CHUNK_EVENTS 8192
/* How long after a signal we wait for the output's reader to take anything. */
#define LIVE_PATIENCE_MS 1000

struct live {
	struct arena *arena;
	const struct options *options;
	const struct plan *plan;
	struct session *session;
	struct stream *stream;
	const struct sink *sink;
	struct sink_context context;
	struct clock_keeper keeper; /* of JSON */
	struct printer *printer;
	struct table_view view;
	struct follow *follow; /* NULL: calls aren't followed */
	struct graphs *graphs; /* or NULL */
	struct symbolizer symbolizer;
	struct unwinder unwinder;
	struct child *child;
	const struct target *program; /* or NULL */
	struct watch watch;
	struct traced traced;
	const char *written; /* a probed file that was written to, or NULL */
	struct strbuf out;
	size_t *ends; /* ends of the events in `out`, bytes */
	unsigned nends;
	struct output output;
	struct output flame; /* --flame's file */
	struct strbuf words;
	struct output errors; /* standard error */
	struct signals signals;
	uint64_t open_files; /* the limit of them that ktrace was started with */
	unsigned nsignals; /* ending signals received */
	pid_t *left; /* processes that the command started, and which outlive it */
	unsigned nleft;
	uint64_t deadline; /* ns of CLOCK_MONOTONIC, 0: none */
	uint64_t events;
	uint64_t unwritten; /* events never written */
	uint64_t dropped;   /* hits that the kernel had no room to count */
	struct stream_counts counts;
	struct missed missed;
	bool ended;
	bool is_quiet;    /* the probes are disabled while we wait for a reader */
	bool is_said;     /* the user was told so */
	bool is_given_up; /* the output isn't read: drop it */
};

/* ns of CLOCK_MONOTONIC */
static inline uint64_t live_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* live_loop.c: until something ends the trace. */
struct error *live_loop(struct live *live) must_check;
/* Passes what was recorded to the sink; final: all of it. */
struct error *live_drain(struct live *live, bool final) must_check;
/* Trees were appended to the output: writes it, if it is long. */
struct error *live_shown(struct live *live, unsigned shown) must_check;
void live_read_signals(struct live *live);
void live_read_watch(struct live *live);
/* How long to sleep, in ms; -1: no limit. A deadline that has passed ends the trace. */
int live_time_left(struct live *live);

/* live_write.c: writes all of the text, however long its reader takes. */
struct error *live_flush(struct live *live) must_check;
/* The same, but leaves what doesn't fill a block of a file of our own. More is to come:
 * live_flush() follows. */
struct error *live_flush_blocks(struct live *live) must_check;
/* Writes the words to standard error. */
void live_say(struct live *live);

/* live_end.c: reads the last records, and the counts. */
struct error *live_finish(struct live *live) must_check;
bool live_counts_in_kernel(const struct live *live);
/* Reads what the kernel has counted so far; *dropped: hits for which it had no room. */
struct error *live_take_counted(struct live *live, uint64_t *dropped) must_check;

#endif
