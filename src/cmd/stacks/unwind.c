// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinds a user stack from what was recorded at a hit, by the call frame information of the files
 * that the process runs. Where that can't go on the stack is cut, with the reason: nothing is
 * guessed.
 */
#include <string.h>

#include "cmd/stacks/stack_frames.h"

enum { STACK_POINTER = 7, ADDRESS = STACK_REGISTERS - 1 };

static const char *no_file(struct processes *processes, const struct event *event,
			   const struct mapping *mapping)
{
	int pid = event->process > 0 ? event->process : event->pid;

	if (mapping && !strcmp(mapping->path, "[uprobes]"))
		return "a return probe has replaced the return address";
	if (processes->guess.pid == pid && processes->guess.time == event->time)
		return "the process ended before its memory map was read";
	return mapping ? "no file is found for its code" : "no code is mapped there";
}

static const char *reason_of(enum frame_step step, const struct stack_memory *memory)
{
	if (step == STEP_NO_RULE)
		return "no call frame information";
	return memory->is_all ? "the stack's memory can't be read" :
				"the stack is larger than what a record holds";
}

/* At a return probe the registers are the caller's, and the function is gone. */
static unsigned begin(const struct event *event, const struct stack_memory *memory,
		      struct frame_state *state, uint64_t *ret)
{
	memcpy(state->registers, memory->registers, sizeof(state->registers));
	state->known = (1u << STACK_REGISTERS) - 1;
	state->is_exact = event->probe->kind != PROBE_RETURN;
	if (state->is_exact)
		return 0;
	state->registers[ADDRESS] = event->return_ip;
	ret[0] = event->ip | STACK_EXACT;
	return 1;
}

/* Steps to the caller. Returns the reason why that can't be, or NULL; *is_end: there is none. */
static const char *step(struct processes *processes, const struct event *event,
			const struct stack_memory *memory, struct frame_state *state, bool *is_end)
{
	uint64_t ip = state->registers[ADDRESS], before = state->cfa, address;
	struct mapping *mapping = process_mapping(processes, event, ip - !state->is_exact);
	enum frame_step result;

	if (!mapping || !mapping_address(processes, mapping, ip, &address))
		return no_file(processes, event, mapping);
	result = frames_step(mapping->image->frames, ip - address, memory,
			     memory->registers[STACK_POINTER], state);
	*is_end = result == STEP_OUTERMOST || (result == STEP_CALLER && !state->registers[ADDRESS]);
	if (result == STEP_CALLER && state->cfa <= before && !state->is_exact)
		return "the stack leads back to itself";
	return result <= STEP_OUTERMOST ? NULL : reason_of(result, memory);
}

unsigned unwind_stack(void *cookie, const struct event *event, const struct stack_memory *memory,
		      unsigned depth, uint64_t *ret, const char **cut)
{
	struct frame_state state = {0};
	unsigned count = begin(event, memory, &state, ret), most = depth ?: STACK_DEPTH_MAX;
	bool is_end = false;

	*cut = NULL;
	mapped_read(cookie);
	while (count < most && !is_end && !*cut) {
		ret[count++] = state.registers[ADDRESS] | (state.is_exact ? STACK_EXACT : 0);
		if (count < most)
			*cut = step(cookie, event, memory, &state, &is_end);
		else if (!depth)
			*cut = "it is deeper";
		if (state.is_exact) /* a signal's frame: the handler's caller called nothing */
			ret[count - 1] |= STACK_EXACT;
	}
	return count;
}
