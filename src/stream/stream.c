// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges the CPUs' pages into events in time order. A CPU that was found empty may by now hold the
 * next record in time: so records newer than the start of a reading are held back until the next
 * one. The trace clock itself gives the start.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "stream/internal.h"

#define BATCH_BYTES (1u << 17) /* per CPU: fits its cache while decoded and printed */
#define NAMES_BATCH 16 /* pages */
/* A record gets its time before it is committed; a virtual CPU may be preempted in between. */
#define HOLD_NS 1000000u
/* Bytes a CPU can record in 1 ms: 4 million events of 40 bytes a second, from benchmarks. */
#define BYTES_PER_MS 160000u
#define PAUSE_BUSY_MS 2u
#define PAUSE_MS 10u
#define QUIET_ROUNDS 5u
#define IDLE_WAIT_MS 1000 /* in case a kernel forgets to wake us, or a CPU comes online */
#define FDS_MAX 4u /* a caller's */

struct stream {
	struct arena *arena;
	struct page_shape shape;
	struct decoder decoder;
	struct page_source *source;
	struct page_source *names; /* NULL: there is none */
	struct cpu *cpus;
	unsigned ncpus;
	unsigned nown;  /* cpus[0..nown) are the source's, the rest those of names */
	unsigned batch; /* pages per CPU */
	size_t buffer_bytes;
	struct cpu **heap; /* CPUs with a record left, a binary heap, oldest first */
	unsigned nheap;
	uint64_t until;   /* ns; newer records are for the next round */
	uint64_t horizon; /* ns; newer records wait: another CPU's next may be older */
	unsigned pause_ms;
	unsigned quiet;     /* rounds without a page */
	bool is_woken;      /* by records not read yet */
	struct pollfd *fds; /* for poll(2): the caller's, then those of the CPUs */
	bool has_stacks; /* the kernel records stacks */
	uint64_t read;
	uint64_t filtered;
	uint64_t unknown;
	uint64_t *lost;
	const struct buffers *buffers;
	struct members *members; /* NULL: every process is asked for */
	struct pairs *pairs; /* NULL: the plan has none */
	uint64_t doubtful_until; /* ns; a CPU has lost records of up to then */
	struct error *error; /* of a read inside stream_next */
};

static void source_close(struct page_source *source)
{
	if (source)
		source->ops->close(source);
}

/* Appends a source's CPUs. */
static void add_source(struct stream *stream, struct page_source *source, unsigned batch, bool is_names)
{
	for (unsigned i = 0; i < source->ncpus; i++)
		arena_append(stream->arena, stream->cpus, stream->ncpus) = (struct cpu){
			.source = source,
			.place = i,
			.number = source->numbers[i],
			.is_names = is_names,
			.pages = arena_alloc(stream->arena, (size_t)batch * source->shape.size),
		};
}

static void add_sources(struct stream *stream)
{
	struct arena *arena = stream->arena;

	stream->batch = BATCH_BYTES / stream->shape.size;
	if (stream->batch < 2)
		stream->batch = 2;
	add_source(stream, stream->source, stream->batch, false);
	stream->nown = stream->ncpus;
	if (stream->names)
		add_source(stream, stream->names, NAMES_BATCH, true);
	stream->lost = arena_array(arena, uint64_t, stream->nown);
	stream->heap = arena_array(arena, struct cpu *, stream->ncpus);
	stream->fds = arena_array(arena, struct pollfd, FDS_MAX + stream->ncpus);
	for (unsigned i = 0; i < stream->ncpus; i++) {
		struct page_source *source = stream->cpus[i].source;

		stream->fds[FDS_MAX + i] = (struct pollfd){
			source->ops->poll_fd(source, stream->cpus[i].place), POLLIN, 0};
	}
}

struct error *stream_pairs(struct stream *stream, unsigned open)
{
	pairs_free(stream->pairs);
	stream->pairs = pairs_new(stream->arena, stream->decoder.plan);
	return pairs_make_room(stream->pairs, open) ? NULL :
	       error_new(stream->arena, ERROR_SYSTEM, "no memory for %u pairs that have begun", open);
}

struct error *stream_over(struct arena *arena, const struct plan *plan, const struct buffers *buffers,
			  struct page_source *source, struct page_source *names, struct stream **ret)
{
	struct stream *stream = arena_new(arena, struct stream);
	struct error *error;

	*ret = stream;
	stream->arena = arena;
	stream->buffers = buffers;
	stream->source = source;
	stream->names = names;
	stream->shape = source->shape;
	stream->buffer_bytes = buffers->cpu_bytes;
	stream->pause_ms = PAUSE_BUSY_MS;
	add_sources(stream);
	error = decoder_init(&stream->decoder, arena, plan, buffers->events);
	if (!error)
		error = stacks_init(&stream->decoder.stacks, arena, buffers);
	stream->has_stacks = buffers->kernel_stack.format || buffers->user_stack.format;
	if (!error && plan->npairs)
		error = stream_pairs(stream, PAIRS_OPEN);
	if (!error && names)
		error = comm_names_begin(stream->decoder.comms, arena, buffers);
	return error;
}

struct error *stream_open(struct arena *arena, const struct plan *plan, const struct buffers *buffers,
			  struct stream **ret)
{
	struct page_source *source = NULL, *names = NULL;
	struct page_shape shape;
	struct error *error = shape_read(arena, buffers->header_page, &shape);

	*ret = NULL;
	if (!error)
		error = live_source(arena, buffers->directory, &shape, &source);
	if (!error && buffers->names)
		error = live_source(arena, buffers->names, &shape, &names);
	if (!error)
		return stream_over(arena, plan, buffers, source, names, ret);
	source_close(source);
	return error;
}

static struct error *need_names(struct stream *stream)
{
	return stream->names ? NULL : error_new(stream->arena, ERROR_SYSTEM, "this kernel has no "
						"task:task_newtask: threads can't be told from children");
}

struct error *stream_processes(struct stream *stream)
{
	stream->decoder.has_processes = true;
	return need_names(stream);
}

void stream_unwinds(struct stream *stream, const struct unwinder *unwinder)
{
	stream->decoder.stacks.unwinder = unwinder;
}

struct error *stream_only(struct stream *stream, const pid_t *pids, unsigned npids)
{
	struct error *error = need_names(stream);

	if (error)
		return error;
	return members_new(stream->arena, &stream->buffers->newtask, pids, npids, &stream->members);
}

void stream_close(struct stream *stream)
{
	if (!stream)
		return;
	members_free(stream->members);
	pairs_free(stream->pairs);
	source_close(stream->source);
	source_close(stream->names);
	keeper_free(stream->decoder.keeper);
	comm_cache_free(stream->decoder.comms);
}

/* Sets the pause before the next read: short enough that an empty buffer can't become half full. */
static void set_pause(struct stream *stream)
{
	unsigned safe = (unsigned)(stream->buffer_bytes / 2 / BYTES_PER_MS);
	unsigned pause = PAUSE_MS, most_pages = 0;

	for (unsigned i = 0; i < stream->ncpus; i++)
		if (stream->cpus[i].round > most_pages)
			most_pages = stream->cpus[i].round;
	/* the record that woke us is held back for HOLD_NS, and somebody may wait for it */
	if (stream->is_woken || (size_t)most_pages * stream->shape.size > stream->buffer_bytes / 8 ||
	    safe < PAUSE_BUSY_MS)
		pause = PAUSE_BUSY_MS;
	else if (safe < PAUSE_MS)
		pause = safe;
	stream->pause_ms = pause;
	stream->quiet = most_pages ? 0 : stream->quiet + 1;
	stream->is_woken = false;
}

static bool is_older(const struct cpu *a, const struct cpu *b)
{
	return a->cursor.time < b->cursor.time ||
	       (a->cursor.time == b->cursor.time && a->number < b->number);
}

/* Moves the CPU at a place of the heap down to where it belongs. */
static void settle(struct stream *stream, unsigned at)
{
	struct cpu **heap = stream->heap, *cpu = heap[at];
	unsigned next;

	while ((next = 2 * at + 1) < stream->nheap) {
		if (next + 1 < stream->nheap && is_older(heap[next + 1], heap[next]))
			next++;
		if (!is_older(heap[next], cpu))
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = cpu;
}

static void make_heap(struct stream *stream)
{
	stream->nheap = 0;
	for (unsigned i = 0; i < stream->ncpus; i++)
		if (stream->cpus[i].has_head)
			stream->heap[stream->nheap++] = &stream->cpus[i];
	for (unsigned i = stream->nheap / 2; i > 0; i--)
		settle(stream, i - 1);
}

/* Records were lost in front of the CPU's next one. Until its time nobody knows what they were, and
 * other CPUs' records may belong to them. */
static void note_loss(struct stream *stream, const struct cpu *cpu)
{
	if (!cpu->has_head || !cpu->cursor.missed || cpu->is_names)
		return;
	if (cpu->cursor.time > stream->doubtful_until)
		stream->doubtful_until = cpu->cursor.time;
	if (stream->pairs)
		pairs_forget(stream->pairs);
}

/* Reads one batch of each CPU. */
static struct error *read_cpus(struct stream *stream)
{
	struct error *first = NULL;

	stream->horizon = stream->until;
	for (unsigned i = 0; i < stream->ncpus; i++) {
		struct cpu *cpu = &stream->cpus[i];
		struct error *error = cpu_read(cpu, stream->arena, &stream->shape,
					       cpu->is_names ? NAMES_BATCH : stream->batch,
					       stream->until);

		first = first ? first : error;
		note_loss(stream, cpu);
		/* its next record, still in the kernel, may be as old as that */
		if (cpu->is_full && cpu->last_time < stream->horizon)
			stream->horizon = cpu->last_time;
	}
	make_heap(stream);
	return first;
}

static void begin_round(struct stream *stream, bool final)
{
	uint64_t now = stream->source->ops->now(stream->source);

	stream->until = final ? UINT64_MAX : now > HOLD_NS ? now - HOLD_NS : 0;
	for (unsigned i = 0; i < stream->ncpus; i++)
		stream->cpus[i].round = 0;
	comm_cache_forget(stream->decoder.comms);
}

struct error *stream_read(struct stream *stream, bool final)
{
	struct error *error = stream->error;

	stream->error = NULL;
	begin_round(stream, final);
	return error ? error : read_cpus(stream);
}

/* The CPU with the next record. Returns NULL when more must be read first. */
static struct cpu *next_cpu(const struct stream *stream)
{
	if (!stream->nheap || stream->heap[0]->cursor.time > stream->horizon)
		return NULL;
	return stream->heap[0];
}

/* Steps over the record that was next. */
static void advance(struct stream *stream, struct cpu *cpu)
{
	cpu_advance(cpu, &stream->shape);
	note_loss(stream, cpu);
	if (!cpu->has_head)
		stream->heap[0] = stream->heap[--stream->nheap];
	if (stream->nheap)
		settle(stream, 0);
}

static unsigned pages_of_round(const struct stream *stream)
{
	unsigned pages = 0;

	for (unsigned i = 0; i < stream->ncpus; i++)
		pages += stream->cpus[i].round;
	return pages;
}

/* Reads another batch of this round, which may take several. Returns false when the round is
 * over. */
static bool read_rest(struct stream *stream)
{
	unsigned before = pages_of_round(stream);
	bool more = false;

	for (unsigned i = 0; i < stream->ncpus; i++)
		more = more || stream->cpus[i].is_full;
	if (!more || stream->error)
		return false;
	stream->error = read_cpus(stream);
	if (pages_of_round(stream) > before || next_cpu(stream))
		return true;
	stream->horizon = stream->until; /* a CPU's time ran backwards: no order can be kept */
	return next_cpu(stream);
}

static void take_name(struct stream *stream, struct cpu *cpu)
{
	const uint8_t *record = cpu_record(cpu, &stream->shape);

	if (cpu->cursor.missed)
		comm_names_lost(stream->decoder.comms);
	if (cpu->cursor.missed && stream->members)
		members_lost(stream->members);
	cpu->cursor.missed = false;
	comm_names_take(stream->decoder.comms, record, cpu->cursor.length);
	if (stream->members)
		members_take(stream->members, record, cpu->cursor.length);
	advance(stream, cpu);
}

static bool is_asked_for(struct stream *stream, const struct event *event)
{
	enum membership answer = members_have(stream->members, event->pid);

	stream->unknown += answer == MEMBER_UNKNOWN;
	return answer == MEMBER;
}

/* Whether the CPU's next record is one to be shown whose stacks may still come. */
static bool awaits_stacks(struct stream *stream, const struct cpu *cpu)
{
	struct stacks *stacks = &stream->decoder.stacks;
	const struct layout *layout;

	if (!stream->has_stacks || cpu->is_names)
		return false;
	layout = layout_of(&stream->decoder, cpu_record(cpu, &stream->shape), cpu->cursor.length);
	if (!layout || !layout->has_stacks || stacks_find(stacks, cpu, &stream->shape))
		return false;
	/* all that will be read is there, or there is no room for more */
	return cpu->is_full ? cpu->page : stream->until != UINT64_MAX;
}

/* Decodes a CPU's next record and steps over it. Returns NULL when it is not to be shown. Its
 * bytes stay in place until the next read. */
static const struct event *take(struct stream *stream, struct cpu *cpu)
{
	struct event *event = &stream->decoder.event;
	const struct layout *layout;

	if (cpu->is_names) {
		take_name(stream, cpu);
		return NULL;
	}
	if (cpu->cursor.missed && stream->decoder.keeper)
		keeper_forget(stream->decoder.keeper);
	cpu->cursor.missed = false;
	stream->decoder.is_doubtful = cpu->cursor.time < stream->doubtful_until;
	layout = decode_record(&stream->decoder, cpu_record(cpu, &stream->shape), cpu->cursor.length,
			cpu->number, cpu->cursor.time);
	advance(stream, cpu);
	if (!layout || (stream->members && !is_asked_for(stream, event)))
		return NULL;
	if (layout->probe->pair && !pairs_take(stream->pairs, &stream->decoder, layout))
		return NULL;
	stream->read++;
	if (filter_passes(layout->test, event))
		return event;
	stream->filtered++;
	return NULL;
}

const struct event *stream_next(struct stream *stream)
{
	do {
		struct cpu *cpu;

		while ((cpu = next_cpu(stream)) && !awaits_stacks(stream, cpu)) {
			const struct event *event = take(stream, cpu);

			if (event)
				return event;
		}
		if (cpu && !cpu->is_full)
			break; /* being recorded at this moment */
	} while (read_rest(stream));
	set_pause(stream);
	return NULL;
}

/* A CPU that was never online always polls ready: it is not polled again. */
static void see_who_woke(struct stream *stream)
{
	struct pollfd *cpus = stream->fds + FDS_MAX;

	for (unsigned i = 0; i < stream->ncpus; i++) {
		stream->is_woken = stream->is_woken || cpus[i].revents;
		if (cpus[i].revents & ~POLLIN)
			cpus[i].fd = -1;
	}
	if (stream->is_woken)
		stream->quiet = 0;
}

/* The kernel wakes us once, at a CPU's first record: later ones cost the traced program nothing. */
void stream_wait(struct stream *stream, struct pollfd *fds, unsigned nfds, int limit_ms)
{
	bool is_quiet = stream->quiet >= QUIET_ROUNDS && !stream->nheap;
	int most_ms = is_quiet ? IDLE_WAIT_MS : (int)stream->pause_ms;
	struct pollfd *all = stream->fds + FDS_MAX - nfds;
	int ready;

	for (unsigned i = 0; i < nfds; i++)
		all[i] = fds[i];
	ready = poll(all, nfds + (is_quiet ? stream->ncpus : 0),
		     limit_ms < 0 || limit_ms > most_ms ? most_ms : limit_ms);
	for (unsigned i = 0; i < nfds; i++)
		fds[i].revents = ready > 0 ? all[i].revents : 0;
	if (is_quiet && ready > 0)
		see_who_woke(stream);
}

struct error *stream_counts(const struct stream *stream, struct stream_counts *ret)
{
	struct error *error = NULL;

	*ret = (struct stream_counts){
		.read = stream->read,
		.filtered = stream->filtered,
		.unknown = stream->unknown,
		.ncpus = stream->nown,
		.lost_per_cpu = stream->lost,
		.records = stream->decoder.records,
		.pairs = stream->pairs ? pairs_counts(stream->pairs) : NULL,
		.npairs = stream->pairs ? stream->decoder.plan->npairs : 0,
	};
	for (unsigned i = 0; i < stream->nown; i++) {
		if (!stream->source->ops->lost(stream->source, i, &stream->lost[i]))
			error = error_new(stream->arena, ERROR_SYSTEM, "the stats of CPU %d can't be read, "
					  "so what it lost is not known", stream->cpus[i].number);
		ret->lost += stream->lost[i];
	}
	ret->lost_is_unknown = error;
	return error;
}
