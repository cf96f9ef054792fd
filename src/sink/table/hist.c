// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts how often each number came, within 1/64 of it. A bucket is 1/32 of a power of two; 32
 * buckets are a block. A histogram only has the blocks that are used, in order: `present` has a bit
 * for each, and those set before it give a block's index. Numbers below 0 count from -1 on.
 */
#include "base/search.h"
#include "sink/table/table.h"

#define BELOW (HIST_BLOCKS / 2) /* first block for numbers below 0 */
#define PART_BITS 5u

static unsigned magnitude_block(uint64_t number)
{
	return number < HIST_PARTS ? 0 : 63 - PART_BITS - (unsigned)__builtin_clzll(number) + 1;
}

/* -1 has the magnitude of 0, mirrored. */
static uint64_t magnitude(__int128 number)
{
	return (uint64_t)(number < 0 ? -(number + 1) : number);
}

unsigned hist_block(__int128 number)
{
	return magnitude_block(magnitude(number)) + (number < 0 ? BELOW : 0);
}

static unsigned bucket_of(uint64_t number, unsigned block)
{
	return (unsigned)(number >> (block ? block - 1 : 0)) & (HIST_PARTS - 1);
}

static bool has_block(const struct hist *hist, unsigned block)
{
	return hist->present[block / 64] >> block % 64 & 1;
}

/* The block's index in `blocks`. */
static unsigned index_of(const struct hist *hist, unsigned block)
{
	uint64_t below = hist->present[block / 64] & ((1ull << block % 64) - 1);

	return (unsigned)(__builtin_popcountll(below) +
			  (block >= 64 ? __builtin_popcountll(hist->present[0]) : 0));
}

static unsigned nblocks(const struct hist *hist)
{
	return (unsigned)(__builtin_popcountll(hist->present[0]) +
			  __builtin_popcountll(hist->present[1]));
}

static void make_block(struct arena *arena, struct hist *hist, unsigned block)
{
	unsigned count = nblocks(hist), at = index_of(hist, block);

	if (count == hist->room) {
		hist->room = count ? 2 * count : 4;
		hist->blocks = arena_grow(arena, hist->blocks, count * sizeof(*hist->blocks),
					  hist->room * sizeof(*hist->blocks));
	}
	memmove(&hist->blocks[at + 1], &hist->blocks[at], (count - at) * sizeof(*hist->blocks));
	hist->blocks[at] = arena_array(arena, uint64_t, HIST_PARTS);
	hist->present[block / 64] |= 1ull << block % 64;
}

void hist_add(struct arena *arena, struct hist *hist, __int128 number, uint64_t count)
{
	unsigned block = hist_block(number);

	if (!has_block(hist, block))
		make_block(arena, hist, block);
	hist->blocks[index_of(hist, block)][bucket_of(magnitude(number), block % BELOW)] += count;
}

void hist_clear(struct hist *hist)
{
	for (unsigned i = 0; i < nblocks(hist); i++)
		memset(hist->blocks[i], 0, HIST_PARTS * sizeof(*hist->blocks[i]));
	hist->nsteps = 0;
	hist->others = 0;
}

/* The first step that is not below `at`. */
static unsigned find_step(const struct hist *hist, int64_t at)
{
	return (unsigned)partition_point(hist->nsteps, i, hist->steps[i].at < at);
}

void hist_add_step(struct arena *arena, struct hist *hist, __int128 at, uint64_t count)
{
	unsigned i = at == (int64_t)at ? find_step(hist, (int64_t)at) : hist->nsteps;

	if (at == (int64_t)at && i < hist->nsteps && hist->steps[i].at == at) {
		hist->steps[i].count += count;
		return;
	}
	/* out of int64: only with steps of 1 over numbers above 2^63, which isn't worth a
	 * message */
	if (hist->nsteps == STEPS_MAX || at != (int64_t)at) {
		hist->others += count;
		return;
	}
	if (hist->nsteps == hist->steps_room) {
		hist->steps_room = hist->nsteps ? 2 * hist->nsteps : 16;
		hist->steps = arena_grow(arena, hist->steps, hist->nsteps * sizeof(*hist->steps),
					 hist->steps_room * sizeof(*hist->steps));
	}
	memmove(&hist->steps[i + 1], &hist->steps[i], (hist->nsteps - i) * sizeof(*hist->steps));
	hist->steps[i] = (struct hist_step){(int64_t)at, count};
	hist->nsteps++;
}

/* Bucket `at` in ascending order of numbers: those below 0 are stored mirrored. */
static bool bucket_at(const struct hist *hist, unsigned at, struct hist_bucket *ret)
{
	bool is_below = at < BELOW * HIST_PARTS;
	unsigned number = is_below ? BELOW * HIST_PARTS - 1 - at : at - BELOW * HIST_PARTS;
	unsigned block = number / HIST_PARTS, part = number % HIST_PARTS;
	unsigned shift = block ? block - 1 : 0;
	__int128 first = (__int128)(block ? HIST_PARTS + part : part) << shift;
	__int128 last = first + (((__int128)1 << shift) - 1);

	block += is_below ? BELOW : 0;
	if (!has_block(hist, block))
		return false;
	*ret = (struct hist_bucket){is_below ? -last - 1 : first, is_below ? -first - 1 : last,
				    hist->blocks[index_of(hist, block)][part]};
	return ret->count;
}

bool hist_next(const struct hist *hist, unsigned *at, struct hist_bucket *ret)
{
	while (*at < HIST_BLOCKS * HIST_PARTS)
		if (bucket_at(hist, (*at)++, ret))
			return true;
	return false;
}

__int128 hist_rank(const struct hist *hist, uint64_t rank)
{
	struct hist_bucket bucket = {0};
	unsigned at = 0;
	uint64_t sum = 0;

	while (sum < rank && hist_next(hist, &at, &bucket))
		sum += bucket.count;
	return bucket.first + (bucket.last - bucket.first) / 2;
}
