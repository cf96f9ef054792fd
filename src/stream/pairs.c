// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins the two halves of a pair: a start is kept, decoded, until an end with the same key comes,
 * whose event then has the start's values too.
 *
 * The surprise: after a loss all starts that wait are given up, since an end may have been lost,
 * and a later one isn't the start's; so are starts that begin while some CPU's records are missing.
 */
#include <string.h>

#include "stream/pairs.h"
#include "stream/waiting.h"

struct pairs {
	struct waiting *waiting; /* by the plan's pairs[i] */
	unsigned count;
	struct pair_counts *counts; /* copies, for the caller */
	struct pair_key key;
};

struct pairs *pairs_new(struct arena *arena, const struct plan *plan)
{
	struct pairs *pairs = arena_new(arena, struct pairs);

	pairs->count = plan->npairs;
	pairs->waiting = arena_array(arena, struct waiting, plan->npairs);
	pairs->counts = arena_array(arena, struct pair_counts, plan->npairs);
	for (unsigned i = 0; i < plan->npairs; i++)
		pairs->waiting[i] = (struct waiting){
			.pair = &plan->pairs[i],
			.counts.title = plan->pairs[i].title,
		};
	return pairs;
}

bool pairs_make_room(struct pairs *pairs, uint32_t limit)
{
	bool good = true;

	for (unsigned i = 0; i < pairs->count && good; i++)
		good = waiting_make_room(&pairs->waiting[i], limit);
	return good;
}

void pairs_free(struct pairs *pairs)
{
	for (unsigned i = 0; pairs && i < pairs->count; i++)
		waiting_free(&pairs->waiting[i]);
}

void pairs_forget(struct pairs *pairs)
{
	for (unsigned i = 0; i < pairs->count; i++)
		waiting_forget(&pairs->waiting[i]);
}

/* Notes when and where it began. */
static void stamp(struct start *start, const struct layout *layout, const struct event *event)
{
	start->is_entry = layout->is_entry;
	start->time = event->time;
	start->pid = event->pid;
	start->cpu = event->cpu;
	start->process = event->process;
	strncpy(start->comm, event->comm, COMM_SIZE - 1);
}

/* The place for a start of the current key: where starts don't nest, that of an earlier one. */
static uint32_t place_for(const struct pairs *pairs, struct waiting *waiting)
{
	uint32_t at = waiting->pair->nests ? NONE : waiting_find(waiting, &pairs->key);

	if (at == NONE)
		return waiting_new(waiting);
	waiting_take(waiting, at);
	waiting->counts.unpaired_starts++;
	return at;
}

static void begin(struct pairs *pairs, struct waiting *waiting, struct decoder *decoder,
		  const struct layout *layout)
{
	bool is_end = layout->probe->role == ROLE_SHOWN;
	const struct pair_half half = {
		.is_start = true,
		.values = is_end ? layout->probe->starts : layout->probe->values,
		.data = is_end ? decoder->starts : decoder->values,
	};
	uint32_t at;

	waiting->counts.starts++;
	if (!pair_key_make(&pairs->key, decoder, layout, waiting->pair, &half)) {
		waiting->counts.unpaired_starts++;
		return;
	}
	at = place_for(pairs, waiting);
	if (!waiting_fill(&waiting->starts[at], &pairs->key, half.values, half.data,
			  waiting->pair->nvalues)) {
		waiting_release(waiting, at);
		waiting->counts.evicted++;
		return;
	}
	stamp(&waiting->starts[at], layout, &decoder->event);
	waiting_put(waiting, at, pairs->key.hash);
}

/* Frames are used again: a start before the entry of the hit's call is an earlier call's. */
static bool is_earlier_call(const struct start *start, const struct decoder *decoder)
{
	const struct record *entry = &decoder->parts[PART_ENTRY];

	return entry->layout && !start->is_entry && start->time < entry->time;
}

/* Returns the start that the hit ends, no longer waiting; NONE: none is known. */
static uint32_t end(struct pairs *pairs, struct waiting *waiting, struct decoder *decoder,
		    const struct layout *layout)
{
	const struct pair_half half = {false, layout->probe->values, decoder->values};
	uint32_t at = NONE;

	waiting->counts.ends++;
	if (pair_key_make(&pairs->key, decoder, layout, waiting->pair, &half))
		at = waiting_find(waiting, &pairs->key);
	if (at != NONE)
		waiting_take(waiting, at);
	if (at != NONE && waiting->pair->by == PAIR_BY_CALL &&
	    is_earlier_call(&waiting->starts[at], decoder)) {
		waiting->counts.unpaired_starts++;
		waiting_release(waiting, at);
		at = NONE;
	}
	*(at == NONE ? &waiting->counts.unpaired_ends : &waiting->counts.pairs) += 1;
	return at;
}

/* The event becomes the pair's: of the task that began it, at the time of the end. */
static void complete(const struct start *start, struct decoder *decoder)
{
	const struct datum *values = waiting_values(start);
	const struct probe *probe = decoder->event.probe;
	struct event *event = &decoder->event;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct value *value = &probe->values[i];

		if (value->is_start)
			decoder->values[i] = values[value->start];
		else if (value->is_between)
			decoder->values[i] = (struct datum){.kind = DATUM_INT,
							    .number = event->time - start->time};
	}
	event->pid = start->pid;
	event->cpu = start->cpu;
	event->process = start->process;
	event->comm = start->comm;
}

/* A hit whose partner may be among what was lost meanwhile. */
static void doubt(struct pair_counts *counts, bool is_start, bool is_end)
{
	counts->starts += is_start;
	counts->forgotten += is_start;
	counts->ends += is_end;
	counts->unpaired_ends += is_end;
}

bool pairs_take(struct pairs *pairs, struct decoder *decoder, const struct layout *layout)
{
	const struct probe *probe = layout->probe;
	struct waiting *waiting = &pairs->waiting[probe->pair - 1];
	bool is_end = probe->role == ROLE_SHOWN, is_start = !is_end || waiting->pair->is_one_place;
	uint32_t ended = NONE;

	if (decoder->is_doubtful) {
		doubt(&waiting->counts, is_start, is_end);
		return false;
	}
	if (is_end)
		ended = end(pairs, waiting, decoder, layout);
	if (is_start)
		begin(pairs, waiting, decoder, layout);
	if (ended == NONE)
		return false;
	complete(&waiting->starts[ended], decoder);
	waiting_release(waiting, ended);
	return true;
}

struct pair_counts *pairs_counts(const struct pairs *pairs)
{
	for (unsigned i = 0; i < pairs->count; i++)
		pairs->counts[i] = pairs->waiting[i].counts;
	return pairs->counts;
}
