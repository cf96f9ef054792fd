// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the frames of stacks. A return address is behind its call, and may be in the next function
 * already where the call never returns: so the call's own last byte is looked up.
 */
#include <string.h>

#include "cmd/live.h"
#include "target/kallsyms.h"

static struct stack_frame *add_frame(struct symbolizer *symbolizer)
{
	return &arena_append(&symbolizer->frame_arena, symbolizer->frames, symbolizer->nframes);
}

/* What a tracepoint runs before it records the stack: these functions are made for each by macros. */
static bool is_own_frame(const struct stack_frame *frame)
{
	static const char *const prefixes[] = {
		"trace_event_raw_event_", "__traceiter_", "ftrace_syscall_", "trace_event_buffer_",
		"__bpf_trace_", "perf_trace_",
	};

	for (size_t i = 0; frame->function && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(frame->function, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static void kernel_frame(struct symbolizer *symbolizer, uint64_t address, bool is_exact,
			 struct stack_frame *ret)
{
	struct arena *arena = &symbolizer->frame_arena;
	struct ksym symbol;

	*ret = (struct stack_frame){.address = address};
	if (!symbolizer->kallsyms)
		symbolizer->kallsyms = kallsyms_open(symbolizer->arena);
	if (!symbolizer->kallsyms || !kallsyms_find(symbolizer->kallsyms, address - !is_exact, &symbol))
		return;
	ret->function = arena_strndup(arena, symbol.name, symbol.length);
	ret->offset = address - symbol.address;
	if (symbol.module)
		ret->module = arena_strndup(arena, symbol.module, symbol.module_length);
}

/* x86's entry code for interrupts and exceptions (arch/x86/include/asm/idtentry.h): what it
 * interrupted was not calling anything. */
static bool is_interrupt(const struct stack_frame *frame)
{
	return frame->function && (!strncmp(frame->function, "asm_", 4) || !strcmp(frame->function, "end_repeat_nmi"));
}

static void kernel_frames(struct symbolizer *symbolizer, const struct value *value, const uint64_t *addresses,
			  unsigned count)
{
	bool is_exact = value->is_at_place;

	for (unsigned i = 0; i < count; i++) {
		struct stack_frame frame;

		kernel_frame(symbolizer, addresses[i], is_exact, &frame);
		is_exact = is_interrupt(&frame);
		if (value->is_at_place || symbolizer->nframes || !is_own_frame(&frame))
			*add_frame(symbolizer) = frame;
	}
}

const struct stack_frame *stack_names(void *cookie, const struct value *value, const struct datum *datum,
				      unsigned *count)
{
	struct symbolizer *symbolizer = cookie;
	unsigned length = datum->length / (unsigned)sizeof(uint64_t);

	arena_reset(&symbolizer->frame_arena);
	symbolizer->frames = NULL;
	symbolizer->nframes = 0;
	if (value->stack == STACK_KERNEL)
		kernel_frames(symbolizer, value, datum->bytes, length);
	*count = value->depth && value->depth < symbolizer->nframes ? value->depth : symbolizer->nframes;
	return symbolizer->frames;
}
