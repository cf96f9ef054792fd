// SPDX-License-Identifier: GPL-2.0-only
/*
 * session/, stream/ and sink/ driven by a plan from a file (see driver.h):
 *
 *	driver live  [OPTION...] PLAN [-- COMMAND...]  traces, prints events and at the end, on
 *	                                               stderr, counts
 *	driver record [OPTION...] PLAN DIRECTORY -- COMMAND...  keeps the raw pages instead
 *	driver replay [-j] DIRECTORY                   prints what was recorded
 *	driver list | left [PID] | clean [PID] | caps
 *
 * Options: -j JSON; -b KB; -p (the command's process only); -n COMM; -s (read only at the end);
 * -w (wait on standard input instead of a command).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "session/session.h"
#include "sink/sink.h"
#include "stream/stream.h"

struct options {
	const struct sink *sink;
	struct session_options session;
	bool own_pid;
	bool at_end;
	bool waits;
};

struct run {
	struct arena *arena;
	struct options options;
	struct plan plan;
	struct session *session;
	struct stream *stream;
	struct sink_context context;
	struct printer *printer;
	struct strbuf out;
	uint64_t shown;
	pid_t child;
	int gate;
};

static struct error *text_read(struct arena *arena, const char *path, char **ret)
{
	FILE *file = fopen(path, "r");
	size_t room = 1 << 20, n;

	if (!file)
		return error_errno(arena, errno, "%s", path);
	*ret = arena_alloc(arena, room);
	n = fread(*ret, 1, room - 1, file);
	(*ret)[n] = '\0';
	fclose(file);
	return NULL;
}

static void drain(struct run *run)
{
	const struct event *event;

	if (!run->printer)
		run->printer = printer_new(run->arena, run->options.sink, &run->plan, &run->context);
	while ((event = stream_next(run->stream))) {
		printer_event(run->printer, &run->out, event);
		run->shown++;
		if (run->out.length > 1 << 20) {
			fwrite(run->out.data, 1, run->out.length, stdout);
			run->out.length = 0;
		}
	}
	if (run->out.length)
		fwrite(run->out.data, 1, run->out.length, stdout);
	fflush(stdout);
	run->out.length = 0;
}

/* The child is behind a pipe: it becomes COMMAND when the gate is closed. */
static void child_start(struct run *run, char **command)
{
	int fds[2];
	char byte;

	if (!*command || pipe(fds))
		return;
	run->child = fork();
	if (!run->child) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) > 0)
			_exit(0);
		close(fds[0]);
		execvp(command[0], command);
		_exit(127);
	}
	close(fds[0]);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	run->gate = fds[1];
}

/* The command has ended; or, with -w, somebody wrote to standard input or closed it. */
static bool is_over(struct run *run)
{
	char byte;

	if (run->options.waits)
		return read(STDIN_FILENO, &byte, 1) >= 0;
	return run->child <= 0 || waitpid(run->child, NULL, WNOHANG) == run->child;
}

static void say_ready(const struct run *run)
{
	if (!run->options.waits)
		return;
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	puts("ready");
	fflush(stdout);
}

static struct error *trace(struct run *run)
{
	struct error *error = session_enable(run->session);
	bool over = false;

	say_ready(run);
	close(run->gate);
	while (!error && !over) {
		over = is_over(run);
		if (!run->options.at_end) {
			error = stream_read(run->stream, false);
			drain(run);
		}
		if (!over)
			stream_wait(run->stream, NULL, 0, 50);
	}
	return error;
}

static struct error *print_counts(struct run *run)
{
	struct stream_counts counts;
	struct probe_hits *hits;
	struct error *error = session_hits(run->session, &hits);

	if (!error)
		error = stream_counts(run->stream, &counts);
	if (error)
		return error;
	fprintf(stderr, "shown %llu read %llu filtered %llu lost %llu", (long long)run->shown,
		(long long)counts.read, (long long)counts.filtered, (long long)counts.lost);
	for (unsigned i = 0; i < run->plan.nprobes; i++)
		fprintf(stderr, " hits %llu", (long long)hits[i].hits);
	fputc('\n', stderr);
	return NULL;
}

static struct error *stream_live(struct run *run)
{
	const struct buffers *buffers;
	struct error *error = session_buffers(run->session, &buffers);

	if (!error)
		error = stream_open(run->arena, &run->plan, buffers, &run->stream);
	if (!error)
		error = trace(run);
	if (!error)
		error = session_stop(run->session);
	if (!error) {
		error = stream_read(run->stream, true);
		drain(run);
	}
	if (!error)
		error = print_counts(run);
	stream_close(run->stream);
	return error;
}

static void write_file(const char *directory, const char *name, const void *data, size_t length)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, length, file) != length || fclose(file))
		perror(path);
}

/* Pages go to files without what lies behind their last record: that is old kernel memory. */
static void record_pages(const char *instance, const char *directory, int cpu)
{
	static uint8_t pages[256][4096];
	char name[128], path[4096];
	unsigned n = 0;
	int fd;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	snprintf(path, sizeof(path), "%s/%s", instance, name);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	while (fd >= 0 && n < 256 && read(fd, pages[n], 4096) == 4096) {
		uint32_t used = (uint32_t)(pages[n][8] | pages[n][9] << 8) + 16;

		if (used < 4096)
			memset(pages[n] + used, 0, 4096 - used);
		n++;
	}
	if (fd < 0)
		return;
	close(fd);
	write_file(directory, name, pages, (size_t)n * 4096);
}

static void copy_file(struct arena *arena, const char *instance, const char *directory,
		      const char *name)
{
	char *text;

	if (!text_read(arena, arena_printf(arena, "%s/%s", instance, name), &text))
		write_file(directory, name, text, strlen(text));
}

static struct error *record(struct run *run, const char *directory)
{
	const struct buffers *buffers;
	struct error *error = session_buffers(run->session, &buffers);
	const char *instance = buffers->directory;

	if (!error)
		error = session_enable(run->session);
	if (error)
		return error;
	close(run->gate);
	waitpid(run->child, NULL, 0);
	error = session_stop(run->session);
	for (int cpu = 0; cpu < 8; cpu++) {
		copy_file(run->arena, instance, directory,
			  arena_printf(run->arena, "per_cpu/cpu%d/stats", cpu));
		record_pages(instance, directory, cpu);
	}
	copy_file(run->arena, instance, directory, "events/header_page");
	copy_file(run->arena, instance, directory, "buffer_size_kb");
	for (unsigned i = 0; i < run->plan.nprobes; i++) {
		const char *format = buffers->events[i].format;

		write_file(directory, arena_printf(run->arena, "format.%u", i), format,
			   strlen(format));
	}
	return error;
}

static struct error *session_run(struct run *run, const char *directory, char **command)
{
	struct error *error, *undone;

	child_start(run, command);
	if (run->options.own_pid)
		run->options.session.pids = &run->child, run->options.session.npids = 1;
	error = session_open(run->arena, &run->plan, &run->options.session, &run->session);
	if (error) {
		if (run->child > 0)
			kill(run->child, SIGKILL);
		return error;
	}
	error = directory ? record(run, directory) : stream_live(run);
	undone = session_close(run->session);
	return error ? error : undone;
}

static struct error *replay(struct run *run, const char *directory)
{
	struct live_event *events;
	struct buffers buffers = {.directory = directory};
	struct error *error;
	char *text;

	error = text_read(run->arena, arena_printf(run->arena, "%s/plan", directory), &text);
	if (!error)
		error = plan_read(run->arena, text, &run->plan);
	buffers.events = events = arena_array(run->arena, struct live_event, run->plan.nprobes);
	for (unsigned i = 0; !error && i < run->plan.nprobes; i++) {
		error = text_read(run->arena, arena_printf(run->arena, "%s/format.%u", directory,
							   i), &text);
		events[i].format = error ? NULL : text;
		events[i].id = error ? 0 : atoi(strstr(text, "ID: ") + 4);
	}
	if (!error)
		error = text_read(run->arena, arena_printf(run->arena, "%s/events/header_page", directory), &text);
	if (error)
		return error;
	buffers.header_page = text;
	buffers.cpu_bytes = 64 << 10;
	error = stream_open(run->arena, &run->plan, &buffers, &run->stream);
	if (!error)
		error = stream_read(run->stream, true);
	if (error)
		return error;
	drain(run);
	run->options.sink->end(&run->out, &(struct table_end){.events = run->shown});
	drain(run);
	stream_close(run->stream);
	return NULL;
}

static struct error *list(struct arena *arena)
{
	struct live_probe *probes;
	unsigned count;
	struct error *error = live_probes(arena, &probes, &count);

	for (unsigned i = 0; !error && i < count; i++)
		printf("%s/%s owner %d alive %d enabled %d hits %llu misses %llu: %s\n",
		       probes[i].group, probes[i].event, (int)probes[i].owner.pid,
		       probes[i].owner_alive, probes[i].enabled, (long long)probes[i].hits,
		       (long long)probes[i].misses, probes[i].definition);
	return error;
}

static struct error *leftovers(struct arena *arena, bool remove, const char *pid)
{
	struct leftover *left;
	unsigned count;
	bool is_alive;
	struct error *error = leftovers_find(arena, &left, &count);

	for (unsigned i = 0; !error && i < count; i++) {
		if (pid && left[i].owner.pid != atoi(pid))
			continue;
		printf("pid %d instance %d events %u\n", (int)left[i].owner.pid, left[i].has_instance,
		       left[i].nevents);
		if (remove)
			error = leftovers_remove(arena, &left[i], &is_alive);
	}
	return error;
}

static struct error *caps(struct arena *arena)
{
	struct caps caps;
	struct error *error = caps_read(arena, &caps);

	if (!error)
		printf("immediate %d sums %d\n", caps.has_immediate, caps.has_sums);
	return error;
}

static char **read_options(char **argv, struct options *options)
{
	*options = (struct options){.sink = &sink_text, .session.buffer_kb = 1024};
	for (; *argv && **argv == '-' && strcmp(*argv, "--"); argv++) {
		switch ((*argv)[1]) {
		case 'j': options->sink = &sink_json; break;
		case 'b': options->session.buffer_kb = (size_t)atoi(*++argv); break;
		case 'n': options->session.comms = (const char *const *)++argv, options->session.ncomms = 1; break;
		case 'p': options->own_pid = true; break;
		case 's': options->at_end = true; break;
		case 'w': options->waits = true; break;
		default: fprintf(stderr, "driver: %s?\n", *argv), exit(2);
		}
	}
	return argv;
}

static struct error *live(struct run *run, char **argv, bool records)
{
	const char *directory = NULL;
	struct error *error;
	char *text;

	error = text_read(run->arena, *argv, &text);
	if (!error)
		error = plan_read(run->arena, text, &run->plan);
	if (error)
		return error;
	if (records) {
		directory = *++argv;
		write_file(directory, "plan", text, strlen(text));
	}
	argv++;
	return session_run(run, directory, *argv ? argv + 1 : argv);
}

static struct error *dispatch(struct run *run, const char *verb, char **argv)
{
	if (!strcmp(verb, "live") || !strcmp(verb, "record"))
		return live(run, argv, *verb == 'r');
	if (!strcmp(verb, "replay"))
		return replay(run, *argv);
	if (!strcmp(verb, "list"))
		return list(run->arena);
	if (!strcmp(verb, "left") || !strcmp(verb, "clean"))
		return leftovers(run->arena, *verb == 'c', *argv);
	if (!strcmp(verb, "caps"))
		return caps(run->arena);
	return error_new(run->arena, ERROR_USAGE, "no verb '%s'", verb);
}

static void print_error(const struct error *error)
{
	fprintf(stderr, "error %d: %s\n", error->code, error->message);
	if (error->text)
		fprintf(stderr, "  %s\n", error->text);
	if (error->text && error->span.end > error->span.start)
		fprintf(stderr, "  %*s%.*s\n", (int)error->span.start, "",
			(int)(error->span.end - error->span.start),
			"^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^");
	if (error->hint)
		fprintf(stderr, "  %s\n", error->hint);
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct run run = {.arena = &arena, .gate = -1};
	struct error *error;

	if (argc < 2)
		return 2;
	arena_init(&arena);
	error = dispatch(&run, argv[1], read_options(argv + 2, &run.options));
	if (error)
		print_error(error);
	strbuf_deinit(&run.out);
	arena_deinit(&arena);
	return error ? 1 : 0;
}
