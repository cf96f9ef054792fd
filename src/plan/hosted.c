// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets the lines of a call that is followed share events: those that begin at one instruction. The
 * first one, the host, has the event; the others' fetches are added to it, each once, and stream/
 * decodes its record for all of them. A kprobe costs a kernel some milliseconds to define, whatever
 * it records.
 *
 * The surprise: a hosted probe begins with its host's fetches. So numbers mean the same in both,
 * and in those that were hosted before.
 */
#include "plan/internal.h"

/* Whether others may add to its event: not to one whose record a chain of companions waits for. */
static bool is_host(const struct probe *probe)
{
	return probe->role == ROLE_SHOWN && probe->kind == PROBE_HIT && !probe->host &&
	       !probe->companions[PART_MEMORY];
}

void hosted_begin(struct work *work, const struct plan *plan)
{
	struct probe *probe = work->probes[PART_OWN];

	if (!probe->spec->followed || work->input->has_own_event || probe->kind != PROBE_HIT)
		return;
	/* the last one: there may be no room in those before */
	for (unsigned i = plan->nprobes; i > 0 && !work->host; i--)
		if (is_host(&plan->probes[i - 1]) && !strcmp(plan->probes[i - 1].head, probe->head))
			work->host = &plan->probes[i - 1];
	if (!work->host)
		return;
	probe->host = (unsigned)(work->host - plan->probes) + 1;
	probe->nfetches = work->nhosted = work->host->nfetches;
	probe->fetches = arena_array(work->arena, struct fetch, work->nhosted + 1);
	memcpy(probe->fetches, work->host->fetches, work->nhosted * sizeof(*probe->fetches));
}

void hosted_end(const struct work *work)
{
	const struct probe *added = work->probes[PART_OWN];

	for (struct probe *probe = work->host; probe && probe < added; probe++) {
		if (probe != work->host && probe->host != added->host)
			continue;
		probe->fetches = added->fetches;
		probe->nfetches = added->nfetches;
		probe->definition = added->definition;
	}
}
