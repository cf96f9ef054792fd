// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refuses to trace, or to say that nothing was missed, while somebody has switched off what hits
 * kprobes: the kernel defines and enables a probe then as ever, and counts none of its hits. The
 * same for this session's own switches, which are everybody's: `trace-cmd reset` writes 0 to those
 * of all instances.
 */
#include "base/file.h"
#include "session/internal.h"

/* A kprobe where a function calls ftrace, at its first instruction or behind endbr64, is ftrace's
 * (Documentation/trace/kprobes.rst); so is a return probe. */
#define ENTRY_END 4

static bool is_at_entry(const struct probe *probe)
{
	return probe->kind == PROBE_RETURN || probe->role == ROLE_ENTRY ||
	       probe->site->offset <= ENTRY_END;
}

static bool is_off(struct arena *arena, const char *path)
{
	char *text;

	return !file_read(arena, path, 16, &text) && text[0] == '0';
}

struct error *session_check_switches(const struct session *session)
{
	static const struct {
		const char *path;
		bool is_for_entries;
		const char *what, *command;
	} switches[] = {
		{"/sys/kernel/debug/kprobes/enabled", false, "all kprobes are",
		 "echo 1 >/sys/kernel/debug/kprobes/enabled"},
		{"/proc/sys/kernel/ftrace_enabled", true, "kprobes where functions begin are",
		 "sysctl kernel.ftrace_enabled=1"},
	};
	struct arena *arena = session->arena;

	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		const struct probe *probes = session->plan->probes;
		unsigned probe = 0;

		while (probe < session->plan->nprobes &&
		       (session->definitions[probe].file != &event_files[0] ||
			(switches[i].is_for_entries && !is_at_entry(&probes[probe]))))
			probe++;
		if (probe < session->plan->nprobes && is_off(arena, switches[i].path))
			return error_hint(arena, error_new(arena, ERROR_REFUSED,
							   "%s switched off on this machine: "
							   "'%s' is 0", switches[i].what,
							   switches[i].path),
					  "switch them on: %s", switches[i].command);
	}
	return NULL;
}

static bool is_switched_off(struct session *session, const char *file)
{
	return is_off(session->arena, tfs_path(session->arena, session->instance, file));
}

static bool should_be_on(const struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];

	return !session->definitions[probe].skipped && is_recorded(p->role) && !p->counting;
}

/* One file answers for all events of the group, if all are on. */
static bool is_group_on(struct session *session)
{
	const char *file = arena_printf(session->arena, "events/%s/enable", session->group);
	char *text;

	return !file_read(session->arena, tfs_path(session->arena, session->instance, file), 16,
			  &text) &&
	       text[0] == '1';
}

static struct error *was_switched_off(struct session *session, const char *file)
{
	struct arena *arena = session->arena;

	return error_hint(arena, error_new(arena, ERROR_SYSTEM,
					   "another program has switched the trace off while it "
					   "ran: what came after that is missing ('%s' is 0)",
					   tfs_path(arena, session->instance, file)),
			  "trace again while nothing resets tracefs, as 'trace-cmd reset' does");
}

struct error *session_check_on(struct session *session)
{
	bool is_on = is_group_on(session);

	if (is_switched_off(session, "tracing_on"))
		return was_switched_off(session, "tracing_on");
	for (unsigned i = 0; i < session->plan->nprobes; i++) {
		const char *file;

		if (!should_be_on(session, i) || (is_on && session->definitions[i].file))
			continue;
		file = event_file(session, i, "enable");
		if (is_switched_off(session, file))
			return was_switched_off(session, file);
	}
	return NULL;
}
