// SPDX-License-Identifier: GPL-2.0-only
/*
 * Defines the session's probe events in the kernel, one write each: a write of several lines isn't
 * atomic, the lines before a bad one stay. A spec may have many places and the kernel may refuse a
 * few (an inlined instance in a notrace function): these are skipped as long as one is left.
 */
#include <errno.h>
#include <string.h>

#include "session/internal.h"

#include <tracefs.h>

static struct undo event_undo(struct session *session, const struct definition *definition)
{
	const char *group = definition->text[0] == 's' ? "synthetic" : session->group;

	return undo_new(session, NULL, definition->file->name,
			arena_printf(session->arena, "-:%s/%s\n", group, definition->event));
}

static struct error *no_such_file(struct session *session, const struct definition *definition)
{
	bool kprobes = definition->file == &event_files[0];
	struct error *error;

	if (definition->file == &dynamic_file)
		return error_new(session->arena, ERROR_SYSTEM, "this kernel has no event probes");
	error = error_new(session->arena, ERROR_SYSTEM, "this kernel has no %s",
					kprobes ? "kprobes" : "uprobes");

	return error_hint(session->arena, error, "it was built without %s; boot one that has it",
			  kprobes ? "CONFIG_KPROBE_EVENTS" : "CONFIG_UPROBE_EVENTS");
}

/* In these files '#' begins a comment, and a newline another command. */
static struct error *check_text(struct session *session, unsigned probe)
{
	const char *bad = strpbrk(session->definitions[probe].text, "#\n");
	const struct spec *spec = session->plan->probes[probe].spec;
	struct error *error;

	if (!bad)
		return NULL;
	error = error_new(session->arena, ERROR_LIMIT, "the kernel can't take %s in a definition",
			  *bad == '#' ? "a '#'" : "a newline");
	return error_at(error, spec ? spec->text : NULL,
			spec ? spec->place.span : (struct span){0});
}

/* Returns 0 or an errno. Synthetic events (event: NULL) are written as text: libtracefs only
 * makes those that match two events. */
static int create(struct session *session, const struct definition *definition,
		  struct tracefs_dynevent *event)
{
	if (event)
		return tracefs_dynevent_create(event) ? errno : 0;
	if (session->plan->probes[definition - session->definitions].kind != PROBE_SYNTHETIC)
		return ENOMEM;
	return tfs_write(NULL, definition->file->name,
			 arena_printf(session->arena, "%s\n", definition->text));
}

static struct error *define_one(struct session *session, unsigned probe, const char *before,
				bool *is_place)
{
	struct definition *definition = &session->definitions[probe];
	struct tracefs_dynevent *event;
	bool is_new = !definition->joint || !definition->joint->is_made, exists;
	struct error *error;
	int err;

	if (!definition->file || definition->host)
		return NULL;
	error = tfs_look(session->arena, NULL, definition->file->name, &exists);
	if (error || !exists)
		return error ? error : no_such_file(session, definition);
	event = definition_event(session, probe);
	error = check_text(session, probe);
	if (is_new)
		undo_push(session, event_undo(session, definition));
	err = error ? 0 : create(session, definition, event);
	tracefs_dynevent_free(event);
	if (!error && err)
		error = refusal_definition(session, probe, err, before, is_place);
	if (error && is_new)
		undo_drop(session);
	if (!error && definition->joint)
		definition->joint->is_made = true;
	return error;
}

/* Defines a shown probe (`first`) and its companions, which follow it up to `end`. */
static struct error *define_family(struct session *session, unsigned first, unsigned end,
				   const char *before)
{
	unsigned keep = session->nundo;
	struct error *error = NULL, *undone;
	bool is_place = false;

	for (unsigned i = first; !error && i < end; i++)
		error = define_one(session, i, before, &is_place);
	if (!is_place)
		return error;
	undone = undo_to(session, keep);
	for (unsigned i = first; i < end; i++)
		session->definitions[i].skipped = error;
	return undone;
}

static unsigned family_end(const struct plan *plan, unsigned first)
{
	unsigned end = first + 1;

	while (end < plan->nprobes && role_is_companion(plan->probes[end].role))
		end++;
	return end;
}

/* A spec's probes are adjacent: once the last is tried, at least one of them must be defined. */
static struct error *check_skipped(struct session *session, unsigned first, unsigned end)
{
	const struct plan *plan = session->plan;
	const struct spec *spec = plan->probes[first].spec;

	if (!session->definitions[first].skipped || spec->is_optional ||
	    (end < plan->nprobes && plan->probes[end].spec == spec))
		return NULL;
	for (unsigned i = end; i > 0 && plan->probes[i - 1].spec == spec; i--) {
		if (!session->definitions[i - 1].skipped)
			return NULL;
		first = i - 1;
	}
	return session->definitions[first].skipped;
}

static unsigned family_start(const struct plan *plan, unsigned end)
{
	while (--end && role_is_companion(plan->probes[end].role))
		;
	return end;
}

/* Without its host's event a probe has none. */
static void skip_hosted(struct session *session)
{
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		struct definition *definition = &session->definitions[i];

		if (definition->host && !definition->skipped)
			definition->skipped = definition->host->skipped;
	}
}

/* From the last to the first: the kernel runs what was defined last at an address first, and the
 * events of two lines that share it are to come in the lines' order. */
struct error *define_all(struct session *session)
{
	const struct plan *plan = session->plan;
	struct error *error;
	char *before;

	error = tfs_read(session->arena, NULL, "error_log", &before);
	for (unsigned end = plan->nprobes, start; !error && end; end = start) {
		start = family_start(plan, end);
		error = define_family(session, start, end, before);
	}
	skip_hosted(session);
	for (unsigned i = 0, end; !error && i < plan->nprobes; i = end) {
		end = family_end(plan, i);
		error = check_skipped(session, i, end);
	}
	return error;
}
