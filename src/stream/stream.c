// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes events of the records: decodes each, joins pairs, and leaves out what wasn't asked for or
 * is filtered. The surprise: a record whose stacks are being recorded at this moment ends the
 * round.
 */
#include "stream/kept.h"
#include "stream/pace.h"
#include "stream/pairs.h"
#include "stream/threads.h"

struct stream {
	struct arena *arena;
	struct merge merge;
	struct pace pace;
	struct decoder decoder;
	struct page_source *source;
	struct page_source *names; /* NULL: there is none */
	bool has_stacks; /* the kernel records stacks */
	uint64_t read;
	uint64_t filtered;
	uint64_t unknown;
	uint64_t *lost;
	const struct buffers *buffers;
	struct members *members; /* NULL: every process is asked for */
	struct pairs *pairs; /* NULL: the plan has none */
	unsigned losses;     /* of merge.losses, those that pairs have been told of */
	/* that was stepped over. layout: of the next probe to show it, or NULL */
	struct record last;
	int last_cpu;
};

static void source_close(struct page_source *source)
{
	if (source)
		source->ops->close(source);
}

struct error *stream_pairs(struct stream *stream, unsigned open)
{
	pairs_free(stream->pairs);
	stream->pairs = pairs_new(stream->arena, stream->decoder.plan);
	return pairs_make_room(stream->pairs, open) ?
		       NULL :
		       error_new(stream->arena, ERROR_SYSTEM,
				 "no memory for %u pairs that have begun", open);
}

struct error *stream_over(struct arena *arena, const struct plan *plan,
			  const struct buffers *buffers, struct page_source *source,
			  struct page_source *names, struct stream **ret)
{
	struct stream *stream = arena_new(arena, struct stream);
	struct error *error;

	*ret = stream;
	stream->arena = arena;
	stream->buffers = buffers;
	stream->source = source;
	stream->names = names;
	merge_init(&stream->merge, arena, source, names);
	pace_init(&stream->pace, &stream->merge, buffers->cpu_bytes);
	stream->lost = arena_array(arena, uint64_t, stream->merge.nown);
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

struct error *stream_open(struct arena *arena, const struct plan *plan,
			  const struct buffers *buffers, struct stream **ret)
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
	return stream->names ? NULL :
			       error_new(stream->arena, ERROR_SYSTEM,
					 "this kernel has no "
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

/* Starts from before a loss are given up. */
static void see_losses(struct stream *stream)
{
	if (stream->pairs && stream->losses != stream->merge.losses)
		pairs_forget(stream->pairs);
	stream->losses = stream->merge.losses;
}

struct error *stream_read(struct stream *stream, bool final)
{
	struct error *error;

	comm_cache_forget(stream->decoder.comms);
	error = merge_read(&stream->merge, final);
	see_losses(stream);
	return error;
}

static void take_name(struct stream *stream, struct cpu *cpu)
{
	const uint8_t *record = cpu_record(cpu);

	if (cpu->cursor.missed)
		comm_names_lost(stream->decoder.comms);
	if (cpu->cursor.missed && stream->members)
		members_lost(stream->members);
	cpu->cursor.missed = false;
	comm_names_take(stream->decoder.comms, record, cpu->cursor.length);
	if (stream->members)
		members_take(stream->members, record, cpu->cursor.length);
	merge_advance(&stream->merge, cpu);
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
	layout = layout_of(&stream->decoder, cpu_record(cpu), cpu->cursor.length);
	if (!layout || !layout->has_stacks || stacks_find(stacks, cpu, &stream->merge.shape))
		return false;
	/* all that will be read is there, or there is no room for more */
	return cpu->is_full ? cpu->page : stream->merge.until != UINT64_MAX;
}

/* Returns the decoded event if it is to be shown. */
static const struct event *pass_on(struct stream *stream, const struct layout *layout)
{
	const struct event *event = &stream->decoder.event;

	if (stream->members && !is_asked_for(stream, event))
		return NULL;
	if (layout->probe->pair && !pairs_take(stream->pairs, &stream->decoder, layout))
		return NULL;
	stream->read++;
	if (filter_passes(layout->test, event))
		return event;
	stream->filtered++;
	return NULL;
}

/* Decodes the last record for one more of the probes that it is of. Returns NULL when no event of
 * them is to be shown. */
static const struct event *show_last(struct stream *stream)
{
	struct record *record = &stream->last;
	const struct event *event = NULL;

	while (record->layout && !event) {
		const struct layout *layout = record->layout;

		if (decode_record(&stream->decoder, record, stream->last_cpu))
			event = pass_on(stream, layout);
		record->layout = layout->next;
	}
	if (!record->layout)
		/* the record itself came before the loss that stepping over it may show */
		see_losses(stream);
	return event;
}

/* Steps over a CPU's next record, which becomes the last one. Its bytes stay in place until the
 * next read. */
static void take(struct stream *stream, struct cpu *cpu)
{
	if (cpu->is_names) {
		take_name(stream, cpu);
		return;
	}
	if (cpu->cursor.missed && stream->decoder.keeper)
		keeper_forget(stream->decoder.keeper);
	cpu->cursor.missed = false;
	stream->decoder.is_doubtful = cpu->cursor.time < stream->merge.doubtful_until;
	stream->decoder.event.losses = stream->losses;
	stream->last = (struct record){cpu_record(cpu), cpu->cursor.length,
				       cpu->cursor.time, NULL};
	stream->last.layout = layout_of(&stream->decoder, stream->last.data, stream->last.length);
	stream->last_cpu = cpu->number;
	merge_advance(&stream->merge, cpu);
}

static bool read_more(struct stream *stream)
{
	bool is_more = merge_more(&stream->merge);

	see_losses(stream);
	return is_more;
}

const struct event *stream_next(struct stream *stream)
{
	const struct event *event = stream->last.layout ? show_last(stream) : NULL;

	if (event)
		return event;
	do {
		struct cpu *cpu;

		while ((cpu = merge_next(&stream->merge)) && !awaits_stacks(stream, cpu)) {
			take(stream, cpu);
			event = show_last(stream);
			if (event)
				return event;
		}
		if (cpu && !cpu->is_full)
			break; /* being recorded at this moment */
	} while (read_more(stream));
	pace_set(&stream->pace, &stream->merge);
	return NULL;
}

uint64_t stream_now(struct stream *stream)
{
	return stream->source->ops->now(stream->source);
}

void stream_wait(struct stream *stream, struct pollfd *fds, unsigned nfds, int limit_ms)
{
	pace_wait(&stream->pace, &stream->merge, fds, nfds, limit_ms);
}

struct error *stream_counts(const struct stream *stream, struct stream_counts *ret)
{
	struct error *error = NULL;

	*ret = (struct stream_counts){
		.read = stream->read,
		.filtered = stream->filtered,
		.unknown = stream->unknown,
		.ncpus = stream->merge.nown,
		.lost_per_cpu = stream->lost,
		.records = stream->decoder.records,
		.pairs = stream->pairs ? pairs_counts(stream->pairs) : NULL,
		.npairs = stream->pairs ? stream->decoder.plan->npairs : 0,
	};
	for (unsigned i = 0; i < stream->merge.nown; i++) {
		if (!stream->source->ops->lost(stream->source, i, &stream->lost[i]))
			error = error_new(stream->arena, ERROR_SYSTEM,
					  "the stats of CPU %d can't be read, "
					  "so what it lost is not known",
					  stream->merge.cpus[i].number);
		ret->lost += stream->lost[i];
	}
	ret->lost_is_unknown = error;
	return error;
}
