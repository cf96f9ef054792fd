// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a live trace: opens session, stream and outputs, and undoes everything at the end, however
 * it ends: count, time, signal, the command's exit, a reader that is gone, a full disk.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/open_files.h"
#include "cmd/cmd.h"
#include "cmd/live/child.h"
#include "cmd/live/live_run.h"
#include "target/target.h"

/* Per CPU: 150 ms at 2.5 million events a second, which is how long a busy machine may keep us
 * from reading. For all CPUs together no more than our one reader prints in about a second (the
 * kernel takes 0.2 s to allocate that), and at most 1/64 of a small machine's memory. */
#define BUFFER_KB     16384u
#define BUFFER_ALL_KB (16 * BUFFER_KB)
#define BUFFER_PART   64

static bool is_stack(const struct value *value, bool of_user)
{
	return of_user ? value->stack > STACK_KERNEL : value->stack == STACK_KERNEL;
}

static bool has_stack(const struct probe *probe, bool of_user)
{
	for (unsigned i = 0; i < probe->nvalues; i++)
		if (is_stack(&probe->values[i], of_user))
			return true;
	for (unsigned i = 0; i < probe->nstarts; i++)
		if (is_stack(&probe->starts[i], of_user))
			return true;
	return false;
}

static bool has_stacks(const struct plan *plan, bool of_user)
{
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (has_stack(&plan->probes[i], of_user))
			return true;
	return false;
}

/* A user stack's addresses mean something in its own process. */
static bool needs_processes(const struct plan *plan)
{
	return tables_need_processes(plan) || has_stacks(plan, true);
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
		error = stream_only(live->stream, live->options->pids.numbers,
				    live->options->pids.count);
	return error;
}

/* The command is traced from its execve(2) on, not before. Once a signal has ended the trace it is
 * not run at all: Ctrl-C may be for the command. */
static struct error *start_command(struct live *live)
{
	struct error *error;

	live_read_signals(live);
	if (live->nsignals && live->child->path) {
		strbuf_printf(&live->words, "ktrace: '%s' was not started: a signal came before\n",
			      live->child->command[0]);
		live_say(live);
		return NULL;
	}
	if (!live->child->pid)
		return NULL;
	error = session_follow(live->session);
	watch_openings(&live->watch);
	if (!error)
		error = child_wake(live->arena, live->child);
	if (!error)
		error = session_record(live->session);
	return error ? error : child_go(live->arena, live->child);
}

static struct error *trace(struct live *live)
{
	struct error *error = open_stream(live);

	if (!error && live->context.origin)
		origin_begin(&live->keeper, live->stream);
	if (!error && has_stacks(live->plan, true))
		mapped_open(live->symbolizer.processes);
	if (!error)
		error = session_enable(live->session);
	if (!error) {
		say_ready(&live->words, live->options, live->plan, live->session);
		if (!live->options->quiet)
			say_replaced(&live->words, &live->watch, &live->options->pids);
		live_say(live);
		error = start_command(live);
	}
	if (!error)
		error = output_begin(&live->output);
	if (!error)
		*live->options->has_begun = true;
	if (!error)
		error = live_loop(live);
	if (!error)
		error = live_finish(live);
	if (!error && live->child->path && !live->child->pid)
		live->nleft = session_followed(live->session, &live->left);
	stream_close(live->stream);
	return error;
}

bool is_smart_terminal(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* https://no-color.org */
bool is_colored(void)
{
	const char *no_color = getenv("NO_COLOR");

	return is_smart_terminal() && (!no_color || !*no_color);
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

/* Programs that ran, but not from the probed files, or run on. */
static void say_unseen(struct live *live)
{
	const struct options *options = live->options;

	say_just_replaced(&live->words, &live->watch);
	if (!options->pids.count && !options->command)
		say_all_replaced(&live->words, &live->watch);
	if (!options->pids.count && !options->all && options->command && !live->events)
		say_never_opened(&live->words, &live->watch, options->command[0]);
	if (live->nleft)
		say_left_running(&live->words, options->command[0], live->left, live->nleft);
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
		.open_files = live->open_files,
		.to_stderr = options->json && !options->output,
		.mark = mark,
		.cookie = live->session,
	};

	if (error)
		return error;
	if (live->plan->following)
		live->follow = follow_open(live->arena, options, live->plan, live->session,
					   &live->context);
	/* the kernel looked up the path again: it must be the same file */
	if (live->program)
		error = target_check_unchanged(live->arena, live->program);
	if (!error)
		error = child_start(live->arena, live->child, &start);
	if (!error)
		error = trace(live);
	undo = session_close(live->session);
	if (live->counts.ncpus) /* the trace ran to its end */
		say_summary(&live->words, live->options, live->plan, live->events - live->unwritten,
			    &live->counts, &live->missed);
	if (live->counts.ncpus && live->follow)
		follow_remarks(live->follow, &live->words, "ktrace: ");
	if (live->counts.ncpus && live->graphs)
		graph_remarks(&live->words, "ktrace: ", live->plan->graph,
			      graphs_counts(live->graphs));
	if (live->counts.ncpus && !live->options->quiet)
		say_unseen(live);
	live_say(live);
	return error ? error : undo;
}

static struct error *open_outputs(struct live *live)
{
	const struct options *options = live->options;
	const char **probed = arena_array(live->arena, const char *, live->plan->nprobes + 1);
	const char *const *precious;
	struct error *error = NULL;
	unsigned count = 0;

	for (unsigned i = 0; i < live->plan->nprobes; i++)
		if (live->plan->probes[i].site && live->plan->probes[i].site->path)
			probed[count++] = live->plan->probes[i].site->path;
	precious = precious_files(live->arena, options, probed, count);
	if (options->output)
		error = output_open(&live->output, "-o", precious, options->quiet);
	if (error || !options->flame)
		return error;
	if (options->output)
		probed[count++] = options->output;
	precious = precious_files(live->arena, options, probed, count);
	return output_open(&live->flame, "--flame", precious, options->quiet);
}

struct error *run_live(struct arena *arena, const struct options *options, const struct plan *plan,
		       const struct target *program, const struct code_places *places,
		       struct child *child)
{
	struct live live = {
		.open_files = open_files_allow(),
		.child = child,
		.arena = arena,
		.options = options,
		.plan = plan,
		.sink = options->json ? &sink_json : &sink_text,
		.program = program,
		.watch = {.fd = -1, .opened = -1},
		.traced = {.fd = -1},
		.symbolizer = {.arena = arena, .program = program, .keeps_symbols = options->json},
		.signals = {.fd = -1},
		.ends = arena_array(arena, size_t, LIVE_CHUNK_EVENTS),
	};
	struct error *error, *unwritten;

	output_init(&live.output, arena, options->output ? -1 : STDOUT_FILENO,
		    options->output ?: "standard output");
	output_init(&live.flame, arena, -1, options->flame);
	output_init(&live.errors, arena, STDERR_FILENO, "standard error");

	arena_init(&live.symbolizer.frame_arena);
	arena_init(&live.symbolizer.name_arena);
	live.symbolizer.processes = arena_new(arena, struct processes);
	live.symbolizer.processes->places = places ? &places->places : NULL;
	live.symbolizer.processes->is_quiet = options->quiet;
	live.unwinder = (struct unwinder){unwind_stack, live.symbolizer.processes};
	if (options->json)
		origin_init(arena, &live.keeper, plan, program);
	live.context = (struct sink_context){.symbolize = symbolize,
					     .frames = stack_names,
					     .memory = stack_memory,
					     .cookie = &live.symbolizer,
					     .is_nested = options->verbose && !plan->graph,
					     .origin = options->json ? &live.keeper.origin : NULL};
	live.printer = printer_new(arena, live.sink, plan, &live.context);
	error = kernel_code_open(arena, options, places, has_stacks(plan, false),
				 &live.symbolizer.kernel);
	if (plan->graph)
		live.graphs = graphs_new(arena, plan, &live.context, &(struct graph_options){
			.is_json = options->json,
			.is_colored = !options->json && !options->output && is_colored(),
			.limit = options->count,
		});
	if (!error && !plan->following)
		error = table_view_open(&live.view, arena, options, plan, &live.context);
	if (error)
		return error;
	error = open_outputs(&live);
	if (!error)
		error = signals_take(arena, &live.signals);
	if (!error) {
		say_leftovers(&live.words, arena, options);
		live_say(&live);
		watch_open(&live.watch, arena, plan);
		traced_open(&live.traced, arena, &options->pids);
		error = trace_in_session(&live);
		traced_close(&live.traced);
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
	follow_free(live.follow);
	graphs_free(live.graphs);
	arena_deinit(&live.symbolizer.frame_arena);
	arena_deinit(&live.symbolizer.name_arena);
	processes_free(live.symbolizer.processes);
	kernel_code_close(live.symbolizer.kernel);
	strbuf_deinit(&live.out);
	strbuf_deinit(&live.words);
	return error ? error : unwritten;
}
