// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the frames of stacks. A return address is behind its call, and may be in the next function
 * already where the call never returns: so the call's own last byte is looked up.
 */
#include <string.h>

#include "cmd/live/live.h"
#include "cmd/stacks/stack_frames.h"

static struct stack_frame *add_frame(struct symbolizer *symbolizer)
{
	return &arena_append(&symbolizer->frame_arena, symbolizer->frames, symbolizer->nframes);
}

/* Functions that a tracepoint runs before it records the stack, made by macros for each tracepoint:
 * first those that are called, then those that are inlined where the tracepoint is. */
static bool is_own_frame(const struct stack_frame *frame)
{
	static const struct {
		const char *prefix;
		bool is_inlined;
	} own[] = {
		{"trace_event_raw_event_", false},
		{"__traceiter_", false},
		{"ftrace_syscall_", false},
		{"trace_event_buffer_", false},
		{"__bpf_trace_", false},
		{"perf_trace_", false},
		{"trace_", true},
		{"__do_trace_", true},
	};

	for (size_t i = 0; frame->function && i < sizeof(own) / sizeof(*own); i++)
		if (frame->is_inlined == own[i].is_inlined &&
		    !strncmp(frame->function, own[i].prefix, strlen(own[i].prefix)))
			return true;
	return false;
}

/* x86's entry code for interrupts and exceptions (arch/x86/include/asm/idtentry.h): what it
 * interrupted was not calling anything. */
static bool is_interrupt(const struct stack_frame *frame)
{
	return frame->function &&
	       (!strncmp(frame->function, "asm_", 4) || !strcmp(frame->function, "end_repeat_nmi"));
}

/* A kprobe's registers are those behind its breakpoint, or behind the call that stands for it. */
static uint64_t first_address(const struct event *event, const struct value *value,
			      uint64_t address)
{
	return value->is_at_place && event->ip && address - event->ip <= 8 ? event->ip : address;
}

/* Adds the frames from `first` on. */
static void add_named(struct symbolizer *symbolizer, const struct named *named, unsigned first,
		      uint64_t address, bool is_unproven, uint64_t behind)
{
	for (unsigned i = first; i < named->count; i++) {
		struct stack_frame *frame = add_frame(symbolizer);

		*frame = named->frames[i];
		frame->address = address;
		frame->is_unproven = is_unproven;
		frame->offset += frame->is_inlined ? 0 : behind;
	}
}

/* How many frames at an address are a tracepoint's own: the innermost, or all. */
static unsigned own_frames(const struct named *named)
{
	unsigned count = 0;

	if (is_own_frame(&named->frames[named->count - 1]))
		return named->count;
	while (is_own_frame(&named->frames[count]))
		count++;
	return count;
}

/* Code that jumps by way of the stack (arch/x86/lib/retpoline.S): where an interrupt finds it, the
 * address on top is of the function that it enters, not one behind a call. */
static bool is_thunk(const struct stack_frame *frame)
{
	return frame->function && strstr(frame->function, "_thunk");
}

static const struct stack_frame *outer_frame(struct symbolizer *symbolizer, uint64_t address,
					     const struct named **named)
{
	static const struct named unknown = {.count = 1, .frames = {{.address = 0}}};

	*named = kernel_code_name(symbolizer->kernel, address) ?: &unknown;
	return &(*named)->frames[(*named)->count - 1];
}

static void kernel_frames(struct symbolizer *symbolizer, const struct value *value,
			  const uint64_t *addresses, unsigned count)
{
	bool is_exact = value->is_at_place, may_enter = false;

	for (unsigned i = 0; i < count; i++) {
		uint64_t address =
			i ? addresses[i] : first_address(symbolizer->event, value, addresses[0]);
		const struct named *named;
		const struct stack_frame *outer;

		is_exact |= may_enter && !outer_frame(symbolizer, address, &named)->offset;
		outer = outer_frame(symbolizer, address - !is_exact, &named);
		may_enter = is_exact && is_thunk(outer);
		add_named(symbolizer, named,
			  value->is_at_place || symbolizer->nframes ? 0 : own_frames(named),
			  address, false, !is_exact);
		is_exact = is_interrupt(outer);
	}
}

/* The frames at an address of user space. is_proven: whether it is for certain; set to whether the
 * next is. */
static void user_frame(struct symbolizer *symbolizer, uint64_t address, bool is_exact,
		       bool *is_proven)
{
	struct processes *processes = symbolizer->processes;
	uint64_t call = address - !is_exact, own;
	struct mapping *mapping = process_mapping(processes, symbolizer->event, call);
	const struct named *named = NULL;
	bool was_proven = *is_proven;

	if (mapping && mapping_address(processes, mapping, call, &own)) {
		named = image_name(mapping->image, own);
		*is_proven = *is_proven && frames_has_pointer(mapping->image->frames, own);
	} else {
		*is_proven = false;
	}
	if (named) {
		add_named(symbolizer, named, 0, address, !was_proven, !is_exact);
		return;
	}
	*add_frame(symbolizer) = (struct stack_frame){
		.address = address,
		.offset = mapping ? address - mapping->start + mapping->offset : 0,
		.module = mapping && *mapping->path ?
				  arena_strdup(&symbolizer->frame_arena,
					       strrchr(mapping->path, '/') ?
						       strrchr(mapping->path, '/') + 1 :
						       mapping->path) :
				  NULL,
		.is_unproven = !was_proven,
	};
}

static void user_frames(struct symbolizer *symbolizer, const struct value *value,
			const uint64_t *addresses, unsigned count)
{
	bool is_proven = true;

	for (unsigned i = 0; i < count; i++) {
		uint64_t address = addresses[i] & ~STACK_EXACT;
		bool is_exact = value->stack == STACK_POINTERS ? !i : addresses[i] & STACK_EXACT;

		is_proven |= value->stack == STACK_MEMORY;
		user_frame(symbolizer, address, is_exact, &is_proven);
	}
}

uint64_t stack_memory(void *cookie, const struct event *event)
{
	const struct symbolizer *symbolizer = cookie;

	return process_memory(symbolizer->processes, event);
}

const struct stack_frame *stack_names(void *cookie, const struct value *value,
				      const struct datum *datum, unsigned *count)
{
	struct symbolizer *symbolizer = cookie;
	unsigned length = datum->length / (unsigned)sizeof(uint64_t);

	arena_reset(&symbolizer->frame_arena);
	symbolizer->frames = NULL;
	symbolizer->nframes = 0;
	if (value->stack == STACK_KERNEL)
		kernel_frames(symbolizer, value, datum->bytes, length);
	else
		user_frames(symbolizer, value, datum->bytes, length);
	*count = value->depth && value->depth < symbolizer->nframes ? value->depth :
								      symbolizer->nframes;
	return symbolizer->frames;
}
