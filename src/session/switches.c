// SPDX-License-Identifier: GPL-2.0-only
/*
 * Refuses to trace, or to say that nothing was missed, while somebody has switched off what hits
 * kprobes: the kernel defines and enables a probe then as ever, and counts none of its hits.
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
