// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills the instance's pid files, which choose the processes to trace. The kernel numbers threads
 * there as in the first pid namespace, and a process in another namespace can't even ask for that
 * number. But each record has it: so a process writes a mark into the instance's own buffer, and
 * its record tells the number.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ktrace/event.h"
#include "session/internal.h"

#include <tracefs.h>

#define FIRST_NAMESPACE "pid:[4026531836]" /* the kernel's PROC_PID_INIT_INO, since 3.8 */
#define ROUNDS_MAX 100
#define MARKS_MAX  5000 /* a millisecond apart */

/* A new instance inherits the top one's print options, which anybody may have set, and has no file
 * in options/ for some of them. EINVAL: the kernel doesn't know the option. */
static struct error *make_readable(struct session *session)
{
	static const char *const options[] = {"markers", "context-info", "noraw", "nohex", "nobin",
					      "nolatency-format", "nofields", "noprintk-msg-only"};
	int err = 0;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options) && (!err || err == EINVAL); i++)
		err = tfs_write(session->instance, "trace_options", options[i]);
	if (!err || err == EINVAL)
		return NULL;
	return tfs_error(session->arena,
			 tfs_path(session->arena, session->instance, "trace_options"), "write",
			 err);
}

/* Before 6.18 the kernel doesn't wait for the page of the text: while it is moved, as into a huge
 * page, the record is "<faulted>" and the error EFAULT. */
static int write_mark(const struct session *session)
{
	const struct timespec pause = {.tv_nsec = 1000 * 1000};
	int err = tfs_write(session->instance, "trace_marker", session->group);

	for (int i = 1; err == EFAULT && i < MARKS_MAX; i++) {
		nanosleep(&pause, NULL);
		err = tfs_write(session->instance, "trace_marker", session->group);
	}
	return err;
}

void session_mark(const struct session *session)
{
	write_mark(session); /* if it fails, session_follow() says that there is none */
}

static const char *back_over(const char *line, const char *end, const char *set)
{
	while (end > line && strchr(set, end[-1]))
		end--;
	return end;
}

/* " <...>-26745 (-------) [000] ...1. 1025.359957: tracing_mark_write: ktrace_12\n"; the process
 * in parentheses is there only where recording it is on. 0: another record. */
static pid_t marked_pid(const struct session *session, char *line)
{
	const char *mark = arena_printf(session->arena, ": %s\n", session->group), *end;
	size_t length = strlen(line), at = length - strlen(mark);

	if (length < strlen(mark) || strcmp(line + at, mark))
		return 0;
	line[at] = '\0';
	end = strrchr(line, '[');
	end = back_over(line, end ? end : line, " ");
	if (end > line && end[-1] == ')')
		end = back_over(line, back_over(line, end - 1, "0123456789- "), "( ");
	end = back_over(line, end, "0123456789");
	return end > line && end[-1] == '-' ? (pid_t)strtol(end, NULL, 10) : 0;
}

/* 0 or an errno; *ret is 0 if no record is the mark. Reading trace_pipe takes the records out of
 * the buffer. */
static int find_mark(const struct session *session, pid_t *ret)
{
	int fd = tracefs_instance_file_open(session->instance, "trace_pipe",
					    O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	int err = file ? 0 : errno;
	char *line = NULL;
	size_t size = 0;

	*ret = 0;
	while (file && !*ret && getline(&line, &size, file) > 0)
		*ret = marked_pid(session, line);
	if (file && !*ret && ferror(file) && errno != EAGAIN)
		err = errno;
	free(line);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	return err;
}

static struct error *read_mark(struct session *session, const char **ret)
{
	struct arena *arena = session->arena;
	pid_t pid;
	int err = find_mark(session, &pid);

	if (err)
		return tfs_error(arena, tfs_path(arena, session->instance, "trace_pipe"), "read",
				 err);
	*ret = arena_printf(arena, "%d", (int)pid);
	return pid ? NULL : error_new(arena, ERROR_SYSTEM,
				      "the kernel doesn't say which process wrote to '%s'",
				      tfs_path(arena, session->instance, "trace_marker"));
}

/* Adds a process's threads to set_event_pid; *ret counts them. */
static struct error *add_threads(struct session *session, pid_t pid, unsigned *ret)
{
	const char *tasks = arena_printf(session->arena, "/proc/%d/task", (int)pid);
	DIR *directory = opendir(tasks);
	struct error *error = NULL;
	struct dirent *entry;

	if (!directory)
		return error_hint(session->arena,
				  error_errno(session->arena, errno == ENOENT ? ESRCH : errno,
					      "cannot trace process %d", (int)pid),
				  "ps -e lists what is there; a program that is yet to start is "
				  "written behind --");
	while (!error && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		error = tfs_set(session->arena, session->instance, "set_event_pid", entry->d_name);
		++*ret;
	}
	closedir(directory);
	return error;
}

/* Whether a process is in the first pid namespace. */
static bool is_first(struct arena *arena, const char *process)
{
	char text[64];
	ssize_t length = readlink(arena_printf(arena, "/proc/%s/ns/pid", process), text,
				  sizeof(text) - 1);

	if (length < 0)
		return false;
	text[length] = '\0';
	return !strcmp(text, FIRST_NAMESPACE);
}

static struct error *check_namespace(struct session *session, pid_t pid)
{
	struct arena *arena = session->arena;

	if (is_first(arena, "self") || is_first(arena, "1") || is_first(arena, "2"))
		return NULL;
	return error_hint(arena, error_new(arena, ERROR_SYSTEM,
					   "-p %d can't be traced from here: /proc shows the "
					   "numbers of another pid namespace, and the kernel's "
					   "filter takes those of the first one", (int)pid),
			  "run ktrace on the host (of docker: --pid=host), or use --comm NAME");
}

static struct error *add_listed(struct session *session, unsigned *count)
{
	const struct session_options *options = session->options;
	struct error *error = NULL;

	*count = 0;
	for (unsigned i = 0; i < options->npids && !error; i++)
		error = add_threads(session, options->pids[i], count);
	return error;
}

/* A thread that isn't listed yet may start another while we list: repeat until none is new. Once
 * the option is set, the kernel adds the children of listed threads. */
static struct error *add_processes(struct session *session)
{
	unsigned count, last = 0;
	struct error *error = check_namespace(session, session->options->pids[0]);

	for (int round = 0; !error && round < ROUNDS_MAX; round++) {
		error = add_listed(session, &count);
		if (count == last)
			break;
		last = count;
	}
	return error;
}

static struct error *follow_forks(struct session *session)
{
	bool exists;
	struct error *error =
		tfs_look(session->arena, session->instance, "options/event-fork", &exists);

	if (error || exists)
		return error ? error :
			       tfs_set(session->arena, session->instance, "options/event-fork",
				       "1");
	return error_hint(session->arena,
			  error_new(session->arena, ERROR_SYSTEM,
				    "this kernel can't tell what a process "
				    "starts: tracefs has no option event-fork"),
			  "-a: trace everything");
}

/* Whether an interrupt handler may execute a probe of the plan. */
static bool is_for_interrupts(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->definitions[i].file != &event_files[1])
			return true;
	return false;
}

/* set_event_notrace_pid would keep out interrupts, too, that come while this process runs: those of
 * the disk that it waits for, most of all. */
static bool is_kept_out_by_filters(const struct session *session)
{
	return !session->options->npids && !session->options->follows && is_for_interrupts(session);
}

/* The field of an event that names another task than the current one; NULL: it has none. */
static const char *other_task(const struct definition *definition)
{
	static const struct {
		const char *event;
		const char *field;
	} rows[] = {{"sched_switch", "next_pid"},
		    {"sched_wakeup", "pid"},
		    {"sched_wakeup_new", "pid"},
		    {"sched_waking", "pid"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!definition->file && !strcmp(definition->group, "sched") &&
		    !strcmp(definition->event, rows[i].event))
			return rows[i].field;
	return NULL;
}

const char *who_own_clause(const struct session *session, unsigned probe)
{
	const struct definition *definition = &session->definitions[probe];
	const char *other = other_task(definition), *test;

	if (!is_kept_out_by_filters(session))
		return NULL;
	test = arena_printf(session->arena, "common_pid != %d", (int)session->own);
	if (definition->file == &event_files[1])
		return test;
	if (other)
		test = arena_printf(session->arena, "%s || %s != %d", test, other,
				    (int)session->own);
	return arena_printf(session->arena, "(%s || common_flags & %d)", test,
			    INTERRUPT_HARD | INTERRUPT_SOFT | INTERRUPT_NMI);
}

struct error *who_set(struct session *session)
{
	const struct session_options *options = session->options;
	const char *own;
	struct error *error = make_readable(session);
	int err;

	if (error)
		return error;
	err = write_mark(session);
	if (err)
		return tfs_error(session->arena,
				 tfs_path(session->arena, session->instance, "trace_marker"),
				 "write", err);
	error = read_mark(session, &own);
	if (!error)
		session->own = atoi(own);
	if (!error && !is_kept_out_by_filters(session))
		error = tfs_set(session->arena, session->instance, "set_event_notrace_pid", own);
	if (error || !(options->npids || options->follows))
		return error;
	if (options->npids) {
		error = follow_forks(session);
		return error ? error : add_processes(session);
	}
	/* until there is a process to follow, this one, which isn't shown: an empty list means
	 * all */
	return tfs_set(session->arena, session->instance, "set_event_pid", own);
}

struct error *who_follow_forks(struct session *session)
{
	return session->options->follows ? follow_forks(session) : NULL;
}

struct error *session_follow(struct session *session)
{
	const char *pid;
	struct error *error;

	if (!session->options->follows)
		return NULL;
	error = set_recording(session, "0");
	if (!error)
		error = read_mark(session, &pid);
	return error ? error : tfs_set(session->arena, session->instance, "set_event_pid", pid);
}

struct error *session_record(struct session *session)
{
	return session->options->follows ? set_recording(session, "1") : NULL;
}

/* Numbers of a process's other threads, or of another namespace, don't count. */
static bool is_process(const char *pid)
{
	char name[64], line[128], state = 'Z';
	long tgid = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%s/status", pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "State: %c", &state);
		if (sscanf(line, "Tgid: %ld", &tgid) == 1)
			break;
	}
	if (file)
		fclose(file);
	return tgid == strtol(pid, NULL, 10) && state != 'Z' && state != 'X';
}

unsigned session_followed(struct session *session, pid_t **ret)
{
	unsigned count = 0;
	char *text, *line;
	pid_t pid;

	*ret = NULL;
	if (!session->options->follows || !is_first(session->arena, "self") ||
	    tfs_read(session->arena, session->instance, "set_event_pid", &text))
		return 0;
	while ((line = text_line(&text))) {
		pid = (pid_t)strtol(line, NULL, 10);
		if (pid != getpid() && is_process(line))
			arena_append(session->arena, *ret, count) = pid;
	}
	return count;
}
