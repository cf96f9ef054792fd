// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session with its probes defined in; its instance made, sized and filtered out. Filters and
 * pids come first and enabling last, or hits of others would be in the buffer already. Filters
 * and pids need no undo of their own: they die with the instance.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/internal.h"

struct error *instance_make(struct session *session, const char *directory)
{
	if (mkdir(directory, 0750))
		return error_errno(session->arena, errno, "cannot make the instance '%s'", directory);
	undo_push(session, (struct undo){directory, NULL, true});
	return NULL;
}

struct error *instance_open(struct session *session)
{
	struct error *error = instance_make(session, session->directory);

	if (error)
		return error;
	undo_push(session, (struct undo){instance_path(session, "events/enable"), "0", false});
	undo_push(session, (struct undo){instance_path(session, "tracing_on"), "0", false});
	return NULL;
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
	while (session->definitions[first].skipped)
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

	struct error *error;
	bool exists;

	error = tracefs_look(session->arena, path, &exists);
	return error || !exists ? error : tracefs_set(session->arena, path, "0");
}

/* The kernel's filter text has no escapes: one of the two quotes must do. COMM, not comm: an
 * argument of the event may be called comm. */
static struct error *comm_test(struct arena *arena, const char *comm, const char **ret)
{
	char quote = strchr(comm, '"') ? '\'' : '"';

	if (strlen(comm) > 15)
		return error_hint(arena, error_new(arena, ERROR_USAGE, "no comm is as long as '%s'", comm),
				  "the kernel keeps 15 bytes of it: --comm '%.15s'", comm);
	if (strchr(comm, quote))
		return error_new(arena, ERROR_USAGE,
				 "the kernel can't compare with a comm that has both quotes");
	*ret = arena_printf(arena, "COMM == %c%s%c", quote, comm, quote);
	return NULL;
}

/* *ret: NULL, or a clause that holds for each of them. */
static struct error *comm_clause(struct session *session, const char **ret)
{
	const struct session_options *options = session->options;
	struct error *error = NULL;
	const char *test = NULL;

	*ret = NULL;
	for (unsigned i = 0; i < options->ncomms && !error; i++) {
		error = comm_test(session->arena, options->comms[i], &test);
		if (!error)
			*ret = *ret ? arena_printf(session->arena, "%s || %s", *ret, test) : test;
	}
	if (!error && options->ncomms > 1)
		*ret = arena_printf(session->arena, "(%s)", *ret);
	return error;
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
	struct definition *definition = &session->definitions[probe];
	struct arena *arena = session->arena;
	struct error *error;
	char *id;

	error = tracefs_read(arena, event_path(session, probe, "id"), &id);
	if (error)
		return error;
	definition->id = atoi(id);
	return tracefs_read(arena, event_path(session, probe, "format"), &definition->format);
}

static struct error *set_actions(struct session *session, unsigned probe)
{
	const struct definition *definition = &session->definitions[probe];
	const char *path = event_path(session, probe, "trigger");
	struct arena *arena = session->arena;
	struct error *error = NULL;

	for (unsigned i = 0; !error && i < session->plan->probes[probe].nactions; i++) {
		const char *inverse = arena_printf(arena, "!%s", definition->actions[i]);

		error = tracefs_set(arena, path, definition->actions[i]);
		if (!error)
			undo_push(session, (struct undo){path, inverse, false});
	}
	return error;
}

/* An action may speak of the variables of a probe that comes after it in the plan. */
static struct error *set_triggers(struct session *session)
{
	struct error *error = NULL;

	for (unsigned i = session->plan->nprobes; i > 0 && !error; i--)
		if (!session->definitions[i - 1].skipped)
			error = set_actions(session, i - 1);
	return error;
}

struct error *instance_setup(struct session *session)
{
	struct error *error = expand_first(session);
	const char *comm = NULL;

	if (!error)
		error = set_buffer(session);
	if (!error)
		error = set_wakeup(session);
	if (!error)
		error = comm_clause(session, &comm);
	if (!error)
		error = who_set(session);
	for (unsigned i = 0; !error && i < session->plan->nprobes; i++) {
		enum role role = session->plan->probes[i].role;

		if (session->definitions[i].skipped)
			continue;
		if (role == ROLE_SHOWN)
			error = set_filter(session, i, comm);
		if (!error && role != ROLE_SYNTHETIC)
			error = read_format(session, i);
	}
	return error ? error : set_triggers(session);
}
