// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the starts that wait for their ends: found by key, the newest of a key first, and given up
 * by age when there is no room for another.
 *
 * The surprise: there is one start more than may wait, since the last one that was taken out is
 * still being shown when the next is put in.
 */
#include <stdlib.h>
#include <string.h>

#include "stream/waiting.h"

bool waiting_make_room(struct waiting *waiting, uint32_t limit)
{
	waiting->free = waiting->oldest = waiting->newest = NONE;
	waiting->limit = limit;
	for (waiting->nheads = 1; waiting->nheads < limit; waiting->nheads *= 2)
		continue;
	/* one more: the start of the pair that is about to be shown */
	waiting->starts = calloc((size_t)limit + 1, sizeof(*waiting->starts));
	waiting->heads = malloc(waiting->nheads * sizeof(*waiting->heads));
	if (!waiting->starts || !waiting->heads)
		return false;
	memset(waiting->heads, 0xff, waiting->nheads * sizeof(*waiting->heads));
	return true;
}

void waiting_free(struct waiting *waiting)
{
	for (uint32_t i = 0; i < waiting->used; i++)
		free(waiting->starts[i].data);
	free(waiting->starts);
	free(waiting->heads);
}

void waiting_release(struct waiting *waiting, uint32_t at)
{
	waiting->starts[at].next = waiting->free;
	waiting->free = at;
}

void waiting_take(struct waiting *waiting, uint32_t at)
{
	struct start *start = &waiting->starts[at];
	uint32_t *link = &waiting->heads[start->hash & (waiting->nheads - 1)];

	while (*link != at)
		link = &waiting->starts[*link].next;
	*link = start->next;
	*(start->older == NONE ? &waiting->oldest : &waiting->starts[start->older].newer) =
		start->newer;
	*(start->newer == NONE ? &waiting->newest : &waiting->starts[start->newer].older) =
		start->older;
	waiting->counts.open--;
}

void waiting_forget(struct waiting *waiting)
{
	waiting->counts.forgotten += waiting->counts.open;
	while (waiting->oldest != NONE) {
		uint32_t at = waiting->oldest;

		waiting_take(waiting, at);
		waiting_release(waiting, at);
	}
}

uint32_t waiting_find(const struct waiting *waiting, const struct pair_key *key)
{
	uint32_t at = waiting->heads[key->hash & (waiting->nheads - 1)];

	for (; at != NONE; at = waiting->starts[at].next) {
		const struct start *start = &waiting->starts[at];

		if (start->hash == key->hash && start->key_size == key->size &&
		    !memcmp(start->data, key->bytes, key->size))
			break;
	}
	return at;
}

uint32_t waiting_new(struct waiting *waiting)
{
	uint32_t at = waiting->free;

	if (waiting->counts.open == waiting->limit) {
		at = waiting->oldest;
		waiting_take(waiting, at);
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

static bool make_room(struct start *start, uint32_t size)
{
	uint8_t *data;

	if (start->room >= size)
		return true;
	data = realloc(start->data, size);
	if (!data)
		return false;
	start->data = data;
	start->room = size;
	return true;
}

/* to: where the values go; their bytes go behind them. */
static void copy_values(uint8_t *to, const struct value *wanted, const struct datum *values,
			unsigned count)
{
	struct datum *copies = (struct datum *)(void *)to;

	memcpy(copies, values, count * sizeof(*values));
	to += count * sizeof(*values);
	for (unsigned i = 0; i < count; i++) {
		if (values[i].kind == DATUM_NONE && !values[i].reason)
			copies[i].reason = wanted[i].reason;
		if (values[i].kind != DATUM_BYTES)
			continue;
		copies[i].bytes = memcpy(to, values[i].bytes, values[i].length);
		to += values[i].length;
	}
}

bool waiting_fill(struct start *start, const struct pair_key *key, const struct value *wanted,
		  const struct datum *values, unsigned count)
{
	uint32_t at = align(key->size), size = at + count * (uint32_t)sizeof(*values);

	for (unsigned i = 0; i < count; i++)
		size += values[i].kind == DATUM_BYTES ? values[i].length : 0;
	if (!make_room(start, size))
		return false;
	start->key_size = key->size;
	memcpy(start->data, key->bytes, key->size);
	copy_values(start->data + at, wanted, values, count);
	return true;
}

const struct datum *waiting_values(const struct start *start)
{
	return (const struct datum *)(const void *)(start->data + align(start->key_size));
}

void waiting_put(struct waiting *waiting, uint32_t at, uint32_t hash)
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
