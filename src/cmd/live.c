// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a live trace: opens session and stream, passes events to the sink, and undoes everything at
 * the end, however it ends: count, time, signal, the command's exit, a reader that is gone, a full
 * disk. Signals arrive by signalfd, in the one loop.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/live.h"
#include "cmd/signals.h"
#include "cmd/stacks.h"
#include "sink/sink.h"
#include "target/target.h"

/* Per CPU: 150 ms at 2.5 million events a second, which is how long a busy machine may keep us
 * from reading. For all CPUs together no more than our one reader prints in about a second (the
 * kernel takes 0.2 s to allocate that), and at most 1/64 of a small machine's memory. */
#define BUFFER_KB     16384u
#define BUFFER_ALL_KB (16 * BUFFER_KB)
#define BUFFER_PART   64
#define CHUNK         ((size_t)1 << 17) /* per write; stays in a processor's cache */
#define CHUNK_EVENTS  8192
/* How long after a signal we wait for the output's reader to take anything. */
#define PATIENCE_MS 1000

struct live {
	struct arena *arena;
	const struct options *options;
	const struct plan *plan;
	struct session *session;
	struct stream *stream;
	const struct sink *sink;
	struct sink_context context;
	struct printer *printer;
	struct table_view view;
	struct symbolizer symbolizer;
	struct unwinder unwinder;
	struct child *child;
	const struct target *program; /* or NULL */
	struct watch watch;
	const char *written; /* a probed file that somebody wrote to, or NULL */
	struct strbuf out;
	size_t *ends; /* ends of the events in `out`, bytes */
	unsigned nends;
	struct output output;
	struct output flame; /* --flame's file */
	struct strbuf words;
	struct output errors; /* standard error */
	struct signals signals;
	unsigned nsignals; /* ending signals received */
	uint64_t deadline; /* ns of CLOCK_MONOTONIC, 0: none */
	uint64_t events;
	uint64_t unwritten; /* events never written */
	uint64_t dropped;   /* hits that the kernel had no room to count */
	struct stream_counts counts;
	struct missed missed;
	bool ended;
	bool is_quiet;    /* the probes are disabled while we wait for a reader */
	bool is_said;     /* the user was told so */
	bool is_given_up; /* nobody reads the output: drop it */
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void read_signals(struct live *live)
{
	bool child;

	live->nsignals += signals_read(&live->signals, &child);
	live->ended = live->ended || live->nsignals || (child && child_has_ended(live->child));
}

static void read_watch(struct live *live)
{
	live->written = watch_read(&live->watch);
	live->ended = live->ended || live->written;
}

/* How long to sleep, in ms; -1: no limit. A deadline that has passed ends the trace. */
static int time_left(struct live *live)
{
	uint64_t time, left, next;

	if ((!live->deadline && !live->view.next) || live->ended)
		return -1;
	time = now();
	live->ended = live->deadline && live->deadline <= time;
	next = live->view.next && (!live->deadline || live->view.next < live->deadline) ? live->view.next : live->deadline;
	left = live->ended || next <= time ? 0 : (next - time) / 1000000u;
	return left < INT_MAX ? (int)left + 1 : -1;
}

/* Disables the probes: traced code must not hit them while we wait for a reader. */
static struct error *quiet(struct live *live)
{
	struct error *error = live->is_quiet ? NULL : session_stop(live->session);

	if (!error && !live->is_quiet)
		error = session_quiet(live->session);
	live->is_quiet = true;
	return error;
}

static void say(struct live *live)
{
	struct pollfd fds[2] = {
		{.fd = live->signals.fd, .events = POLLIN},
		{.fd = live->errors.fd, .events = POLLOUT},
	};

	/* a message that nobody reads in time is dropped */
	while (!output_write(&live->errors, &live->words) && live->words.length)
		if (live->nsignals || poll(fds, 2, PATIENCE_MS) <= 0 || fds[0].revents ||
		    fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
			break;
	live->errors.at = live->words.length = 0;
}

static void say_waiting(struct live *live)
{
	if (live->is_said || live->options->quiet || live->nsignals)
		return;
	live->is_said = true;
	strbuf_printf(&live->words, "ktrace: the trace has ended, and its probes are removed; waiting for the reader "
		      "of %s, Ctrl-C gives up the rest\n", live->output.name);
	say(live);
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
	int limit = time_left(live);
	struct error *error = live->ended ? quiet(live) : NULL;
	int ready;

	if (error)
		return error;
	ready = poll(fds, 3, live->ended && (live->nsignals || !live->is_said) ? PATIENCE_MS : limit);
	if (ready > 0 && fds[0].revents)
		read_signals(live);
	if (ready > 0 && fds[2].revents)
		read_watch(live);
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

/* Writes all of the text, however long its reader takes. */
static struct error *flush(struct live *live)
{
	struct error *error = live->is_given_up ? NULL : output_write(&live->output, &live->out);

	while (!error && live->out.length && !live->is_given_up && !live->output.gone) {
		error = wait_for_reader(live);
		if (!error)
			error = output_write(&live->output, &live->out);
	}
	if (live->is_given_up)
		give_up(live);
	live->nends = 0;
	return error;
}

static struct error *drain(struct live *live, bool final)
{
	const struct event *event;
	struct error *error = stream_read(live->stream, final);

	while (!error && !live->output.gone && (event = stream_next(live->stream))) {
		if (live->options->count && live->events >= live->options->count)
			continue; /* the rest is only counted */
		live->events++;
		live->unwritten += live->is_given_up;
		if (live->is_given_up)
			continue;
		live->symbolizer.event = event;
		if (live->view.tables) {
			tables_event(live->view.tables, event);
			continue;
		}
		printer_event(live->printer, &live->out, event);
		live->ends[live->nends++] = live->out.length;
		if (live->out.length >= CHUNK || live->nends == CHUNK_EVENTS)
			error = flush(live);
	}
	if (live->options->count && live->events >= live->options->count)
		live->ended = true;
	if (!error)
		error = flush(live);
	live->ended = live->ended || live->output.gone;
	return error;
}

/* Sleeps until there is something to do: records to read, a signal, the deadline, a reader that
 * is gone (which a quiet trace would otherwise never notice). */
static void wait_a_little(struct live *live)
{
	struct pollfd fds[3] = {
		{.fd = live->signals.fd, .events = POLLIN},
		{.fd = live->output.fd, .events = 0},
		{.fd = live->watch.fd, .events = POLLIN},
	};
	int limit = time_left(live);

	mapped_read(live->symbolizer.processes);
	if (live->ended)
		return;
	stream_wait(live->stream, fds, 3, limit);
	if (fds[0].revents & POLLIN)
		read_signals(live);
	if (fds[2].revents & POLLIN)
		read_watch(live);
	if (fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
		live->output.gone = live->ended = true;
}

static bool counts_in_kernel(const struct live *live)
{
	return live->options->in_kernel && live->view.tables;
}

/* Reads what the kernel has counted so far; *dropped: hits for which it had no room. */
static struct error *take_counted(struct live *live, uint64_t *dropped)
{
	struct error *error = NULL;
	struct arena arena;

	arena_init(&arena);
	tables_restart(live->view.tables);
	live->events = *dropped = 0;
	for (unsigned i = 0; i < live->plan->nprobes && !error; i++) {
		struct counted counted;

		if (!live->plan->probes[i].counting)
			continue;
		error = session_counted(live->session, &arena, i, &counted);
		if (error)
			break;
		tables_counted(live->view.tables, i, &counted);
		*dropped += counted.dropped;
		for (unsigned j = 0; j < counted.nrows; j++)
			live->events += counted.rows[j].hits;
	}
	error = error ? error_copy(live->arena, error) : NULL;
	arena_deinit(&arena);
	return error;
}

/* Shows the tables so far; misses are only known at the end. */
static struct error *show_interim(struct live *live)
{
	uint64_t time = now();
	struct table_end end = {.missed = NOT_KNOWN};
	struct stream_counts counts;
	struct error *error;

	if (live->ended || !table_view_is_due(&live->view, time))
		return NULL;
	error = counts_in_kernel(live) ? take_counted(live, &live->dropped) : NULL;
	if (error)
		return error;
	end.events = live->events;
	end.dropped = live->dropped;
	end.lost = stream_counts(live->stream, &counts) ? NOT_KNOWN : counts.lost;
	end.pairs = counts.pairs;
	end.npairs = counts.npairs;
	table_view_show(&live->view, &live->out, &end, time);
	return flush(live);
}

static struct error *loop(struct live *live)
{
	struct error *error = NULL;

	if (live->options->seconds > 0)
		live->deadline = now() + (uint64_t)(live->options->seconds * 1e9);
	table_view_begin(&live->view, now());
	while (!error && !live->ended) {
		wait_a_little(live);
		if (!live->ended)
			error = drain(live, false);
		if (!error)
			error = show_interim(live);
	}
	return error;
}

static struct error *not_written(const struct live *live)
{
	return error_new(live->arena, ERROR_SYSTEM, "nobody reads %s: of %llu events the last %llu are not "
			 "written", live->output.name, (unsigned long long)live->events,
			 (unsigned long long)live->unwritten);
}

/* Disables the probes one by one. Each takes the kernel a while; hits in between must not fill
 * the buffer, so it is drained. */
static struct error *settle(struct live *live)
{
	struct error *error = NULL;

	while (!error && !live->output.gone && session_settle(live->session))
		error = drain(live, false);
	return error;
}

static struct error *was_written(const struct live *live)
{
	return error_hint(live->arena, error_new(live->arena, ERROR_SYSTEM, "'%s' was written to while it was "
						 "traced: other code may lie at its probes now, so they are "
						 "removed", live->written),
			  "processes that have run it since it began to be written may fail; start it, and "
			  "ktrace, again");
}

/* Writes --flame's file; one that nobody reads is not waited for. */
static struct error *draw_flame(struct live *live, const struct table_end *end)
{
	struct strbuf text = {0};
	struct error *error = live->options->flame ? output_begin(&live->flame) : NULL;

	if (error || !live->options->flame)
		return error;
	tables_show(live->view.tables, &text, TABLE_FLAME, end);
	error = output_write(&live->flame, &text);
	if (!error && text.length)
		error = error_new(live->arena, ERROR_SYSTEM, "can't write all of '%s'", live->flame.name);
	strbuf_deinit(&text);
	return error;
}

static struct error *show_last(struct live *live, bool is_lost_unknown)
{
	const struct missed *missed = &live->missed;
	struct table_end end = {
		.events = live->events,
		.lost = is_lost_unknown ? NOT_KNOWN : live->counts.lost,
		.missed = missed->is_unknown ? NOT_KNOWN : missed->hits + missed->calls,
		.unrecorded = missed->unrecorded,
		.dropped = missed->dropped,
		.pairs = live->counts.pairs,
		.npairs = live->counts.npairs,
		.is_final = true,
	};

	if (live->view.tables)
		table_view_show(&live->view, &live->out, &end, now());
	live->sink->end(&live->out, &end);
	return live->view.tables ? draw_flame(live, &end) : NULL;
}

/* Reads the last records, and the counts. */
static struct error *finish(struct live *live)
{
	struct missed *missed = &live->missed;
	struct error *error = settle(live), *lost, *unknown, *unwritten;

	if (!error)
		error = session_stop(live->session);
	if (!error && !live->output.gone)
		error = drain(live, true);
	if (!error && counts_in_kernel(live))
		error = take_counted(live, &live->dropped);
	if (error)
		return error;
	lost = stream_counts(live->stream, &live->counts);
	unknown = count_missed(live->arena, live->plan, live->session, &live->counts, missed);
	missed->dropped = live->dropped;
	if (live->output.gone) /* not everything was read */
		missed->unrecorded = 0;
	error = show_last(live, lost);
	unwritten = flush(live);
	error = error ? error : unwritten;
	if (error)
		return error;
	if (live->is_given_up)
		return not_written(live);
	return live->written ? was_written(live) : lost ? lost : unknown;
}

/* A user stack's addresses mean something in its own process. */
static bool has_user_stack(const struct probe *probe)
{
	for (unsigned i = 0; i < probe->nvalues; i++)
		if (probe->values[i].stack > STACK_KERNEL)
			return true;
	for (unsigned i = 0; i < probe->nstarts; i++)
		if (probe->starts[i].stack > STACK_KERNEL)
			return true;
	return false;
}

static bool has_user_stacks(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (has_user_stack(&plan->probes[i]))
			return true;
	return false;
}

static bool needs_processes(const struct plan *plan)
{
	return tables_need_processes(plan) || has_user_stacks(plan);
}

static struct error *open_stream(struct live *live)
{
	const struct buffers *buffers;
	struct error *error = session_buffers(live->session, &buffers);

	if (!error)
		error = stream_open(live->arena, live->plan, buffers, &live->stream);
	if (!error && live->plan->npairs && live->options->open)
		error = stream_pairs(live->stream, (unsigned)live->options->open);
	if (!error && needs_processes(live->plan))
		error = stream_processes(live->stream);
	if (!error)
		stream_unwinds(live->stream, &live->unwinder);
	if (!error && live->options->pids.count)
		error = stream_only(live->stream, live->options->pids.numbers, live->options->pids.count);
	return error;
}

/* The command is traced from its execve(2) on, not before. */
static struct error *start_command(struct live *live)
{
	struct error *error = child_wake(live->arena, live->child);

	if (!error && live->child->pid)
		error = session_follow(live->session);
	return error ? error : child_go(live->arena, live->child);
}

static struct error *trace(struct live *live)
{
	struct error *error = open_stream(live);

	if (!error)
		error = session_enable(live->session);
	if (!error) {
		say_ready(&live->words, live->options, live->plan, live->session);
		say(live);
		error = start_command(live);
	}
	if (!error)
		error = output_begin(&live->output);
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

static void mark(void *cookie)
{
	session_mark(cookie);
}

static struct error *trace_in_session(struct live *live)
{
	const struct options *options = live->options;
	const struct session_options wanted = {
		.buffer_kb = options->buffer_kb ? options->buffer_kb : default_buffer_kb(),
		.pids = options->pids.numbers,
		.npids = options->pids.count,
		.comms = options->comms.texts,
		.ncomms = options->comms.count,
		.wants_processes = needs_processes(live->plan),
		.follows = options->command && !options->all && !options->pids.count,
	};
	struct error *undo, *error = session_open(live->arena, live->plan, &wanted, &live->session);
	const struct child_start start = {
		.signals = &live->signals.old,
		.was_ignored = options->ignores_pipe,
		.to_stderr = options->json && !options->output,
		.mark = mark,
		.cookie = live->session,
	};

	if (error)
		return error;
	/* the kernel looked up the path again: it must be the same file */
	if (live->program)
		error = target_check_unchanged(live->arena, live->program);
	if (!error)
		error = child_start(live->arena, live->child, &start);
	if (!error)
		error = trace(live);
	undo = session_close(live->session);
	if (live->counts.ncpus) /* the trace ran to its end */
		say_summary(&live->words, live->options, live->plan, live->events - live->unwritten, &live->counts,
			    &live->missed);
	say(live);
	return error ? error : undo;
}

/* -o and --flame may not name a file that the trace needs. */
static struct error *open_outputs(struct live *live)
{
	struct error *error = NULL;

	const struct options *options = live->options;
	const char **precious = arena_array(live->arena, const char *, live->plan->nprobes + 5);
	unsigned count = 0;

	for (unsigned i = 0; i < live->plan->nprobes; i++)
		if (live->plan->probes[i].site && live->plan->probes[i].site->path)
			precious[count++] = live->plan->probes[i].site->path;
	if (options->command)
		precious[count++] = options->command[0];
	if (options->vmlinux)
		precious[count++] = options->vmlinux;
	if (options->module)
		precious[count++] = options->module;
	if (options->output)
		error = output_open(&live->output, precious, options->quiet);
	if (!error && options->flame)
		error = output_open(&live->flame, precious, options->quiet);
	return error;
}

struct error *run_live(struct arena *arena, const struct options *options, const struct plan *plan,
		       const struct target *program, struct child *child)
{
	struct live live = {
		.child = child,
		.arena = arena,
		.options = options,
		.plan = plan,
		.sink = options->json ? &sink_json : &sink_text,
		.program = program,
		.watch = {.fd = -1},
		.symbolizer = {.arena = arena, .program = program},
		.signals = {.fd = -1},
		.ends = arena_array(arena, size_t, CHUNK_EVENTS),
	};
	struct error *error, *unwritten;

	output_init(&live.output, arena, options->output ? -1 : STDOUT_FILENO,
		    options->output ?: "standard output");
	output_init(&live.flame, arena, -1, options->flame);
	output_init(&live.errors, arena, STDERR_FILENO, "standard error");

	arena_init(&live.symbolizer.frame_arena);
	live.symbolizer.processes = arena_new(arena, struct processes);
	if (has_user_stacks(plan))
		mapped_open(live.symbolizer.processes);
	live.unwinder = (struct unwinder){unwind_stack, live.symbolizer.processes};
	live.context = (struct sink_context){.symbolize = symbolize,
					     .frames = stack_names,
					     .cookie = &live.symbolizer,
					     .is_nested = options->verbose};
	live.printer = printer_new(arena, live.sink, plan, &live.context);
	error = table_view_open(&live.view, arena, options, plan, &live.context);
	if (error)
		return error;
	say_leftovers(arena, options);
	error = open_outputs(&live);
	if (!error)
		error = signals_take(arena, &live.signals);
	if (!error) {
		watch_open(&live.watch, arena, plan);
		error = trace_in_session(&live);
		watch_close(&live.watch);
	}
	if (child->path && !child->pid && !live.nsignals)
		*options->status = child->status;
	if (!child_end(child))
		say_goes_on(child);
	unwritten = output_close(&live.output);
	if (!unwritten)
		unwritten = output_close(&live.flame);
	if (live.errors.own >= 0)
		close(live.errors.own);
	signals_release(&live.signals);
	tables_free(live.view.tables);
	arena_deinit(&live.symbolizer.frame_arena);
	processes_free(live.symbolizer.processes);
	strbuf_deinit(&live.out);
	strbuf_deinit(&live.words);
	return error ? error : unwritten;
}
