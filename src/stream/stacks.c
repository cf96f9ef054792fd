// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins an event with its stacks. The kernel writes an event's stacks as records of their own
 * behind it, with the same thread and context (the bytes from common_flags to common_pid); an
 * interrupt's records may come between. A user stack of a probed program is unwound from what
 * the event itself recorded, by a function of the caller's.
 */
#include <stdlib.h>

#include "stream/internal.h"
#include "stream/pages.h"

#define CONTEXT      2u  /* offset of common_flags, common_preempt_count, common_pid */
#define CONTEXT_SIZE 6u
#define BETWEEN_MAX  256u /* records of interrupts */
#define MEMORY_MAX   3072u
#define UNWOUND_MAX  4u /* stacks of an event */

static struct error *format_init(struct stack_format *stack, struct arena *arena,
				 const struct live_event *event)
{
	struct format format;
	struct error *error = event->format ? format_read(arena, event->format, &format) : NULL;

	if (error || !event->format)
		return error;
	stack->id = event->id;
	format_field(&format, "caller", &stack->callers);
	format_field(&format, "size", &stack->count);
	format_field(&format, "tgid", &stack->process);
	if (stack->callers.kind != FIELD_ABSENT)
		return NULL;
	return error_new(arena, ERROR_SYSTEM,
			 "the kernel's records of stacks have no field 'caller'");
}

struct error *stacks_init(struct stacks *stacks, struct arena *arena, const struct buffers *buffers)
{
	struct error *error =
		format_init(&stacks->formats[KERNEL_RECORD], arena, &buffers->kernel_stack);

	stacks->memory = arena_alloc(arena, MEMORY_MAX);
	stacks->addresses = arena_array(arena, uint64_t, UNWOUND_MAX * STACK_DEPTH_MAX);
	return error ? error :
		       format_init(&stacks->formats[USER_RECORD], arena, &buffers->user_stack);
}

static bool is_complete(const struct stacks *stacks)
{
	for (unsigned i = 0; i < STACK_RECORDS; i++)
		if (stacks->formats[i].id && !stacks->found[i].data)
			return false;
	return true;
}

/* Returns false when the record is no stack: the thread has gone on. */
static bool take_stack(struct stacks *stacks, const uint8_t *data, uint32_t length, uint64_t time)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	for (unsigned i = 0; i < STACK_RECORDS; i++) {
		if (!stacks->formats[i].id || stacks->formats[i].id != type ||
		    stacks->found[i].data)
			continue;
		stacks->found[i] = (struct record){.data = data, .length = length, .time = time};
		return true;
	}
	return false;
}

bool stacks_find(struct stacks *stacks, const struct cpu *cpu, const struct page_shape *shape)
{
	const uint8_t *own = cpu_record(cpu);
	struct cpu ahead = *cpu;

	memset(stacks->found, 0, sizeof(stacks->found));
	ahead.cursor.missed = false;
	for (unsigned i = 0; i < BETWEEN_MAX && !is_complete(stacks); i++) {
		const uint8_t *data;

		cpu_advance(&ahead, shape);
		if (!ahead.has_head)
			return false;
		data = cpu_record(&ahead);
		if (ahead.cursor.missed)
			return true; /* they may be among what was lost */
		if (ahead.cursor.length < CONTEXT + CONTEXT_SIZE ||
		    memcmp(data + CONTEXT, own + CONTEXT, CONTEXT_SIZE) != 0)
			continue;
		if (!take_stack(stacks, data, ahead.cursor.length, ahead.cursor.time))
			return true;
	}
	return true;
}

int stacks_process(const struct stacks *stacks)
{
	const struct record *record = &stacks->found[USER_RECORD];
	uint64_t process;

	if (!record->data || !record_int(record, &stacks->formats[USER_RECORD].process, &process))
		return -1;
	return (int)process;
}

/* How many addresses the record has. */
static uint32_t count_callers(const struct stack_format *format, const struct record *record)
{
	uint32_t room = record->length > format->callers.offset ?
			(record->length - format->callers.offset) / sizeof(uint64_t) : 0;
	const uint8_t *at = record->data + format->callers.offset;
	uint64_t count = room, address;

	if (record_int(record, &format->count, &count))
		return count < room ? (uint32_t)count : room;
	room = room < format->callers.size / sizeof(uint64_t) ?
		       room :
		       format->callers.size / (uint32_t)sizeof(uint64_t);
	for (count = 0; count < room; count++) {
		memcpy(&address, at + count * sizeof(address), sizeof(address));
		if (!address)
			break;
	}
	return (uint32_t)count;
}

static void recorded_stack(const struct stacks *stacks, unsigned which, struct datum *datum)
{
	const struct stack_format *format = &stacks->formats[which];
	const struct record *record = &stacks->found[which];
	uint32_t count = record->data ? count_callers(format, record) : 0;

	*datum =
		(struct datum){.kind = DATUM_NONE, .reason = "the kernel recorded no stack for it"};
	if (!count)
		return;
	*datum = (struct datum){
		.kind = DATUM_BYTES,
		.bytes = record->data + format->callers.offset,
		.length = count * (uint32_t)sizeof(uint64_t),
	};
	if (which == USER_RECORD && count * sizeof(uint64_t) == format->callers.size)
		datum->reason = "the kernel records no more frames";
}

/* The registers, then pieces of memory that lie side by side, up to the first that is cut. */
static bool read_memory(struct decoder *decoder, const struct value *value,
			struct stack_memory *ret)
{
	const struct record *record = &decoder->parts[PART_OWN];
	const struct layout *layout = record->layout;
	uint8_t *to = decoder->stacks.memory;

	*ret = (struct stack_memory){.bytes = to};
	ret->registers[STACK_REGISTERS - 1] = decoder->event.ip;
	for (unsigned i = 0; i < value->nfetches; i++) {
		const struct field *field = &layout->fetches[value->fetches[i]];
		bool has_window = layout->probe->fetches[value->fetches[i]].window;
		uint32_t length = field->size;

		if (i < STACK_REGISTERS - 1) {
			if (!record_int(record, field, &ret->registers[i]))
				return false;
			continue;
		}
		if (ret->is_all || (uint32_t)field->offset + length > record->length ||
		    ret->length + length > MEMORY_MAX)
			break;
		if (has_window)
			length = window_readable(decoder, value->fetches[i]);
		ret->is_all = length < field->size;
		memcpy(to + ret->length, record->data + field->offset, length);
		ret->length += length;
	}
	return true;
}

static void unwound_stack(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	const struct unwinder *unwinder = decoder->stacks.unwinder;
	struct stack_memory memory;
	const char *cut = NULL;
	uint64_t *to = decoder->stacks.addresses + decoder->stacks.used * STACK_DEPTH_MAX;
	unsigned count;

	*datum = (struct datum){.kind = DATUM_NONE};
	if (!unwinder || decoder->stacks.used == UNWOUND_MAX ||
	    !read_memory(decoder, value, &memory))
		return;
	decoder->stacks.used++;
	count = unwinder->unwind(unwinder->cookie, &decoder->event, &memory, value->depth, to,
				 &cut);
	*datum = (struct datum){
		.kind = DATUM_BYTES,
		.bytes = to,
		.length = count * (uint32_t)sizeof(uint64_t),
		.reason = cut,
	};
}

void stack_decode(struct decoder *decoder, const struct value *value, struct datum *datum)
{
	switch (value->stack) {
	case STACK_KERNEL: recorded_stack(&decoder->stacks, KERNEL_RECORD, datum); break;
	case STACK_POINTERS: recorded_stack(&decoder->stacks, USER_RECORD, datum); break;
	default: unwound_stack(decoder, value, datum);
	}
}
