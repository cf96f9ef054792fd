// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plan in, a live trace out: session and stream opened, events passed from one to the sink, and
 * everything undone at the end, whichever end it is: count, time, signal, the command's exit, a
 * reader that has gone, a full disk. Signals come in by signalfd, in the one loop there is.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/cmd.h"
#include "session/session.h"
#include "sink/sink.h"
#include "stream/stream.h"
#include "target/kallsyms.h"
#include "target/target.h"

/* For each CPU: 150 ms at 2.5 million events a second, which is how long a busy machine may keep us
 * from reading; of a small machine's memory, no more than that part of all. */
#define BUFFER_KB   16384u
#define BUFFER_PART 64
#define CHUNK       ((size_t)1 << 17) /* of a write; it stays in a processor's cache */

struct live {
	struct arena *arena;
	const struct options *options;
	const struct plan *plan;
	struct session *session;
	struct stream *stream;
	const struct sink *sink;
	struct sink_context context;
	struct printer *printer;
	struct kallsyms *kallsyms;
	const struct target *program; /* or NULL */
	const struct event *event;    /* that is printed */
	char symbol[256];
	struct child child;
	struct strbuf out;
	int output;
	int signals;
	sigset_t old_signals;
	uint64_t deadline; /* ns of CLOCK_MONOTONIC, 0: none */
	uint64_t events;
	bool is_file;
	bool gone;   /* nobody reads the output any more */
	bool ended;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Where the program of a uprobe is loaded, the hit itself tells. Only what lies in it has a name. */
static const char *symbolize_program(struct live *live, uint64_t address)
{
	const struct site *site = live->event->probe->site;
	const struct symbol *symbol;

	if (!live->program || !site->has_address)
		return NULL;
	address -= live->event->ip - site->address;
	symbol = target_symbol_at(live->program, address, NULL);
	if (!symbol)
		return NULL;
	snprintf(live->symbol, sizeof(live->symbol), "%s+0x%llx", symbol->name,
		 (unsigned long long)(address - symbol->address));
	return live->symbol;
}

static const char *symbolize(void *cookie, uint64_t address)
{
	struct live *live = cookie;

	if (live->event->probe->site->path)
		return symbolize_program(live, address);
	if (!live->kallsyms)
		live->kallsyms = kallsyms_open(live->arena);
	return live->kallsyms ? kallsyms_name(live->kallsyms, address) : NULL;
}

static struct error *open_output(struct live *live)
{
	const char *path = live->options->output;

	live->output = STDOUT_FILENO;
	if (!path)
		return NULL;
	/* what is there is only cut off once the trace is live: a failure keeps it */
	live->output = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (live->output < 0)
		return error_errno(live->arena, errno, "can't write '%s'", path);
	live->is_file = true;
	return NULL;
}

static struct error *flush(struct live *live)
{
	size_t at = 0;

	while (at < live->out.length && !live->gone) {
		ssize_t written = write(live->output, live->out.data + at, live->out.length - at);

		if (written >= 0) {
			at += (size_t)written;
		} else if (errno == EPIPE) {
			live->gone = live->ended = true;
		} else if (errno != EINTR) {
			live->out.length = 0;
			return error_errno(live->arena, errno, "can't write to '%s'",
					   live->options->output ? live->options->output
								 : "standard output");
		}
	}
	live->out.length = 0;
	return NULL;
}

static struct error *drain(struct live *live, bool final)
{
	const struct event *event;
	struct error *error = stream_read(live->stream, final);

	while (!error && !live->gone && (event = stream_next(live->stream))) {
		if (live->options->count && live->events >= live->options->count)
			break;
		live->event = event;
		printer_event(live->printer, &live->out, event);
		live->events++;
		if (live->out.length >= CHUNK)
			error = flush(live);
	}
	if (live->options->count && live->events >= live->options->count)
		live->ended = true;
	return error ? error : flush(live);
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
		{.fd = live->is_file ? -1 : live->output, .events = 0},
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
		live->gone = live->ended = true;
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

struct missed {
	uint64_t hits;
	uint64_t calls; /* of return probes */
	uint64_t entries; /* of companions at a function's entry */
};

static struct error *count_missed(struct live *live, struct missed *ret)
{
	*ret = (struct missed){0};
	for (unsigned i = 0; i < live->plan->nprobes; i++) {
		enum role role = live->plan->probes[i].role;
		uint64_t hits, misses;
		struct error *error;

		if ((role != ROLE_SHOWN && role != ROLE_ENTRY) || session_skipped(live->session, i))
			continue;
		error = session_profile(live->session, i, &hits, &misses);
		if (error)
			return error;
		if (role == ROLE_ENTRY)
			ret->entries += misses;
		else
			*(live->plan->probes[i].kind == 'r' ? &ret->calls : &ret->hits) += misses;
	}
	return NULL;
}

/* The kernel has two reasons, and a probe of either kind has one of them. */
static void print_missed(const struct missed *missed)
{
	if (missed->hits)
		fprintf(stderr, "ktrace: missed %llu: hits that came while the probe was already busy on "
			"that CPU\n", (unsigned long long)missed->hits);
	if (missed->entries)
		fprintf(stderr, "ktrace: missed %llu entries: what was recorded at the entry may be an earlier "
			"call's in as many calls\n", (unsigned long long)missed->entries);
	if (missed->calls)
		fprintf(stderr, "ktrace: missed %llu: calls beyond the number of returns that can be "
			"waited for at once\n", (unsigned long long)missed->calls);
}

static void print_summary(const struct live *live, const struct stream_counts *counts,
			  const struct missed *missed)
{
	uint64_t all = missed->hits + missed->calls;

	if (live->options->quiet && !counts->lost && !all && !missed->entries)
		return;
	fprintf(stderr, "ktrace: %llu event%s, %llu lost, %llu missed",
		(unsigned long long)live->events, live->events == 1 ? "" : "s",
		(unsigned long long)counts->lost, (unsigned long long)all);
	if (counts->filtered)
		fprintf(stderr, ", %llu filtered", (unsigned long long)counts->filtered);
	fputc('\n', stderr);
	for (unsigned i = 0; i < counts->ncpus; i++)
		if (counts->lost_per_cpu[i])
			fprintf(stderr, "ktrace: CPU %u lost %llu; a larger buffer (-b) keeps more\n",
				i, (unsigned long long)counts->lost_per_cpu[i]);
	print_missed(missed);
}

/* The last of what was recorded, and the counts. */
static struct error *finish(struct live *live)
{
	struct stream_counts counts;
	struct missed missed;
	struct error *error = session_stop(live->session);

	if (!error && !live->gone)
		error = drain(live, true);
	if (!error)
		error = count_missed(live, &missed);
	if (error)
		return error;
	stream_counts(live->stream, &counts);
	live->sink->end(&live->out, live->events, counts.lost, missed.hits + missed.calls);
	error = flush(live);
	if (!error)
		print_summary(live, &counts, &missed);
	return error;
}

/* Even with -q: what comes there is not seen. */
static void say_skipped(const struct live *live, unsigned i)
{
	const struct probe *probe = &live->plan->probes[i];
	const struct error *error = session_skipped(live->session, i);

	if (probe->role == ROLE_SHOWN)
		fprintf(stderr, "ktrace: %s is skipped: %s; %s\n", probe->event, error->message,
			error->hint);
}

static void say_ready(const struct live *live)
{
	const struct options *options = live->options;
	unsigned shown = 0;

	for (unsigned i = 0; i < live->plan->nprobes; i++) {
		const struct probe *probe = &live->plan->probes[i];

		if (session_skipped(live->session, i)) {
			say_skipped(live, i);
			continue;
		}
		for (unsigned j = 0; j < probe->nvalues; j++)
			if (probe->values[j].status != VALUE_OK && !options->quiet)
				fprintf(stderr, "ktrace: %s: '%s' is unavailable: %s\n",
					probe->event, probe->values[j].name,
					probe->values[j].reason);
		shown += probe->role == ROLE_SHOWN;
		if (probe->has_unguarded && !options->quiet)
			fprintf(stderr, "ktrace: %s: some memory is read without a sign of failure: no "
				"room for more arguments\n", probe->event);
		if (options->filter && probe->is_filter_partly_ours && !options->quiet)
			fprintf(stderr, "ktrace: %s: a part of the filter is tested by ktrace: the "
				"kernel can't\n", probe->event);
	}
	if (!options->quiet && !options->count && !options->command && options->seconds <= 0)
		fprintf(stderr, "ktrace: tracing %u %s%s... Ctrl-C ends it\n", shown,
			options->events.count ? "event" : "probe", shown == 1 ? "" : "s");
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
	if (!error && live->is_file && ftruncate(live->output, 0) && errno != EINVAL)
		error = error_errno(live->arena, errno, "can't write '%s'", live->options->output);
	if (!error) {
		say_ready(live);
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
	size_t kb = BUFFER_KB;

	if (pages > 0 && cpus > 0)
		kb = (size_t)pages * ((size_t)sysconf(_SC_PAGESIZE) / 1024) / BUFFER_PART /
		     (size_t)cpus;
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

static void warn_leftovers(struct arena *arena, const struct options *options)
{
	struct leftover *left;
	unsigned count;

	if (options->quiet || leftovers_find(arena, &left, &count))
		return;
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "ktrace: a killed ktrace (pid %d) left %u probe%s%s behind; 'ktrace "
			"clean' removes them\n", (int)left[i].pid, left[i].nevents,
			left[i].nevents == 1 ? "" : "s",
			left[i].has_instance ? " and its instance" : "");
}

struct error *run_live(struct arena *arena, const struct options *options, const struct plan *plan,
		       const struct target *program)
{
	struct live live = {
		.arena = arena,
		.options = options,
		.plan = plan,
		.program = program,
		.sink = options->json ? &sink_json : &sink_text,
		.output = -1,
		.signals = -1,
	};
	struct error *error;

	live.context = (struct sink_context){.symbolize = symbolize, .cookie = &live,
					     .is_nested = options->verbose};
	live.printer = printer_new(arena, live.sink, plan, &live.context);
	warn_leftovers(arena, options);
	error = take_signals(&live);
	if (!error)
		error = open_output(&live);
	if (!error)
		error = child_start(arena, options->command, &live.old_signals, &live.child);
	if (!error)
		error = trace_in_session(&live);
	child_end(&live.child);
	if (live.is_file && close(live.output) && !error)
		error = error_errno(arena, errno, "can't write '%s'", options->output);
	close(live.signals);
	strbuf_deinit(&live.out);
	return error;
}
