// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens and closes a live trace of a plan; every step pushes its inverse, so that every way out
 * ends in undo_all. Events are defined before the instance is made, hence removed after it is gone:
 * the kernel doesn't remove an event that an instance has enabled.
 */
#include <unistd.h>

#include "session/internal.h"

#include <tracefs.h>

/* Steps besides the probes': the main instance, the two that silence it, the instance for names. */
#define FIXED_STEPS 4

/* Each probe takes a step to define it, and one for each action. */
static unsigned probe_steps(const struct plan *plan)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->nprobes; i++)
		count += 1 + plan->probes[i].nactions;
	return count;
}

static struct error *session_new(struct arena *arena, const struct plan *plan,
				 const struct session_options *options, struct session **ret)
{
	struct session *session = arena_new(arena, struct session);
	struct owner owner;
	struct error *error = tfs_find(arena);

	if (!error)
		error = owner_claim(arena, &owner, &session->lock);
	if (error)
		return error;
	session->arena = arena;
	session->plan = plan;
	session->options = options;
	session->group = owner_group(arena, &owner);
	session->undo = arena_array(arena, struct undo, probe_steps(plan) + FIXED_STEPS);
	session->programs = arena_array(arena, struct program *, plan->nprobes + 1);
	definitions_init(session);
	*ret = session;
	return NULL;
}

struct error *session_open(struct arena *arena, const struct plan *plan,
			   const struct session_options *options, struct session **ret)
{
	struct session *session;
	struct error *undone, *error = session_new(arena, plan, options, &session);

	if (error)
		return error;
	error = last_resort_open(session);
	if (error)
		return error;
	error = session_check_switches(session);
	/* stale leftovers of a dead process with our pid */
	if (!error)
		error = group_remove(arena, session->group);
	if (!error)
		error = define_all(session);
	if (!error)
		error = instance_open(session);
	if (!error)
		error = instance_setup(session);
	if (!error)
		error = comms_open(session);
	if (!error) {
		*ret = session;
		return NULL;
	}
	undone = session_close(session);
	if (undone)
		error->message = arena_printf(arena, "%s (and undoing it: %s)", error->message,
					      undone->message);
	return error;
}

struct error *session_stop(struct session *session)
{
	struct error *error = set_recording(session, "0");

	if (!error)
		error = counted_stop(session);
	return error ? error : programs_stop(session);
}

struct error *session_quiet(struct session *session)
{
	return tfs_set(session->arena, session->instance, "events/enable", "0");
}

struct error *session_close(struct session *session)
{
	struct error *error;

	programs_close(session); /* they keep the probes busy */
	error = undo_all(session);
	last_resort_close(session);
	tracefs_instance_free(session->names);
	tracefs_instance_free(session->instance);
	close(session->lock);
	return error;
}

const struct error *session_skipped(const struct session *session, unsigned probe)
{
	return session->definitions[probe].skipped;
}
