// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan in, a live trace out: session and stream opened, events passed from one to the sink, and
 * everything undone at the end, whichever end it is: count, time, signal, the command's exit, a
 * reader that has gone, a full disk. Signals come in by signalfd, in the one loop there is.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/live.h"
#include "sink/sink.h"

/* For each CPU: 150 ms at 2.5 million events a second, which is how long a busy machine may keep us
 * from reading. For all of them no more than a reader, of which there is one, prints in about a second: the
 * kernel takes 0.2 s to allocate that. And of a small machine's memory no more than that part. */
#define BUFFER_KB     16384u
#define BUFFER_ALL_KB (16 * BUFFER_KB)
#define BUFFER_PART   64
#define CHUNK         ((size_t)1 << 17) /* of a write; it stays in a processor's cache */

struct live {
	struct arena *arena;
	const struct options *options;
	const struct plan *plan;
	struct session *session;
	struct stream *stream;
	const struct sink *sink;
	struct sink_context context;
	struct printer *printer;
	struct symbolizer symbolizer;
	struct child child;
	struct strbuf out;
	struct output output;
	int signals;
	sigset_t old_signals;
	uint64_t deadline; /* ns of CLOCK_MONOTONIC, 0: none */
	uint64_t events;
	bool ended;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct error *drain(struct live *live, bool final)
{
	const struct event *event;
	struct error *error = stream_read(live->stream, final);

	while (!error && !live->output.gone && (event = stream_next(live->stream))) {
		if (live->options->count && live->events >= live->options->count)
			continue; /* the rest is only counted */
		live->symbolizer.event = event;
		printer_event(live->printer, &live->out, event);
		live->events++;
		if (live->out.length >= CHUNK)
			error = output_write(&live->output, &live->out);
	}
	if (live->options->count && live->events >= live->options->count)
		live->ended = true;
	if (!error)
		error = output_write(&live->output, &live->out);
	live->ended = live->ended || live->output.gone;
	return error;
}

static void read_signals(struct live *live)
{
	struct signalfd_siginfo info;

	while (read(live->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			live->ended = true;
		else if (child_has_ended(&live->child))
			live->ended = true;
	}
}

/* Sleeps until there is something to do: to read, a signal, the deadline, a closed pipe (which a quiet
 * trace would otherwise never notice). */
static void wait_a_little(struct live *live)
{
	struct pollfd fds[2] = {
		{.fd = live->signals, .events = POLLIN},
		{.fd = live->output.path ? -1 : live->output.fd, .events = 0},
	};
	int limit = -1;

	if (live->deadline) {
		uint64_t time = now();
		uint64_t left = live->deadline > time ? (live->deadline - time) / 1000000u : 0;

		limit = left < INT_MAX ? (int)left + 1 : -1;
		live->ended = live->ended || live->deadline <= time;
	}
	if (live->ended)
		return;
	stream_wait(live->stream, fds, 2, limit);
	if (fds[0].revents & POLLIN)
		read_signals(live);
	if (fds[1].revents & (POLLERR | POLLNVAL))
		live->output.gone = live->ended = true;
}

static struct error *loop(struct live *live)
{
	struct error *error = NULL;

	if (live->options->seconds > 0)
		live->deadline = now() + (uint64_t)(live->options->seconds * 1e9);
	while (!error && !live->ended) {
		wait_a_little(live);
		if (!live->ended)
			error = drain(live, false);
	}
	return error;
}

/* The kernel takes its time: what is hit meanwhile must not fill the buffer. */
static struct error *settle(struct live *live)
{
	struct error *error = NULL;

	while (!error && !live->output.gone && session_settle(live->session))
		error = drain(live, false);
	return error;
}

/* The last of what was recorded, and the counts. */
static struct error *finish(struct live *live)
{
	struct stream_counts counts;
	struct missed missed;
	struct error *error = settle(live);

	if (!error)
		error = session_stop(live->session);
	if (!error && !live->output.gone)
		error = drain(live, true);
	if (error)
		return error;
	stream_counts(live->stream, &counts);
	error = count_missed(live->arena, live->plan, live->session, &counts, &missed);
	if (error)
		return error;
	if (live->output.gone) /* not all was read */
		missed.unrecorded = 0;
	live->sink->end(&live->out, live->events, counts.lost, missed.hits + missed.calls,
			missed.unrecorded);
	error = output_write(&live->output, &live->out);
	if (!error)
		say_summary(live->options, live->plan, live->events, &counts, &missed);
	return error;
}

static struct error *open_stream(struct live *live)
{
	struct stream_source *sources = arena_array(live->arena, struct stream_source,
						    live->plan->nprobes + 1);

	for (unsigned i = 0; i < live->plan->nprobes; i++) {
		sources[i].id = session_event_id(live->session, i);
		sources[i].format = session_event_format(live->session, i);
	}
	return stream_open(live->arena, session_directory(live->session),
			   session_names_directory(live->session), live->plan, sources, &live->stream);
}

static struct error *trace(struct live *live)
{
	struct error *error = open_stream(live);

	if (!error)
		error = session_enable(live->session);
	if (!error)
		error = output_begin(&live->output);
	if (!error) {
		say_ready(live->options, live->plan, live->session);
		error = child_go(live->arena, &live->child);
	}
	if (!error)
		error = loop(live);
	if (!error)
		error = finish(live);
	stream_close(live->stream);
	return error;
}

static size_t default_buffer_kb(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t kb = BUFFER_ALL_KB;

	if (pages > 0)
		kb = (size_t)pages * ((size_t)sysconf(_SC_PAGESIZE) / 1024) / BUFFER_PART;
	if (kb > BUFFER_ALL_KB)
		kb = BUFFER_ALL_KB;
	if (cpus > 0)
		kb /= (size_t)cpus;
	return kb < BUFFER_KB ? kb : BUFFER_KB;
}

static struct error *trace_in_session(struct live *live)
{
	const struct options *options = live->options;
	struct session_options wanted = {
		.buffer_kb = options->buffer_kb ? options->buffer_kb : default_buffer_kb(),
		.pid = (pid_t)options->pid,
		.comm = options->comm,
	};
	struct error *error, *undo;

	error = session_open(live->arena, live->plan, &wanted, &live->session);
	if (error)
		return error;
	error = trace(live);
	undo = session_close(live->session);
	return error ? error : undo;
}

/* From here on signals are read, not delivered: nothing of the kernel's is left half done. */
static struct error *take_signals(struct live *live)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &live->old_signals);
	live->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (live->signals < 0)
		return error_errno(live->arena, errno, "signalfd");
	return NULL;
}

struct error *run_live(struct arena *arena, const struct options *options, const struct plan *plan,
		       const struct target *program)
{
	struct live live = {
		.arena = arena,
		.options = options,
		.plan = plan,
		.sink = options->json ? &sink_json : &sink_text,
		.symbolizer = {.arena = arena, .program = program},
		.output = {.arena = arena, .path = options->output, .fd = -1},
		.signals = -1,
	};
	struct error *error, *unwritten;

	live.context = (struct sink_context){.symbolize = symbolize,
					     .cookie = &live.symbolizer,
					     .is_nested = options->verbose};
	live.printer = printer_new(arena, live.sink, plan, &live.context);
	say_leftovers(arena, options);
	error = take_signals(&live);
	if (!error)
		error = output_open(&live.output);
	if (!error)
		error = child_start(arena, options->command, &live.old_signals, &live.child);
	if (!error)
		error = trace_in_session(&live);
	child_end(&live.child);
	unwritten = output_close(&live.output);
	close(live.signals);
	strbuf_deinit(&live.out);
	return error ? error : unwritten;
}
