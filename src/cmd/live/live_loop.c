// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of a live run: waits for records, signals, deadlines and a write to a probed file, and
 * passes events to the sink. Signals arrive by signalfd, here and nowhere else.
 */
#include <limits.h>
#include <poll.h>

#include "cmd/live/child.h"
#include "cmd/live/live_run.h"

void live_read_signals(struct live *live)
{
	bool child;

	live->nsignals += signals_read(&live->signals, &child);
	live->ended = live->ended || live->nsignals || (child && child_has_ended(live->child));
}

void live_read_watch(struct live *live)
{
	live->written = watch_read(&live->watch);
	live->ended = live->ended || live->written;
}

int live_time_left(struct live *live)
{
	uint64_t time, left, next;

	if ((!live->deadline && !live->view.next) || live->ended)
		return -1;
	time = live_now();
	live->ended = live->deadline && live->deadline <= time;
	next = live->view.next && (!live->deadline || live->view.next < live->deadline) ?
		       live->view.next :
		       live->deadline;
	left = live->ended || next <= time ? 0 : (next - time) / 1000000u;
	return left < INT_MAX ? (int)left + 1 : -1;
}

/* Counts the events by which the output has grown. */
struct error *live_shown(struct live *live, unsigned shown)
{
	live->events += shown;
	if (live->is_given_up) {
		live->unwritten += shown;
		live->out.length = 0;
		return NULL;
	}
	for (; shown; shown--) {
		live->ends[live->nends++] = live->out.length;
		if (live->nends == LIVE_CHUNK_EVENTS) {
			struct error *error = live_flush(live);

			if (error)
				return error;
		}
	}
	return live->out.length >= LIVE_CHUNK ? live_flush_blocks(live) : NULL;
}

static struct error *live_take_call(struct live *live, const struct event *event)
{
	unsigned shown = live->graphs ? graphs_event(live->graphs, &live->out, event) :
			 follow_event(live->follow, &live->out, event);

	return shown ? live_shown(live, shown) : NULL;
}

struct error *live_drain(struct live *live, bool final)
{
	const struct event *event;
	struct error *error = stream_read(live->stream, final);

	while (!error && !live->output.gone && (event = stream_next(live->stream))) {
		live->symbolizer.event = event;
		if (live->graphs || live->follow) {
			error = live_take_call(live, event);
			continue;
		}
		if (live->options->count && live->events >= live->options->count)
			continue; /* the rest is only counted */
		live->events++;
		live->unwritten += live->is_given_up;
		if (live->is_given_up)
			continue;
		if (live->view.tables) {
			tables_event(live->view.tables, event);
			continue;
		}
		printer_event(live->printer, &live->out, event);
		live->ends[live->nends++] = live->out.length;
		if (live->out.length >= LIVE_CHUNK || live->nends == LIVE_CHUNK_EVENTS)
			error = live_flush_blocks(live);
	}
	if (live->options->count && live->events >= live->options->count)
		live->ended = true;
	if (!error)
		error = live_flush(live);
	live->ended = live->ended || live->output.gone;
	return error;
}

/* Once all processes of -p have ended there is nothing more to see. COMMAND is not killed for that:
 * it may be what the user wanted to be done. */
static void read_traced(struct live *live)
{
	const char *command = live->options->command ? live->options->command[0] : NULL;

	if (!traced_have_ended(&live->traced))
		return;
	live->ended = live->ended || !command;
	if (live->options->quiet)
		return;
	say_traced_ended(&live->words, &live->options->pids, command);
	live_say(live);
}

/* Sleeps until there is something to do: records to read, a signal, the deadline, a process of -p
 * that has ended, a reader that is gone (which a quiet trace would otherwise never notice). */
static void wait_a_little(struct live *live)
{
	struct pollfd fds[4] = {
		{.fd = live->signals.fd, .events = POLLIN},
		{.fd = live->output.fd, .events = 0},
		{.fd = live->watch.fd, .events = POLLIN},
		{.fd = live->traced.fd, .events = POLLIN},
	};
	int limit = live_time_left(live);

	mapped_read(live->symbolizer.processes);
	if (live->ended)
		return;
	stream_wait(live->stream, fds, 4, limit);
	if (fds[0].revents & POLLIN)
		live_read_signals(live);
	if (fds[2].revents & POLLIN)
		live_read_watch(live);
	if (fds[3].revents & POLLIN)
		read_traced(live);
	if (fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
		live->output.gone = live->ended = true;
}

/* Shows the tables so far; misses are only known at the end. */
static struct error *show_interim(struct live *live)
{
	uint64_t time = live_now();
	struct table_end end = {.missed = NOT_KNOWN};
	struct stream_counts counts;
	struct error *error;

	if (live->ended || !table_view_is_due(&live->view, time))
		return NULL;
	error = live_counts_in_kernel(live) ? live_take_counted(live, &live->dropped) : NULL;
	if (error)
		return error;
	end.events = live->events;
	end.dropped = live->dropped;
	end.lost = stream_counts(live->stream, &counts) ? NOT_KNOWN : counts.lost;
	end.pairs = counts.pairs;
	end.npairs = counts.npairs;
	table_view_show(&live->view, &live->out, &end, time);
	return live_flush(live);
}

struct error *live_loop(struct live *live)
{
	struct error *error = NULL;

	if (live->options->seconds > 0)
		live->deadline = live_now() + (uint64_t)(live->options->seconds * 1e9);
	table_view_begin(&live->view, live_now());
	while (!error && !live->ended) {
		wait_a_little(live);
		if (!live->ended)
			error = live_drain(live, false);
		if (live->context.origin)
			origin_follow(&live->keeper, live->stream);
		if (!error)
			error = show_interim(live);
	}
	return error;
}
