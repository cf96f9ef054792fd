// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes, sizes and filters the instance of a session whose probes are defined. Filters and pids
 * come first and enabling last, or hits of others would be in the buffer already. Filters and pids
 * need no undo of their own: they go away with the instance.
 */
#include <string.h>

#include "session/internal.h"

struct error *instance_make(struct session *session, const char *name,
			    struct tracefs_instance **ret)
{
	struct undo undo =
		undo_new(session, NULL, arena_printf(session->arena, "instances/%s", name), NULL);
	struct error *error;

	undo_push(session, undo);
	error = tfs_create(session->arena, name, ret);
	if (error)
		undo_drop(session);
	return error;
}

struct error *instance_open(struct session *session)
{
	struct error *error = instance_make(session, session->group, &session->instance);

	if (error)
		return error;
	undo_push(session, undo_new(session, session->instance, "events/enable", "0"));
	undo_push(session, undo_new(session, session->instance, "tracing_on", "0"));
	return NULL;
}

/* Until tracing is first used after boot, the top buffer is one page long ("7 (expanded:
 * 1408)"), and any tracer's first event expands it. On kernels up to about 6.6, sizing an
 * instance's buffer prevents that (tracing_resize_ring_buffer sets a global flag): the top
 * buffer, which everybody shares, would stay one page long. So an event is enabled first, with
 * the instance off. */
static struct error *expand_first(struct session *session)
{
	struct tracefs_instance *instance = session->instance;
	struct arena *arena = session->arena;
	const char *enable;
	unsigned first = 0;
	struct probe_hits *early = NULL;
	struct error *error;
	char *text;

	error = tfs_read(arena, NULL, "buffer_size_kb", &text);
	if (error || !strstr(text, "expanded"))
		return error;
	while (session->definitions[first].skipped)
		first++;
	enable = event_file(session, first, "enable");
	error = set_recording(session, "0");
	if (!error)
		error = tfs_set(arena, instance, enable, "1");
	if (!error)
		error = tfs_set(arena, instance, enable, "0");
	if (!error)
		error = session_hits(session, &early);
	session->early = early;
	if (!error)
		error = set_recording(session, "1");
	return error;
}

static struct error *set_buffer(struct session *session)
{
	struct arena *arena = session->arena;
	size_t kb = session->options->buffer_kb;
	struct error *error;

	if (!kb)
		return NULL;
	error = tfs_set(arena, session->instance, "buffer_size_kb", arena_printf(arena, "%zu", kb));
	return error ? error_hint(arena, error, "a smaller buffer: -b SIZE") : NULL;
}

/* Wake readers at the first record, not at a half-full buffer. */
static struct error *set_wakeup(struct session *session)
{
	bool exists;
	struct error *error =
		tfs_look(session->arena, session->instance, "buffer_percent", &exists);

	return error || !exists ? error :
	       tfs_set(session->arena, session->instance, "buffer_percent", "0");
}

/* The kernel's filter has no escapes: the comm must do without one of the two quotes. COMM, not
 * comm: an argument of the event may be called comm. */
static struct error *comm_test(struct arena *arena, const char *comm, const char **ret)
{
	char quote = strchr(comm, '"') ? '\'' : '"';

	if (strlen(comm) > 15)
		return error_hint(arena, error_new(arena, ERROR_USAGE,
						   "'%s' is too long for a comm", comm),
				  "the kernel keeps 15 bytes of it: --comm '%.15s'", comm);
	if (strchr(comm, quote))
		return error_new(arena, ERROR_USAGE,
				 "the kernel can't compare with a comm that has both quotes");
	*ret = arena_printf(arena, "COMM == %c%s%c", quote, comm, quote);
	return NULL;
}

/* *ret: "A || B", in parentheses if there are several; NULL without comms. */
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

static const char *conjunction(struct arena *arena, const char *a, const char *b)
{
	return a && b ? arena_printf(arena, "%s && %s", a, b) : a ? a : b;
}

static struct error *set_filter(struct session *session, unsigned probe, const char *comm)
{
	struct definition *definition = &session->definitions[probe], *joint = definition->joint;
	const char *asked = session->plan->probes[probe].kernel_filter;
	const char *rest = conjunction(session->arena, comm, who_own_clause(session, probe)), *text;
	int err;

	text = conjunction(session->arena,
			   asked && rest ? arena_printf(session->arena, "(%s)", asked) : asked,
			   rest);
	definition->filter = text;
	/* probes that share an event have the same; to replace one makes the kernel wait */
	if (!text || (joint && joint->is_filtered))
		return NULL;
	if (joint)
		joint->is_filtered = true;
	err = tfs_write(session->instance, event_file(session, probe, "filter"), text);
	return err ? refusal_filter(session, probe, err, text, asked && rest ? 1 : 0) : NULL;
}

static struct error *read_format(struct session *session, unsigned probe)
{
	struct definition *definition = &session->definitions[probe], *joint = definition->joint;
	struct arena *arena = session->arena;
	struct error *error = NULL;

	if (definition->host) {
		definition->live = definition->host->live;
		return NULL;
	}
	if (!joint || !joint->shared.format)
		error = live_event_read(arena, session->instance,
					arena_printf(arena, "%s/%s", definition->group,
						     definition->event),
					&definition->live);
	else
		definition->live = joint->shared;
	if (joint)
		joint->shared = definition->live;
	definition->live.fields = definition->fields;
	return error;
}

static struct error *set_actions(struct session *session, unsigned probe)
{
	const struct definition *definition = &session->definitions[probe];
	const char *file = event_file(session, probe, "trigger");
	struct arena *arena = session->arena;
	struct error *error = NULL;

	if (session->plan->probes[probe].counting)
		return session->plan->probes[probe].counting->by_program ?
			       NULL :
			       counted_make(session, probe);
	for (unsigned i = 0; !error && i < session->plan->probes[probe].nactions; i++) {
		struct undo undo = undo_new(session, session->instance, file,
					    arena_printf(arena, "!%s", definition->actions[i]));

		undo_push(session, undo);
		error = tfs_set(arena, session->instance, file, definition->actions[i]);
		if (error)
			undo_drop(session);
	}
	return error;
}

/* Last probe first: an action may use variables of a probe that comes later in the plan. */
static struct error *set_triggers(struct session *session)
{
	struct error *error = NULL;

	for (unsigned i = session->plan->nprobes; i > 0 && !error; i--)
		if (!session->definitions[i - 1].skipped)
			error = set_actions(session, i - 1);
	return error;
}

bool session_has_stack(const struct session *session, enum stack_kind kind)
{
	const struct plan *plan = session->plan;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		for (unsigned j = 0; j < probe->nvalues; j++)
			if (probe->values[j].stack == kind)
				return true;
		for (unsigned j = 0; j < probe->nstarts; j++)
			if (probe->starts[j].stack == kind)
				return true;
	}
	return false;
}

/* By the instance's options a stack is recorded right behind each event that is recorded, and
 * begins where a kprobe is; by a trigger it would begin in the probe's handler, and it would be
 * recorded for events that the filter drops, too. */
static struct error *set_stacks(struct session *session)
{
	static const struct {
		enum stack_kind kind;
		const char *file;
	} options[] = {
		{STACK_KERNEL, "options/stacktrace"},
		{STACK_POINTERS, "options/userstacktrace"},
	};
	struct error *error = NULL;

	for (unsigned i = 0; i < 2 && !error; i++)
		if (session_has_stack(session, options[i].kind))
			error = tfs_set(session->arena, session->instance, options[i].file, "1");
	return error ? error_hint(session->arena, error,
				  "this kernel can't record stacks: it was built without "
				  "CONFIG_STACKTRACE") :
		       NULL;
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
	if (!error)
		error = set_stacks(session);
	for (unsigned i = 0; !error && i < session->plan->nprobes; i++) {
		enum role role = session->plan->probes[i].role;

		if (session->definitions[i].skipped)
			continue;
		if (!role_is_companion(role) && !session->definitions[i].host)
			error = set_filter(session, i, comm);
		else if (is_recorded(role))
			error = set_filter(session, i, NULL);
		if (!error && role != ROLE_SYNTHETIC)
			error = read_format(session, i);
	}
	return error ? error : set_triggers(session);
}
