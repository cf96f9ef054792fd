// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a live run's output and messages, to readers that may be slow, or gone. The trace goes on
 * meanwhile; once its time is over the probes are disabled first, as traced code must not wait for
 * a pager.
 */
#include <poll.h>
#include <string.h>

#include "cmd/live/live_run.h"

/* Disables the probes: traced code must not hit them while we wait for a reader. */
static struct error *quiet(struct live *live)
{
	struct error *error = live->is_quiet ? NULL : session_stop(live->session);

	if (!error && !live->is_quiet)
		error = session_quiet(live->session);
	live->is_quiet = true;
	return error;
}

void live_say(struct live *live)
{
	struct pollfd fds[2] = {
		{.fd = live->signals.fd, .events = POLLIN},
		{.fd = live->errors.fd, .events = POLLOUT},
	};

	/* a message that isn't read in time is dropped */
	while (!output_write(&live->errors, &live->words) && live->words.length)
		if (live->nsignals || poll(fds, 2, LIVE_PATIENCE_MS) <= 0 || fds[0].revents ||
		    fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
			break;
	live->errors.at = live->words.length = 0;
}

static void say_waiting(struct live *live)
{
	if (live->is_said || live->options->quiet || live->nsignals)
		return;
	live->is_said = true;
	strbuf_printf(
		&live->words,
		"ktrace: the trace has ended, and its probes are disabled; waiting for the reader "
		"of %s, Ctrl-C gives up the rest\n",
		live->output.name);
	live_say(live);
}

/* Waits until the output takes more, or the trace ends for another reason. */
static struct error *wait_for_reader(struct live *live)
{
	struct pollfd fds[3] = {
		{.fd = live->signals.fd, .events = POLLIN},
		{.fd = live->output.fd, .events = POLLOUT},
		{.fd = live->written ? -1 : live->watch.fd, .events = POLLIN},
	};
	unsigned before = live->nsignals;
	int limit = live_time_left(live);
	struct error *error = live->ended ? quiet(live) : NULL;
	int ready;

	if (error)
		return error;
	ready = poll(fds, 3,
		     live->ended && (live->nsignals || !live->is_said) ? LIVE_PATIENCE_MS : limit);
	if (ready > 0 && fds[0].revents)
		live_read_signals(live);
	if (ready > 0 && fds[2].revents)
		live_read_watch(live);
	if (ready == 0 && live->ended)
		say_waiting(live);
	/* a second signal ends the wait */
	live->is_given_up = (before && live->nsignals > before) || (ready == 0 && live->nsignals);
	live->output.gone = ready > 0 && fds[1].revents & (POLLERR | POLLHUP | POLLNVAL);
	return NULL;
}

static void give_up(struct live *live)
{
	for (unsigned i = 0; i < live->nends; i++)
		live->unwritten += live->ends[i] > live->output.at;
	live->output.at = live->out.length = 0;
}

/* A reader of a file that ends early must know what it has. */
static struct error *write_output(struct live *live)
{
	struct error *error = output_write(&live->output, &live->out);

	for (unsigned i = 0; error && i < live->nends; i++)
		live->unwritten += live->ends[i] > live->output.failed;
	if (!error || live->view.tables)
		return error;
	return error_hint(live->arena, error,
			  "%llu whole events are written; what came after them is lost, and the "
			  "trace has ended",
			  (unsigned long long)(live->events - live->unwritten));
}

struct error *live_flush(struct live *live)
{
	struct error *error = live->is_given_up ? NULL : write_output(live);

	while (!error && live->out.length && !live->is_given_up && !live->output.gone) {
		error = wait_for_reader(live);
		if (!error)
			error = write_output(live);
	}
	if (live->is_given_up)
		give_up(live);
	live->nends = 0;
	return error;
}

struct error *live_flush_blocks(struct live *live)
{
	unsigned nends = live->nends;
	size_t length = live->out.length;
	size_t whole = nends < LIVE_CHUNK_EVENTS ? output_blocks(&live->output, length) : length;
	struct error *error;

	live->out.length = whole;
	error = live_flush(live);
	if (error || whole == length)
		return error;
	memmove(live->out.data, live->out.data + whole, length - whole);
	live->out.length = length - whole;
	for (unsigned i = 0; i < nends; i++)
		if (live->ends[i] > whole)
			live->ends[live->nends++] = live->ends[i] - whole;
	return NULL;
}
