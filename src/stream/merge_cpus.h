/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs' records as one sequence, in time order, read round by round. */
#ifndef STREAM_MERGE_CPUS_H
#define STREAM_MERGE_CPUS_H

#include "stream/internal.h"
#include "stream/pages.h"

struct merge {
	struct arena *arena;
	struct page_source *source;
	struct page_shape shape;
	struct cpu *cpus;
	unsigned ncpus;
	unsigned nown;  /* cpus[0..nown) are the source's, the rest those of names */
	unsigned batch; /* pages per CPU */
	struct cpu **heap; /* CPUs with a record left, a binary heap, oldest first */
	unsigned nheap;
	uint64_t until;   /* ns; newer records are for the next round */
	uint64_t horizon; /* ns; newer records wait: another CPU's next may be older */
	uint64_t doubtful_until; /* ns; a CPU has lost records of up to then */
	unsigned losses; /* how often records of the source's CPUs were found to be missing */
	struct error *error; /* of merge_more(), for the next merge_read() */
};

/* names: as for stream_over(). Both sources must outlive it. */
void merge_init(struct merge *merge, struct arena *arena, struct page_source *source,
		struct page_source *names);
/* Begins a round and reads its first batch. */
struct error *merge_read(struct merge *merge, bool final) must_check;
/* Reads another batch of this round, which may take several. Returns false when the round is
 * over. */
bool merge_more(struct merge *merge);
/* The CPU with the next record. Returns NULL when more must be read first. */
static inline struct cpu *merge_next(const struct merge *merge)
{
	if (!merge->nheap || merge->heap[0]->cursor.time > merge->horizon)
		return NULL;
	return merge->heap[0];
}

/* Steps over the record that was next; its bytes stay in place until the next read. */
void merge_advance(struct merge *merge, struct cpu *cpu);
/* Bytes that the busiest CPU had for this round. */
size_t merge_most(const struct merge *merge);

#endif
