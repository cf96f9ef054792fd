// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts hits together to calls. Each hit is told by its thread and canonical frame address, and
 * waits until all hits of its instruction are there.
 *
 * The surprise: the kernel runs the handlers of one instruction in an order of its own, so several
 * lines that begin at one instruction are put in order here.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "sink/follow/follow.h"

static bool is_same_slot(const struct probe *a, unsigned i, const struct probe *b, unsigned j)
{
	return a->site->inner == b->site->inner && !strcmp(a->values[i].name, b->values[j].name);
}

/* The slot that an earlier value of the name has; NO_SLOT: none. */
static unsigned slot_before(const struct follow *follow, unsigned probe, unsigned value)
{
	const struct probe *probes = follow->plan->probes;

	for (unsigned i = 0; i <= probe; i++)
		for (unsigned j = 0;
		     follow->probes[i].slots && j < probes[i].nvalues && (i < probe || j < value);
		     j++)
			if (is_same_slot(&probes[i], j, &probes[probe], value))
				return follow->probes[i].slots[j];
	return NO_SLOT;
}

static unsigned scope_of(struct follow *follow, unsigned probe)
{
	const struct probe *probes = follow->plan->probes;

	if (!probes[probe].site->inner)
		return 0;
	for (unsigned i = 0; i < probe; i++)
		if (follow->probes[i].slots && probes[i].site->inner == probes[probe].site->inner)
			return follow->probes[i].scope;
	return follow->nscopes++;
}

static bool is_same_line(const struct site *a, const struct site *b)
{
	return a->copy == b->copy && a->inner == b->inner && a->line == b->line;
}

static bool is_seen(const struct follow *follow, unsigned probe)
{
	return !role_is_companion(follow->plan->probes[probe].role) &&
	       !follow->options.skipped[probe];
}

static bool is_line(const struct follow *follow, unsigned probe)
{
	const struct probe *its = &follow->plan->probes[probe];

	return is_seen(follow, probe) && its->spec->followed == FOLLOWED_LINE && !its->site->inner;
}

/* Without its beginning, one run of a copy can't be told from the next. */
static void find_blind(struct follow *follow, unsigned refused)
{
	const struct probe *probes = follow->plan->probes;
	const struct site *site = probes[refused].site;

	if (!follow->options.skipped[refused] ||
	    !(site->begins || probes[refused].spec->followed == FOLLOWED_INNER))
		return;
	for (unsigned i = 0; i < follow->plan->nprobes; i++)
		if (is_seen(follow, i) && probes[i].site->copy == site->copy &&
		    (site->begins || probes[i].site->inner == site->inner))
			follow->probes[i].is_blind = true;
}

/* Numbers the lines of its copy. */
static void number_line(struct follow *follow, unsigned probe)
{
	const struct probe *probes = follow->plan->probes;
	struct followed_probe *its = &follow->probes[probe];
	unsigned before = 0;

	its->line = NO_SLOT;
	for (unsigned i = 0; i < probe && is_line(follow, probe); i++) {
		if (!is_line(follow, i) || probes[i].site->copy != probes[probe].site->copy)
			continue;
		if (is_same_line(probes[i].site, probes[probe].site)) {
			its->line = follow->probes[i].line;
			return;
		}
		before = follow->probes[i].line >= before ? follow->probes[i].line + 1 : before;
	}
	if (is_line(follow, probe))
		its->line = before;
	follow->nlines = before + 1 > follow->nlines ? before + 1 : follow->nlines;
}

static void count_lines(struct follow *follow, unsigned probe)
{
	const struct probe *probes = follow->plan->probes;
	struct followed_probe *its = &follow->probes[probe];

	for (unsigned i = 0; i < follow->plan->nprobes; i++) {
		const struct followed_probe *other = &follow->probes[i];

		if (!is_seen(follow, i))
			continue;
		its->nshared += probes[i].kind == probes[probe].kind &&
				!strcmp(probes[i].head, probes[probe].head);
		if (is_line(follow, i) && probes[i].site->copy == probes[probe].site->copy &&
		    other->line >= its->nlines)
			its->nlines = other->line + 1;
	}
}

static void prepare(struct follow *follow, unsigned index)
{
	const struct probe *probe = &follow->plan->probes[index];
	struct followed_probe *its = &follow->probes[index];

	its->scope = scope_of(follow, index);
	its->slots = arena_array(follow->arena, unsigned, probe->nvalues + 1);
	for (unsigned i = 0; i < probe->nvalues; i++) {
		its->slots[i] = slot_before(follow, index, i);
		if (its->slots[i] != NO_SLOT)
			continue;
		its->slots[i] = follow->nslots;
		arena_append(follow->arena, follow->slot_scopes, follow->nslots) = its->scope;
	}
	number_line(follow, index);
}

struct follow *follow_new(struct arena *arena, const struct plan *plan,
			  const struct sink_context *context, const struct follow_options *options)
{
	struct follow *follow = arena_new(arena, struct follow);
	struct sink_context *in_lines = arena_new(arena, struct sink_context);

	*in_lines = *context;
	in_lines->is_nested = false;
	follow->arena = arena;
	follow->plan = plan;
	follow->context = in_lines;
	follow->options = *options;
	follow->notation = options->is_json ? sink_json.notation : sink_text.notation;
	follow->nscopes = 1;
	follow->probes = arena_array(arena, struct followed_probe, plan->nprobes);
	for (unsigned i = 0; i < plan->nprobes; i++)
		if (is_seen(follow, i))
			prepare(follow, i);
	for (unsigned i = 0; i < plan->nprobes; i++) {
		follow->sees_all_ends |= is_seen(follow, i) && plan->probes[i].is_return &&
					 plan->probes[i].kind == PROBE_HIT;
		count_lines(follow, i);
		find_blind(follow, i);
	}
	return follow;
}

/* The idle threads of all CPUs have one number. */
static int64_t thread_id(const struct event *event)
{
	return event->pid ? event->pid : -1 - (int64_t)event->cpu;
}

static struct thread *thread_of(struct follow *follow, const struct event *event)
{
	int64_t id = thread_id(event);
	struct thread **bucket = &follow->threads[number_hash((uint64_t)id) % THREAD_BUCKETS],
		      *thread = *bucket;

	while (thread && thread->id != id)
		thread = thread->next;
	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->id = id;
	thread->tid = event->pid;
	thread->next = *bucket;
	*bucket = thread;
	return thread;
}

static void thread_free(struct follow *follow, struct thread *thread)
{
	while (thread->calls) {
		struct call *call = thread->calls;

		thread->calls = call->next;
		call_free(follow, call);
	}
	strbuf_deinit(&thread->words);
	free(thread->hits);
	free(thread->texts);
	free(thread);
}

void follow_free(struct follow *follow)
{
	for (unsigned i = 0; follow && i < THREAD_BUCKETS; i++)
		while (follow->threads[i]) {
			struct thread *thread = follow->threads[i];

			follow->threads[i] = thread->next;
			thread_free(follow, thread);
		}
}

static bool has_hit(const struct thread *thread, const struct probe *probe)
{
	for (unsigned i = 0; i < thread->nhits; i++)
		if (thread->hits[i].probe == probe)
			return true;
	return false;
}

static bool grow(void **list, unsigned *room, unsigned count, size_t size)
{
	void *larger;

	if (count < *room)
		return true;
	larger = realloc(*list, (size_t)(2 * *room + 16) * size);
	if (!larger)
		return false;
	*list = larger;
	*room = 2 * *room + 16;
	return true;
}

/* Keeps the words of a hit's values. */
static void keep_texts(struct follow *follow, struct thread *thread, const struct event *event)
{
	const struct probe *probe = event->probe;
	const struct followed_probe *its = followed(follow, probe);

	for (unsigned i = 0; i < probe->nvalues; i++) {
		if (probe->values[i].status != VALUE_OK || event->values[i].kind == DATUM_NONE ||
		    !grow((void **)&thread->texts, &thread->texts_room, thread->ntexts,
			  sizeof(*thread->texts)))
			continue;
		thread->texts[thread->ntexts++] = (struct hit_text){
			its->slots[i],
			thread->words.length,
			event->values[i].kind == DATUM_BYTES && event->values[i].reason,
		};
		put_value(&thread->words, follow->notation, &probe->values[i], &event->values[i],
			  follow->context);
		strbuf_add(&thread->words, "", 1);
	}
}

static void keep_hit(struct follow *follow, struct thread *thread, const struct event *event)
{
	unsigned first = thread->ntexts;

	if (!grow((void **)&thread->hits, &thread->hits_room, thread->nhits, sizeof(*thread->hits)))
		return;
	keep_texts(follow, thread, event);
	thread->hits[thread->nhits++] = (struct hit){
		.probe = event->probe,
		.time = event->time,
		.first = first,
		.count = thread->ntexts - first,
		.tested = event->tested,
		.held = event->held,
	};
	thread->ip = event->ip;
	thread->frame = event->frame;
	thread->cpu = event->cpu;
	strncpy(thread->comm, event->comm, sizeof(thread->comm) - 1);
}

/* A kretprobe sees only returns of calls that begin while it is there. */
static enum call_end end_of_open(const struct follow *follow, const struct call *call)
{
	return call->is_inlined ? END_INLINED :
	       call->is_whole || follow->sees_all_ends ? END_OPEN : END_UNSEEN;
}

/* Ends all calls: what they passed since may be among what was lost. */
static void give_up(struct follow *follow, enum call_end end)
{
	for (unsigned i = 0; i < THREAD_BUCKETS; i++)
		for (struct thread *thread = follow->threads[i]; thread; thread = thread->next) {
			hits_apply(follow, thread);
			while (thread->calls)
				call_end(follow, thread, thread->calls,
					 end == END_OPEN ? end_of_open(follow, thread->calls) : end,
					 0);
		}
}

/* A program that is elsewhere in memory is another one: exec(2) has ended all calls, unless a
 * library is there twice. */
static void find_base(struct follow *follow, struct thread *thread, const struct event *event)
{
	uint64_t base = event->ip - event->probe->site->offset;

	if (!event->probe->site->path || !event->ip || thread->base == base)
		return;
	hits_apply(follow, thread);
	for (struct call *call = thread->calls; call; call = call->next)
		call->is_overtaken = true;
	thread->base = base;
}

/* Returns how many calls it has shown. */
static unsigned take(struct follow *follow, const struct event *event)
{
	uint64_t shown = follow->counts.shown;
	struct thread *thread;
	bool is_apart = event->probe->kind == PROBE_RETURN; /* its ip is the function's */

	if (follow->losses != event->losses)
		give_up(follow, END_LOST);
	follow->losses = event->losses;
	if (followed(follow, event->probe)->is_blind)
		return (unsigned)(follow->counts.shown - shown);
	thread = event->is_doubtful || !event->has_frame ? NULL : thread_of(follow, event);
	if (!thread) {
		follow->counts.strays++;
		return (unsigned)(follow->counts.shown - shown);
	}
	find_base(follow, thread, event);
	if (thread->nhits && (is_apart || thread->ip != event->ip ||
			      thread->frame != event->frame || has_hit(thread, event->probe)))
		hits_apply(follow, thread);
	keep_hit(follow, thread, event);
	if (is_apart || thread->nhits == followed(follow, event->probe)->nshared)
		hits_apply(follow, thread);
	return (unsigned)(follow->counts.shown - shown);
}

unsigned follow_event(struct follow *follow, struct strbuf *out, const struct event *event)
{
	follow->out = out;
	return take(follow, event);
}

unsigned follow_end(struct follow *follow, struct strbuf *out)
{
	uint64_t shown = follow->counts.shown;

	follow->out = out;
	give_up(follow, END_OPEN);
	return (unsigned)(follow->counts.shown - shown);
}

const struct follow_counts *follow_counts(const struct follow *follow)
{
	return &follow->counts;
}
