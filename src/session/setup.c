// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session with its probes defined in; its instance made, sized and filtered out. Filters and
 * pids come first and enabling last, or hits of others would be in the buffer already. Filters
 * and pids need no undo of their own: they die with the instance.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/internal.h"

static struct error *instance_remove(struct session *session, const void *argument)
{
	return tracefs_remove(session->arena, argument);
}

static struct error *instance_quiet(struct session *session, const void *argument)
{
	struct error *error, *second;

	(void)argument;
	error = tracefs_set(session->arena, instance_path(session, "tracing_on"), "0");
	second = tracefs_set(session->arena, instance_path(session, "events/enable"), "0");
	return error ? error : second;
}

struct error *instance_make(struct session *session, const char *directory)
{
	if (mkdir(directory, 0750))
		return error_errno(session->arena, errno, "cannot make the instance '%s'", directory);
	undo_push(session, instance_remove, directory);
	return NULL;
}

struct error *instance_open(struct session *session)
{
	struct error *error = instance_make(session, session->directory);

	if (!error)
		undo_push(session, instance_quiet, NULL);
	return error;
}

/* Until tracing is first used after boot, the top buffer is a page long ("7 (expanded: 1408)"), and
 * any tracer's first event makes it full size. On kernels up to 6.6 or so sizing an instance's buffer
 * takes that step away (tracing_resize_ring_buffer sets a global flag): the top buffer, which is
 * everybody's, would stay a page long. So an event is enabled first, with the instance off. */
static struct error *expand_first(struct session *session)
{
	const char *top = session_path(session, "buffer_size_kb");
	const char *enable;
	unsigned first = 0;
	const char *on = instance_path(session, "tracing_on");
	struct probe_hits *early = NULL;
	struct error *error;
	char *text;

	error = tracefs_read(session->arena, top, &text);
	if (error || !strstr(text, "expanded"))
		return error;
	while (session->live[first].skipped)
		first++;
	enable = event_path(session, first, "enable");
	error = tracefs_set(session->arena, on, "0");
	if (!error)
		error = tracefs_set(session->arena, enable, "1");
	if (!error)
		error = tracefs_set(session->arena, enable, "0");
	if (!error)
		error = session_hits(session, &early);
	session->early = early;
	if (!error)
		error = tracefs_set(session->arena, on, "1");
	return error;
}

static struct error *set_buffer(struct session *session)
{
	struct arena *arena = session->arena;
	const char *path = instance_path(session, "buffer_size_kb");
	size_t kb = session->options->buffer_kb;
	struct error *error;

	if (!kb)
		return NULL;
	error = tracefs_set(arena, path, arena_printf(arena, "%zu", kb));
	return error ? error_hint(arena, error, "a smaller buffer: -b SIZE") : NULL;
}

/* Who waits for records is to be woken by the first, not by a buffer that is half full. */
static struct error *set_wakeup(struct session *session)
{
	const char *path = instance_path(session, "buffer_percent");

	return tracefs_exists(path) ? tracefs_set(session->arena, path, "0") : NULL;
}

/* Adds the threads of a process to a pid file; *ret counts them. */
static struct error *add_threads(struct session *session, const char *file, pid_t pid,
				 unsigned *ret)
{
	const char *tasks = arena_printf(session->arena, "/proc/%d/task", (int)pid);
	DIR *directory = opendir(tasks);
	struct error *error = NULL;
	struct dirent *entry;

	*ret = 0;
	if (!directory)
		return error_errno(session->arena, errno == ENOENT ? ESRCH : errno,
				   "cannot trace process %d", (int)pid);
	while (!error && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		error = tracefs_set(session->arena, instance_path(session, "%s", file),
				    entry->d_name);
		++*ret;
	}
	closedir(directory);
	return error;
}

/* A thread that is in no list yet may start one while we list: go round until none is new.
 * From the option on, children of listed threads are added by the kernel. */
static struct error *set_pid(struct session *session)
{
	pid_t pid = session->options->pid;
	unsigned count, last = 0;
	struct error *error;

	if (!pid)
		return NULL;
	error = tracefs_set(session->arena, instance_path(session, "options/event-fork"), "1");
	for (int round = 0; !error && round < 100; round++) {
		error = add_threads(session, "set_event_pid", pid, &count);
		if (count == last)
			break;
		last = count;
	}
	return error;
}

/* The kernel's filter text has no escapes: one of the two quotes must do. COMM, not comm: an
 * argument of the event may be called comm. */
static struct error *comm_clause(struct session *session, const char **ret)
{
	const char *comm = session->options->comm;
	char quote;

	*ret = NULL;
	if (!comm)
		return NULL;
	if (strlen(comm) > 15)
		return error_hint(session->arena,
				  error_new(session->arena, ERROR_USAGE,
					    "no comm is as long as '%s'", comm),
				  "the kernel keeps 15 bytes of it: --comm '%.15s'", comm);
	quote = strchr(comm, '"') ? '\'' : '"';
	if (strchr(comm, quote))
		return error_new(session->arena, ERROR_USAGE,
				 "the kernel can't compare with a comm that has both quotes");
	*ret = arena_printf(session->arena, "COMM == %c%s%c", quote, comm, quote);
	return NULL;
}

static struct error *set_filter(struct session *session, unsigned probe, const char *comm)
{
	const char *filter = session->plan->probes[probe].kernel_filter;
	const char *text = filter ? filter : comm;
	int err;

	if (!text)
		return NULL;
	if (filter && comm)
		text = arena_printf(session->arena, "(%s) && %s", filter, comm);
	err = tracefs_write(event_path(session, probe, "filter"), text);
	return err ? refusal_filter(session, probe, err, text, filter && comm ? 1 : 0) : NULL;
}

static struct error *read_format(struct session *session, unsigned probe)
{
	struct live *live = &session->live[probe];
	struct arena *arena = session->arena;
	struct error *error;
	char *id;

	error = tracefs_read(arena, event_path(session, probe, "id"), &id);
	if (error)
		return error;
	live->id = atoi(id);
	return tracefs_read(arena, event_path(session, probe, "format"), &live->format);
}

static struct error *trigger_remove(struct session *session, const void *argument)
{
	const struct live *live = argument;

	return tracefs_set(session->arena,
			   instance_path(session, "events/%s/%s/trigger", session->group,
					 live->event),
			   arena_printf(session->arena, "!%s", live->trigger));
}

/* A trigger may speak of the variables of a probe that comes after it in the plan. */
static struct error *set_triggers(struct session *session)
{
	struct error *error = NULL;

	for (unsigned i = session->plan->nprobes; i > 0 && !error; i--) {
		const struct live *live = &session->live[i - 1];

		if (!live->trigger || live->skipped)
			continue;
		error = tracefs_set(session->arena,
				    instance_path(session, "events/%s/%s/trigger",
						  session->group, live->event), live->trigger);
		if (!error)
			undo_push(session, trigger_remove, live);
	}
	return error;
}

struct error *instance_setup(struct session *session)
{
	struct error *error = expand_first(session);
	const char *comm = NULL;
	unsigned threads;

	if (!error)
		error = set_buffer(session);
	if (!error)
		error = set_wakeup(session);
	if (!error)
		error = comm_clause(session, &comm);
	if (!error)
		error = add_threads(session, "set_event_notrace_pid", getpid(), &threads);
	if (!error)
		error = set_pid(session);
	for (unsigned i = 0; !error && i < session->plan->nprobes; i++) {
		enum role role = session->plan->probes[i].role;

		if (session->live[i].skipped)
			continue;
		if (role == ROLE_SHOWN)
			error = set_filter(session, i, comm);
		if (!error && role != ROLE_SYNTHETIC)
			error = read_format(session, i);
	}
	return error ? error : set_triggers(session);
}
