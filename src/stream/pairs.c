// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins the two halves of a pair: a start is kept, decoded, until an end with the same key comes, whose
 * event then has the start's values too. As many starts as there is room for wait; beyond, the oldest is
 * given up. After a loss all are, since an end may have been lost, and a later one isn't the start's; so
 * are those that begin while some CPU's records are missing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "expr/expr.h"
#include "ktrace/pairs.h"
#include "stream/internal.h"

#define NONE UINT32_MAX
#define COMM_SIZE 16

/* One that waits. data: the key, then the values, then the bytes that these have. */
struct start {
	uint32_t next;  /* in its chain; of a free one, the next free one */
	uint32_t older; /* of all that wait; NONE: the oldest */
	uint32_t newer;
	uint32_t hash;
	uint32_t key_size;
	uint32_t room;
	uint8_t *data;
	bool is_entry; /* at the function's own entry */
	uint64_t time;
	int pid;
	int cpu;
	int process;
	char comm[COMM_SIZE];
};

struct waiting {
	const struct pair *pair;
	struct start *starts;
	uint32_t *heads; /* chains by hash, newest first */
	uint32_t nheads; /* a power of two */
	uint32_t used;   /* starts[used...] were never used */
	uint32_t free;
	uint32_t oldest;
	uint32_t newest;
	uint32_t limit;
	struct pair_counts counts;
};

struct pairs {
	struct waiting *waiting; /* by the plan's pairs[i] */
	unsigned count;
	struct pair_counts *counts; /* copies, for the caller */
	uint8_t key[KEY_MAX];
	uint32_t key_size;
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
			.free = NONE, .oldest = NONE, .newest = NONE,
		};
	return pairs;
}

bool pairs_make_room(struct pairs *pairs, uint32_t limit)
{
	for (unsigned i = 0; i < pairs->count; i++) {
		struct waiting *waiting = &pairs->waiting[i];

		waiting->limit = limit;
		for (waiting->nheads = 1; waiting->nheads < limit; waiting->nheads *= 2)
			continue;
		/* one more: the start of the pair that is about to be shown */
		waiting->starts = calloc((size_t)limit + 1, sizeof(*waiting->starts));
		waiting->heads = malloc(waiting->nheads * sizeof(*waiting->heads));
		if (!waiting->starts || !waiting->heads)
			return false;
		memset(waiting->heads, 0xff, waiting->nheads * sizeof(*waiting->heads));
	}
	return true;
}

void pairs_free(struct pairs *pairs)
{
	for (unsigned i = 0; pairs && i < pairs->count; i++) {
		struct waiting *waiting = &pairs->waiting[i];

		for (uint32_t j = 0; j < waiting->used; j++)
			free(waiting->starts[j].data);
		free(waiting->starts);
		free(waiting->heads);
	}
}

static void release(struct waiting *waiting, uint32_t at)
{
	waiting->starts[at].next = waiting->free;
	waiting->free = at;
}

/* Takes it out of its chain and out of the order of age; its content stays. */
static void take_out(struct waiting *waiting, uint32_t at)
{
	struct start *start = &waiting->starts[at];
	uint32_t *link = &waiting->heads[start->hash & (waiting->nheads - 1)];

	while (*link != at)
		link = &waiting->starts[*link].next;
	*link = start->next;
	*(start->older == NONE ? &waiting->oldest : &waiting->starts[start->older].newer) = start->newer;
	*(start->newer == NONE ? &waiting->newest : &waiting->starts[start->newer].older) = start->older;
	waiting->counts.open--;
}

void pairs_forget(struct pairs *pairs)
{
	for (unsigned i = 0; i < pairs->count; i++) {
		struct waiting *waiting = &pairs->waiting[i];

		waiting->counts.forgotten += waiting->counts.open;
		while (waiting->oldest != NONE) {
			uint32_t at = waiting->oldest;

			take_out(waiting, at);
			release(waiting, at);
		}
	}
}

static bool key_add(struct pairs *pairs, const void *bytes, size_t size)
{
	if (size > KEY_MAX - pairs->key_size)
		return false;
	memcpy(pairs->key + pairs->key_size, bytes, size);
	pairs->key_size += (uint32_t)size;
	return true;
}

static bool key_add_number(struct pairs *pairs, uint64_t number)
{
	return key_add(pairs, &number, sizeof(number));
}

/* Numbers are equal if they are as numbers, whatever their sizes; a text that was cut may be any. */
static bool key_add_datum(struct pairs *pairs, const struct value *value, const struct datum *datum)
{
	if (datum->kind == DATUM_INT)
		return key_add_number(pairs, value->is_signed && (int64_t)datum->number < 0) &&
		       key_add_number(pairs, datum->number);
	return datum->kind == DATUM_BYTES && !datum->reason && key_add_number(pairs, datum->length) &&
	       key_add(pairs, datum->bytes, datum->length);
}

/* The idle threads of all CPUs have one number. */
static uint64_t thread_of(const struct event *event)
{
	return event->pid ? (uint64_t)event->pid : (uint64_t)(-1 - event->cpu);
}

/* values: of the half that the hit is now taken for. Returns false if it can't have a partner. */
static bool make_key(struct pairs *pairs, struct decoder *decoder, const struct layout *layout,
		     const struct pair *pair, bool is_start, const struct value *values, const struct datum *data)
{
	const struct pairing *pairing = pair->pairing;
	bool good = true;
	uint64_t frame;

	pairs->key_size = 0;
	for (unsigned i = 0; i < pairing->njoins && good; i++) {
		unsigned at = is_start ? pairing->joins[i].start : pairing->joins[i].end;

		good = key_add_datum(pairs, &values[at], &data[at]);
	}
	if (pair->by != PAIR_BY_VALUES)
		good = key_add_number(pairs, thread_of(&decoder->event));
	if (pair->by == PAIR_BY_CALL)
		good = decoder_frame(decoder, layout->probe, &frame) && key_add_number(pairs, frame) &&
		       key_add_number(pairs, layout->function);
	return good;
}

/* The newest start with the current key, or NONE. */
static uint32_t find(const struct waiting *waiting, const struct pairs *pairs, uint32_t hash)
{
	uint32_t at = waiting->heads[hash & (waiting->nheads - 1)];

	for (; at != NONE; at = waiting->starts[at].next) {
		const struct start *start = &waiting->starts[at];

		if (start->hash == hash && start->key_size == pairs->key_size &&
		    !memcmp(start->data, pairs->key, pairs->key_size))
			break;
	}
	return at;
}

/* A free one, else the oldest. */
static uint32_t free_start(struct waiting *waiting)
{
	uint32_t at = waiting->free;

	if (waiting->counts.open == waiting->limit) {
		at = waiting->oldest;
		take_out(waiting, at);
		waiting->counts.evicted++;
	} else if (at != NONE) {
		waiting->free = waiting->starts[at].next;
	} else {
		at = waiting->used++;
	}
	return at;
}

static uint32_t align(uint32_t size)
{
	return (size + 7) & ~7u;
}

/* Copies key and values. Returns false when memory has run out. */
static bool fill(struct start *start, const struct pairs *pairs, const struct value *wanted,
		 const struct datum *values, unsigned count)
{
	uint32_t at = align(pairs->key_size), size = at + count * (uint32_t)sizeof(*values);
	struct datum *copies;

	for (unsigned i = 0; i < count; i++)
		size += values[i].kind == DATUM_BYTES ? values[i].length : 0;
	if (start->room < size) {
		uint8_t *data = realloc(start->data, size);

		if (!data)
			return false;
		start->data = data;
		start->room = size;
	}
	start->key_size = pairs->key_size;
	memcpy(start->data, pairs->key, pairs->key_size);
	copies = (struct datum *)(void *)(start->data + at);
	memcpy(copies, values, count * sizeof(*values));
	at += count * (uint32_t)sizeof(*values);
	for (unsigned i = 0; i < count; i++) {
		if (values[i].kind == DATUM_NONE && !values[i].reason)
			copies[i].reason = wanted[i].reason;
		if (values[i].kind != DATUM_BYTES)
			continue;
		copies[i].bytes = memcpy(start->data + at, values[i].bytes, values[i].length);
		at += values[i].length;
	}
	return true;
}

static void put_in(struct waiting *waiting, uint32_t at, uint32_t hash)
{
	uint32_t *head = &waiting->heads[hash & (waiting->nheads - 1)];
	struct start *start = &waiting->starts[at];

	start->hash = hash;
	start->next = *head;
	*head = at;
	start->older = waiting->newest;
	start->newer = NONE;
	*(start->older == NONE ? &waiting->oldest : &waiting->starts[start->older].newer) = at;
	waiting->newest = at;
	waiting->counts.open++;
}

static void begin(struct pairs *pairs, struct waiting *waiting, struct decoder *decoder, const struct layout *layout)
{
	bool is_end = layout->probe->role == ROLE_SHOWN;
	const struct value *values = is_end ? layout->probe->starts : layout->probe->values;
	const struct datum *data = is_end ? decoder->starts : decoder->values;
	const struct event *event = &decoder->event;
	uint32_t hash, at;

	waiting->counts.starts++;
	if (!make_key(pairs, decoder, layout, waiting->pair, true, values, data)) {
		waiting->counts.unpaired_starts++;
		return;
	}
	hash = (uint32_t)bytes_hash(pairs->key, pairs->key_size);
	at = waiting->pair->nests ? NONE : find(waiting, pairs, hash);
	if (at != NONE) {
		take_out(waiting, at);
		waiting->counts.unpaired_starts++;
	} else {
		at = free_start(waiting);
	}
	if (!fill(&waiting->starts[at], pairs, values, data, waiting->pair->nvalues)) {
		release(waiting, at);
		waiting->counts.evicted++;
		return;
	}
	waiting->starts[at].is_entry = layout->is_entry;
	waiting->starts[at].time = event->time;
	waiting->starts[at].pid = event->pid;
	waiting->starts[at].cpu = event->cpu;
	waiting->starts[at].process = event->process;
	strncpy(waiting->starts[at].comm, event->comm, COMM_SIZE - 1);
	put_in(waiting, at, hash);
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
	uint32_t at = NONE;

	waiting->counts.ends++;
	if (make_key(pairs, decoder, layout, waiting->pair, false, layout->probe->values, decoder->values))
		at = find(waiting, pairs, (uint32_t)bytes_hash(pairs->key, pairs->key_size));
	if (at != NONE)
		take_out(waiting, at);
	if (at != NONE && waiting->pair->by == PAIR_BY_CALL && is_earlier_call(&waiting->starts[at], decoder)) {
		waiting->counts.unpaired_starts++;
		release(waiting, at);
		at = NONE;
	}
	*(at == NONE ? &waiting->counts.unpaired_ends : &waiting->counts.pairs) += 1;
	return at;
}

/* The event becomes the pair's: of the task that began it, at the time of the end. */
static void complete(const struct start *start, struct decoder *decoder)
{
	const struct datum *values = (const struct datum *)(const void *)(start->data + align(start->key_size));
	const struct probe *probe = decoder->event.probe;
	struct event *event = &decoder->event;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		const struct value *value = &probe->values[i];

		if (value->is_start)
			decoder->values[i] = values[value->start];
		else if (value->is_between)
			decoder->values[i] = (struct datum){.kind = DATUM_INT, .number = event->time - start->time};
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
	release(waiting, ended);
	return true;
}

struct pair_counts *pairs_counts(const struct pairs *pairs)
{
	for (unsigned i = 0; i < pairs->count; i++)
		pairs->counts[i] = pairs->waiting[i].counts;
	return pairs->counts;
}
