// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the key by which an end finds its start: the values that are joined, then the thread, then
 * the call. A number has the same bytes whatever its size is in either place.
 */
#include "base/hash.h"
#include "stream/waiting.h"

static bool key_add(struct pair_key *key, const void *bytes, size_t size)
{
	if (size > KEY_MAX - key->size)
		return false;
	memcpy(key->bytes + key->size, bytes, size);
	key->size += (uint32_t)size;
	return true;
}

static bool key_add_number(struct pair_key *key, uint64_t number)
{
	return key_add(key, &number, sizeof(number));
}

/* Numbers are equal if they are as numbers, whatever their sizes; a text that was cut may be
 * any. */
static bool key_add_datum(struct pair_key *key, const struct value *value,
			  const struct datum *datum)
{
	if (datum->kind == DATUM_INT)
		return key_add_number(key, value->is_signed && (int64_t)datum->number < 0) &&
		       key_add_number(key, datum->number);
	return datum->kind == DATUM_BYTES && !datum->reason && key_add_number(key, datum->length) &&
	       key_add(key, datum->bytes, datum->length);
}

/* The idle threads of all CPUs have one number. */
static uint64_t thread_of(const struct event *event)
{
	return event->pid ? (uint64_t)event->pid : (uint64_t)(-1 - event->cpu);
}

bool pair_key_make(struct pair_key *key, struct decoder *decoder, const struct layout *layout,
		   const struct pair *pair, const struct pair_half *half)
{
	const struct pairing *pairing = pair->pairing;
	bool good = true;
	uint64_t frame;

	key->size = 0;
	for (unsigned i = 0; i < pairing->njoins && good; i++) {
		unsigned at = half->is_start ? pairing->joins[i].start :
					       pairing->joins[i].end;

		good = key_add_datum(key, &half->values[at], &half->data[at]);
	}
	if (pair->by != PAIR_BY_VALUES)
		good = key_add_number(key, thread_of(&decoder->event));
	if (pair->by == PAIR_BY_CALL)
		good = decoder_frame(decoder, layout->probe, &frame) &&
		       key_add_number(key, frame) && key_add_number(key, layout->function);
	key->hash = (uint32_t)bytes_hash(key->bytes, key->size);
	return good;
}
