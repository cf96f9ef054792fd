// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges the CPUs' pages into records in time order. The surprise: a CPU that was found empty may
 * by now hold the next record in time, so records newer than the start of a round are held back
 * until the next one. The trace clock itself gives the start.
 */
#include "stream/merge_cpus.h"

#define BATCH_BYTES (1u << 17) /* per CPU: fits its cache while decoded and printed */
#define NAMES_BATCH 16 /* pages */
/* A record gets its time before it is committed; a virtual CPU may be preempted in between. */
#define HOLD_NS 1000000u

/* Appends a source's CPUs. */
static void add_source(struct merge *merge, struct page_source *source, unsigned batch,
		       bool is_names)
{
	for (unsigned i = 0; i < source->ncpus; i++)
		arena_append(merge->arena, merge->cpus, merge->ncpus) = (struct cpu){
			.source = source,
			.place = i,
			.number = source->numbers[i],
			.is_names = is_names,
			.pages = arena_alloc(merge->arena, (size_t)batch * source->shape.size),
		};
}

void merge_init(struct merge *merge, struct arena *arena, struct page_source *source,
		struct page_source *names)
{
	*merge = (struct merge){.arena = arena, .source = source, .shape = source->shape};
	merge->batch = BATCH_BYTES / merge->shape.size;
	if (merge->batch < 2)
		merge->batch = 2;
	add_source(merge, source, merge->batch, false);
	merge->nown = merge->ncpus;
	if (names)
		add_source(merge, names, NAMES_BATCH, true);
	merge->heap = arena_array(arena, struct cpu *, merge->ncpus);
}

static bool is_older(const struct cpu *a, const struct cpu *b)
{
	return a->cursor.time < b->cursor.time ||
	       (a->cursor.time == b->cursor.time && a->number < b->number);
}

/* Moves the CPU at a place of the heap down to where it belongs. */
static void settle(struct merge *merge, unsigned at)
{
	struct cpu **heap = merge->heap, *cpu = heap[at];
	unsigned next;

	while ((next = 2 * at + 1) < merge->nheap) {
		if (next + 1 < merge->nheap && is_older(heap[next + 1], heap[next]))
			next++;
		if (!is_older(heap[next], cpu))
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = cpu;
}

static void make_heap(struct merge *merge)
{
	merge->nheap = 0;
	for (unsigned i = 0; i < merge->ncpus; i++)
		if (merge->cpus[i].has_head)
			merge->heap[merge->nheap++] = &merge->cpus[i];
	for (unsigned i = merge->nheap / 2; i > 0; i--)
		settle(merge, i - 1);
}

/* Records were lost in front of the CPU's next one. Until its time what they were is unknown, and
 * other CPUs' records may belong to them. */
static void note_loss(struct merge *merge, const struct cpu *cpu)
{
	if (!cpu->has_head || !cpu->cursor.missed || cpu->is_names)
		return;
	if (cpu->cursor.time > merge->doubtful_until)
		merge->doubtful_until = cpu->cursor.time;
	merge->losses++;
}

/* Reads one batch of each CPU. */
static struct error *read_cpus(struct merge *merge)
{
	struct error *first = NULL;

	merge->horizon = merge->until;
	for (unsigned i = 0; i < merge->ncpus; i++) {
		struct cpu *cpu = &merge->cpus[i];
		struct error *error = cpu_read(cpu, merge->arena, &merge->shape,
					       cpu->is_names ? NAMES_BATCH : merge->batch,
					       merge->until);

		first = first ? first : error;
		note_loss(merge, cpu);
		/* its next record, still in the kernel, may be as old as that */
		if (cpu->is_full && cpu->last_time < merge->horizon)
			merge->horizon = cpu->last_time;
	}
	make_heap(merge);
	return first;
}

static void begin_round(struct merge *merge, bool final)
{
	uint64_t now = merge->source->ops->now(merge->source);

	merge->until = final ? UINT64_MAX : now > HOLD_NS ? now - HOLD_NS : 0;
	for (unsigned i = 0; i < merge->ncpus; i++)
		merge->cpus[i].round = 0;
}

struct error *merge_read(struct merge *merge, bool final)
{
	struct error *error = merge->error;

	merge->error = NULL;
	begin_round(merge, final);
	return error ? error : read_cpus(merge);
}

void merge_advance(struct merge *merge, struct cpu *cpu)
{
	cpu_advance(cpu, &merge->shape);
	note_loss(merge, cpu);
	if (!cpu->has_head)
		merge->heap[0] = merge->heap[--merge->nheap];
	if (merge->nheap > 1)
		settle(merge, 0);
}

static unsigned pages_of_round(const struct merge *merge)
{
	unsigned pages = 0;

	for (unsigned i = 0; i < merge->ncpus; i++)
		pages += merge->cpus[i].round;
	return pages;
}

bool merge_more(struct merge *merge)
{
	unsigned before = pages_of_round(merge);
	bool more = false;

	for (unsigned i = 0; i < merge->ncpus; i++)
		more = more || merge->cpus[i].is_full;
	if (!more || merge->error)
		return false;
	merge->error = read_cpus(merge);
	if (pages_of_round(merge) > before || merge_next(merge))
		return true;
	merge->horizon = merge->until; /* a CPU's time ran backwards: no order can be kept */
	return merge_next(merge);
}

size_t merge_most(const struct merge *merge)
{
	unsigned most = 0;

	for (unsigned i = 0; i < merge->ncpus; i++)
		if (merge->cpus[i].round > most)
			most = merge->cpus[i].round;
	return (size_t)most * merge->shape.size;
}
