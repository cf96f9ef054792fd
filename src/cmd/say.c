// SPDX-License-Identifier: GPL-2.0-only
/*
 * A live run in, what is said of it on standard error out: before it what is lacking, after it what was
 * lost. -q leaves out all but losses and probes that are skipped.
 */
#include "cmd/live.h"

/* Hits that the kernel counted and of which there is no record: it was too large for a buffer's page. What was
 * overwritten was of any of the probes. */
static void count_unrecorded(struct arena *arena, const struct plan *plan, struct session *session,
			     const struct stream_counts *counts, const struct probe_hits *hits,
			     struct missed *ret)
{
	uint64_t *unrecorded = arena_array(arena, uint64_t, plan->nprobes + 1);
	uint64_t all = 0, records = counts->lost;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		if (!session_is_settled(session, i) && !session_skipped(session, i))
			return;
		all += hits[i].hits;
		records += counts->records[i];
		if (hits[i].hits > counts->records[i])
			unrecorded[i] = hits[i].hits - counts->records[i];
	}
	ret->unrecorded = all > records ? all - records : 0;
	if (!counts->lost)
		ret->unrecorded_of = unrecorded;
}

struct error *count_missed(struct arena *arena, const struct plan *plan, struct session *session,
			   const struct stream_counts *counts, struct missed *ret)
{
	struct probe_hits *hits;
	struct error *error = session_hits(session, &hits);

	*ret = (struct missed){0};
	if (error)
		return error;
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		if (probe->role == ROLE_ENTRY)
			ret->entries += hits[i].misses;
		else if (probe->role == ROLE_SHOWN)
			*(probe->kind == 'r' ? &ret->calls : &ret->hits) += hits[i].misses;
	}
	count_unrecorded(arena, plan, session, counts, hits, ret);
	return NULL;
}

/* The kernel has two reasons, and a probe of either kind has one of them. */
static void print_missed(const struct missed *missed)
{
	if (missed->hits)
		fprintf(stderr, "ktrace: missed %llu: hits that came while the probe was already busy on "
			"that CPU\n", (unsigned long long)missed->hits);
	if (missed->entries)
		fprintf(stderr, "ktrace: missed %llu entries: what was recorded at the entry may be an earlier "
			"call's in as many calls\n", (unsigned long long)missed->entries);
	if (missed->calls)
		fprintf(stderr, "ktrace: missed %llu: calls beyond the number of returns that can be "
			"waited for at once\n", (unsigned long long)missed->calls);
}

static void print_unrecorded(const struct plan *plan, const struct missed *missed)
{
	for (unsigned i = 0; missed->unrecorded && missed->unrecorded_of && i < plan->nprobes; i++)
		if (missed->unrecorded_of[i])
			fprintf(stderr, "ktrace: %s: %llu of its hits have no record: too large for the "
				"buffer, or dropped by somebody's filter\n", plan->probes[i].event,
				(unsigned long long)missed->unrecorded_of[i]);
}

void say_summary(const struct options *options, const struct plan *plan, uint64_t events,
		 const struct stream_counts *counts, const struct missed *missed)
{
	uint64_t all = missed->hits + missed->calls;

	if (options->quiet && !counts->lost && !all && !missed->entries && !missed->unrecorded)
		return;
	fprintf(stderr, "ktrace: %llu event%s, %llu lost, %llu missed",
		(unsigned long long)events, events == 1 ? "" : "s",
		(unsigned long long)counts->lost, (unsigned long long)all);
	if (counts->filtered)
		fprintf(stderr, ", %llu filtered", (unsigned long long)counts->filtered);
	if (missed->unrecorded)
		fprintf(stderr, ", %llu not recorded", (unsigned long long)missed->unrecorded);
	fputc('\n', stderr);
	for (unsigned i = 0; i < counts->ncpus; i++)
		if (counts->lost_per_cpu[i])
			fprintf(stderr, "ktrace: CPU %u lost %llu; a larger buffer (-b) keeps more\n",
				i, (unsigned long long)counts->lost_per_cpu[i]);
	print_missed(missed);
	print_unrecorded(plan, missed);
}

/* Even with -q: what comes there is not seen. */
static void say_skipped(const struct probe *probe, const struct error *error)
{
	if (probe->role == ROLE_SHOWN)
		fprintf(stderr, "ktrace: %s is skipped: %s; %s\n", probe->event, error->message,
			error->hint);
}

void say_ready(const struct options *options, const struct plan *plan, struct session *session)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		const struct error *skipped = session_skipped(session, i);

		if (skipped) {
			say_skipped(probe, skipped);
			continue;
		}
		for (unsigned j = 0; j < probe->nvalues; j++)
			if (probe->values[j].status != VALUE_OK && !options->quiet)
				fprintf(stderr, "ktrace: %s: '%s' is unavailable: %s\n",
					probe->event, probe->values[j].name,
					probe->values[j].reason);
		shown += probe->role == ROLE_SHOWN;
		if (probe->has_unguarded && !options->quiet)
			fprintf(stderr, "ktrace: %s: some memory is read without a sign of failure: no "
				"room for more arguments\n", probe->event);
		if (options->filter && probe->is_filter_partly_ours && !options->quiet)
			fprintf(stderr, "ktrace: %s: a part of the filter is tested by ktrace: the "
				"kernel can't\n", probe->event);
	}
	if (!options->quiet && !options->count && !options->command && options->seconds <= 0)
		fprintf(stderr, "ktrace: tracing %u %s%s... Ctrl-C ends it\n", shown,
			options->events.count ? "event" : "probe", shown == 1 ? "" : "s");
}

void say_leftovers(struct arena *arena, const struct options *options)
{
	struct leftover *left;
	unsigned count;

	if (options->quiet || leftovers_find(arena, &left, &count))
		return;
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "ktrace: a killed ktrace (pid %d) left %u probe%s%s behind; 'ktrace "
			"clean' removes them\n", (int)left[i].pid, left[i].nevents,
			left[i].nevents == 1 ? "" : "s",
			left[i].has_instance ? " and its instance" : "");
}
