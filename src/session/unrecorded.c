// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the probes whose every hit that the kernel counted must have a record. A record that
 * doesn't fit is counted nowhere else; no probe of a plan makes one that large, and this checks it.
 * It can't be known for a kprobe, whose count includes ktrace's own unrecorded hits; nor where the
 * kernel filters by pid, comm or value; nor for a uretprobe, whose hits are calls, some of which
 * have not returned; nor for a pair, whose probes must all be disabled at once. The probe must also
 * be disabled before recording stops, which takes the kernel some 50 ms each: with many probes the
 * trace would go on for a minute.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "session/internal.h"

#define SETTLED_MAX 8 /* probes */

/* Whether ktrace itself may run code of that file (the C library's). Only executable mappings
 * count. */
static bool is_mapped(struct session *session, const char *path)
{
	char *maps, *line;
	struct stat file;

	if (stat(path, &file) || file_read(session->arena, "/proc/self/maps", 1 << 14, &maps))
		return true;
	while ((line = text_line(&maps))) {
		const char *words[5] = {""}; /* addresses, rights, offset, device, inode */

		for (int i = 0; i < 5; i++)
			words[i] = text_word(&line);
		if (words[4] && strchr(words[1], 'x') &&
		    strtoumax(words[4], NULL, 10) == file.st_ino)
			return true;
	}
	return false;
}

static bool is_settleable(struct session *session, unsigned probe)
{
	const struct probe *p = &session->plan->probes[probe];

	return p->kind == PROBE_HIT && p->site->path && !p->kernel_filter && !p->counting &&
	       !is_mapped(session, p->site->path);
}

/* All or none: the count of lost records isn't split by probe. */
static bool can_settle(struct session *session)
{
	const struct plan *plan = session->plan;
	unsigned count = 0;

	if (plan->npairs || session->options->npids || session->options->ncomms ||
	    session->options->follows)
		return false;
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (!session->definitions[i].skipped && !session->definitions[i].host &&
		    (++count > SETTLED_MAX || !is_settleable(session, i)))
			return false;
	return count;
}

bool session_settle(struct session *session)
{
	if (!session->knows_settling) {
		session->knows_settling = true;
		session->is_settleable = can_settle(session);
	}
	for (unsigned i = 0; session->is_settleable && i < session->plan->nprobes; i++) {
		struct definition *definition = &session->definitions[i];

		if (definition->skipped || definition->host || definition->is_settled)
			continue;
		if (tfs_write(session->instance, event_file(session, i, "enable"), "0")) {
			session->is_settleable = false;
			break;
		}
		definition->is_settled = true;
		return true;
	}
	return false;
}

bool session_is_settled(const struct session *session, unsigned probe)
{
	return session->is_settleable && session->definitions[probe].is_settled;
}
