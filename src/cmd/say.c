// SPDX-License-Identifier: GPL-2.0-only
/*
 * A live run in, what is said of it on standard error out: before it what is lacking, after it what was
 * lost. -q leaves out all but losses and probes that are skipped.
 */
#include "cmd/live.h"

struct error *count_missed(const struct plan *plan, struct session *session, struct missed *ret)
{
	*ret = (struct missed){0};
	for (unsigned i = 0; i < plan->nprobes; i++) {
		enum role role = plan->probes[i].role;
		uint64_t hits, misses;
		struct error *error;

		if ((role != ROLE_SHOWN && role != ROLE_ENTRY) || session_skipped(session, i))
			continue;
		error = session_profile(session, i, &hits, &misses);
		if (error)
			return error;
		if (role == ROLE_ENTRY)
			ret->entries += misses;
		else
			*(plan->probes[i].kind == 'r' ? &ret->calls : &ret->hits) += misses;
	}
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

void say_summary(const struct options *options, uint64_t events, const struct stream_counts *counts,
		 const struct missed *missed)
{
	uint64_t all = missed->hits + missed->calls;

	if (options->quiet && !counts->lost && !all && !missed->entries)
		return;
	fprintf(stderr, "ktrace: %llu event%s, %llu lost, %llu missed",
		(unsigned long long)events, events == 1 ? "" : "s",
		(unsigned long long)counts->lost, (unsigned long long)all);
	if (counts->filtered)
		fprintf(stderr, ", %llu filtered", (unsigned long long)counts->filtered);
	fputc('\n', stderr);
	for (unsigned i = 0; i < counts->ncpus; i++)
		if (counts->lost_per_cpu[i])
			fprintf(stderr, "ktrace: CPU %u lost %llu; a larger buffer (-b) keeps more\n",
				i, (unsigned long long)counts->lost_per_cpu[i]);
	print_missed(missed);
}

/* Even with -q: what comes there is not seen. */
static void say_skipped(struct arena *arena, const struct options *options, const struct probe *probe,
			const struct error *error)
{
	if (probe->role == ROLE_SHOWN)
		fprintf(stderr, "ktrace: %s is skipped: %s; %s\n", probe->event, error->message,
			advice(arena, options, error));
}

void say_ready(const struct options *options, const struct plan *plan, struct session *session)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];
		const struct error *skipped = session_skipped(session, i);

		if (skipped) {
			say_skipped(plan->arena, options, probe, skipped);
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
