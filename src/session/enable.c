// SPDX-License-Identifier: GPL-2.0-only
/* Enables a session's events. A probe that only has a trigger or a program must not be recorded
 * too, so it stays disabled. */
#include "session/internal.h"

struct error *enable_one(struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];
	struct error *error = p->counting && p->counting->by_program ?
				      program_make(session, probe) :
			      p->counting ? counted_start(session, probe) :
					    tfs_set(session->arena, session->instance,
						    event_file(session, probe, "enable"), "1");

	return error && p->spec ? error_at(error, p->spec->text, p->spec->place.span) : error;
}

/* Whether some probe must not be recorded. */
static bool has_triggers(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if ((session->plan->probes[i].nactions || session->plan->probes[i].counting) &&
		    !session->definitions[i].skipped)
			return true;
	return false;
}

static bool has_definitions(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->definitions[i].file && !session->definitions[i].skipped)
			return true;
	return false;
}

/* Companions are enabled before the probes they serve. */
static struct error *enable_each(struct session *session, bool tracepoints)
{
	struct error *error = NULL;

	for (unsigned i = session->plan->nprobes; i > 0 && !error; i--)
		if (!session->definitions[i - 1].skipped &&
		    is_recorded(session->plan->probes[i - 1].role) &&
		    tracepoints != (session->definitions[i - 1].file != NULL))
			error = enable_one(session, i - 1);
	return error;
}

struct error *set_recording(struct session *session, const char *on)
{
	return tfs_set(session->arena, session->instance, "tracing_on", on);
}

static struct error *enable_group(struct session *session)
{
	return tfs_set(session->arena, session->instance,
		       arena_printf(session->arena, "events/%s/enable", session->group), "1");
}

/* Enables all at once, then disables what only has triggers, while nothing is recorded: to enable
 * 200 probes one by one takes the kernel as long as to define them. */
static struct error *enable_but_triggers(struct session *session)
{
	struct error *error = set_recording(session, "0");

	if (!error)
		error = enable_group(session);
	for (unsigned i = 0; i < session->plan->nprobes && !error; i++)
		if (session->definitions[i].file && !session->definitions[i].skipped &&
		    !is_recorded(session->plan->probes[i].role) &&
		    session->plan->probes[i].role != ROLE_SYNTHETIC)
			error = tfs_set(session->arena, session->instance,
					event_file(session, i, "enable"), "0");
	return error;
}

static bool counts(const struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++)
		if (session->plan->probes[i].counting)
			return true;
	return false;
}

/* A pair's probes must be seen from one moment on: an inner call whose end alone was recorded would
 * end the outer call's start. (With options->follows nothing is, before session_record().) */
struct error *session_enable(struct session *session)
{
	bool at_once = session->plan->npairs && !session->options->follows;
	bool has_some = has_triggers(session);
	struct error *error = at_once ? set_recording(session, "0") : NULL;

	if (error)
		return error;
	if (has_some && counts(session))
		error = enable_each(session, false);
	else if (has_some)
		error = enable_but_triggers(session);
	else if (has_definitions(session))
		error = enable_group(session);
	if (!error)
		error = enable_each(session, true);
	if (!error)
		error = programs_start(session);
	if (!error && (at_once || (has_some && !counts(session))))
		error = set_recording(session, "1");
	return error ? error : who_follow_forks(session);
}
