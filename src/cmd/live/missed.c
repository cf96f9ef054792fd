// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the hits that have no record, and says why, as far as the kernel's counters tell it.
 *
 * The surprise: the kernel counts a hit that comes while a probe's handler runs on that CPU with
 * every probe at that address. It is a call of the handler's own, or of an interrupt in between,
 * and never of the code that was about to be traced. A return probe has this in one counter with
 * the calls for which it had no room; the probe at the same entry tells them apart.
 */
#include <stdlib.h>

#include "cmd/live/live.h"

#define SHOWN_MAX 3u /* functions that are named without -v */

/* Lost (overwritten) records may be any probe's, so with losses only the sum of unrecorded hits is
 * known. They were too large for a page, or a filter dropped them. The records of a hosted probe are
 * its host's. */
static void count_unrecorded(struct arena *arena, const struct plan *plan, struct session *session,
			     const struct stream_counts *counts, const struct probe_hits *hits,
			     struct missed *ret)
{
	uint64_t *unrecorded = arena_array(arena, uint64_t, plan->nprobes + 1);
	uint64_t all = 0, records = counts->lost;

	if (counts->lost_is_unknown)
		return;
	for (unsigned i = 0; i < plan->nprobes; i++) {
		if (plan->probes[i].host)
			continue;
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

static int text_compare(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

static int place_compare(const void *left, const void *right)
{
	const struct site *a = (*(const struct probe *const *)left)->site,
			  *b = (*(const struct probe *const *)right)->site;
	int order = text_compare(a->symbol, b->symbol);

	order = order ?: text_compare(a->module, b->module);
	order = order ?: text_compare(a->path, b->path);
	return order ?: (a->offset > b->offset) - (a->offset < b->offset);
}

/* The probes that are hit and don't wait for a return, sorted by their place. */
static unsigned find_entries(struct arena *arena, const struct plan *plan, struct session *session,
			     const struct probe ***ret)
{
	unsigned count = 0;

	*ret = arena_array(arena, const struct probe *, plan->nprobes + 1);
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (plan->probes[i].kind == PROBE_HIT && plan->probes[i].site &&
		    !session_skipped(session, i))
			(*ret)[count++] = &plan->probes[i];
	qsort(*ret, count, sizeof(**ret), place_compare);
	return count;
}

/* What the return probe missed since it was busy, as the probe at the same address has counted
 * it. */
static void split_calls(const struct plan *plan, const struct probe **entries, unsigned count,
			const struct probe *probe, const struct probe_hits *hits,
			struct missed *ret)
{
	const struct probe **found =
		bsearch(&probe, entries, count, sizeof(*entries), place_compare);
	uint64_t misses = hits[probe - plan->probes].misses,
		 busy = found ? hits[*found - plan->probes].misses : 0;

	ret->calls += misses;
	ret->has_vague |= misses && !found && !probe->site->path;
	ret->busy += busy < misses ? busy : misses;
}

struct error *count_missed(struct arena *arena, const struct plan *plan, struct session *session,
			   const struct stream_counts *counts, struct missed *ret)
{
	uint64_t *hits_of = arena_array(arena, uint64_t, plan->nprobes + 1);
	const struct probe **entries;
	struct probe_hits *hits;
	struct error *error = session_check_switches(session);
	unsigned count = find_entries(arena, plan, session, &entries);

	if (!error)
		error = session_hits(session, &hits);
	*ret = (struct missed){.is_unknown = error, .hits_of = hits_of};
	if (error)
		return error;
	for (unsigned i = 0; i < plan->nprobes; i++) {
		const struct probe *probe = &plan->probes[i];

		ret->hits += hits_of[i] = hits[i].skipped;
		ret->unsure += hits[i].unsure;
		if (probe->role == ROLE_ENTRY) {
			ret->entries += hits[i].misses;
		} else if (probe->kind == PROBE_RETURN && !role_is_companion(probe->role)) {
			split_calls(plan, entries, count, probe, hits, ret);
		} else if (!role_is_companion(probe->role)) {
			ret->hits += hits[i].misses;
			hits_of[i] += hits[i].misses;
		}
	}
	if (plan->graph) { /* whose calls have an entry each */
		ret->calls -= ret->busy;
		ret->busy = 0;
	}
	count_unrecorded(arena, plan, session, counts, hits, ret);
	return NULL;
}

uint64_t missed_sum(const struct missed *missed)
{
	return missed->hits + missed->calls;
}

struct missed_function {
	const char *name;
	uint64_t hits;
};

static int by_hits(const void *left, const void *right)
{
	const struct missed_function *a = left, *b = right;

	return a->hits != b->hits ? (a->hits < b->hits ? 1 : -1) : strcmp(a->name, b->name);
}

/* " (kfree 200, dput 12, and 3 more functions)" */
static void put_functions(struct strbuf *out, const struct options *options,
			  const struct plan *plan, const struct missed *missed)
{
	struct missed_function *functions = calloc(plan->nprobes + 1, sizeof(*functions));
	unsigned count = 0;

	for (unsigned i = 0; functions && i < plan->nprobes; i++)
		if (missed->hits_of[i])
			functions[count++] = (struct missed_function){
				plan->probes[i].shown ?: plan->probes[i].event, missed->hits_of[i]};
	if (count)
		qsort(functions, count, sizeof(*functions), by_hits);
	for (unsigned i = 0; i < count && (i < SHOWN_MAX || options->verbose); i++)
		strbuf_printf(out, "%s%s %llu", i ? ", " : " (", functions[i].name,
			      (unsigned long long)functions[i].hits);
	if (count > SHOWN_MAX && !options->verbose)
		strbuf_printf(out, ", and %u more", count - SHOWN_MAX);
	strbuf_puts(out, count ? ")\n" : "\n");
	free(functions);
}

static void say_unrecorded(struct strbuf *out, const struct plan *plan, const struct missed *missed)
{
	for (unsigned i = 0; missed->unrecorded && missed->unrecorded_of && i < plan->nprobes; i++)
		if (missed->unrecorded_of[i])
			strbuf_printf(
				out,
				"ktrace: %s: %llu of its hits have no record: too large for the "
				"buffer, or dropped by another program's filter\n",
				plan->probes[i].event,
				(unsigned long long)missed->unrecorded_of[i]);
}

void missed_say(struct strbuf *out, const struct options *options, const struct plan *plan,
		const struct missed *missed)
{
	uint64_t busy = missed->hits + missed->busy, calls = missed->calls - missed->busy;

	if (busy) {
		strbuf_printf(
			out,
			"ktrace: missed %llu: hits that came while a probe was already busy on "
			"that CPU",
			(unsigned long long)busy);
		put_functions(out, options, plan, missed);
	}
	if (missed->entries)
		strbuf_printf(out,
			      "ktrace: missed %llu entries: in as many calls the values of the "
			      "entry may be an earlier call's\n",
			      (unsigned long long)missed->entries);
	if (calls)
		strbuf_printf(out,
			      "ktrace: missed %llu: calls beyond the number of returns that can be "
			      "waited for at once%s\n",
			      (unsigned long long)calls,
			      missed->has_vague ? ", or that came while a probe was busy" : "");
	if (missed->unsure)
		strbuf_printf(out,
			      "ktrace: missed up to %llu more: the kernel runs no BPF program "
			      "while another one runs on that CPU\n",
			      (unsigned long long)missed->unsure);
	say_unrecorded(out, plan, missed);
}
