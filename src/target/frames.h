/* SPDX-License-Identifier: GPL-2.0-only */
/* Unwinds stacks by a program's call frame information, a frame at a time. */
#ifndef TARGET_FRAMES_H
#define TARGET_FRAMES_H

#include "ktrace/stack.h"
#include "target/target.h"

struct frames; /* what was read of one file's call frame information; opaque */

/* The registers in one frame, by DWARF number; the last is the instruction's address. */
struct frame_state {
	uint64_t registers[STACK_REGISTERS];
	uint32_t known; /* a bit for each */
	uint64_t cfa;   /* of the frame that was left, set by frames_step() */
	bool is_exact;  /* not a return address */
};

enum frame_step {
	STEP_CALLER,    /* the state is the caller's */
	STEP_OUTERMOST, /* there is none */
	STEP_NO_RULE,   /* nothing is said of this address, or nothing that can be computed */
	STEP_NO_MEMORY, /* the caller's state is in memory that wasn't recorded */
};

/* The address of what is at an offset of the file. Returns false when no code is there. */
bool frames_address(const struct frames *frames, uint64_t offset, uint64_t *ret);
struct frames *frames_new(struct arena *arena, const struct target *target);
void frames_free(struct frames *frames);
/* bias: where the file is loaded, less its own addresses. memory: bytes from `from` on. */
enum frame_step frames_step(struct frames *frames, uint64_t bias, const struct stack_memory *memory,
			    uint64_t from, struct frame_state *state);
/* Whether frame pointers lead from this address (the file's own) to the caller's frame. */
bool frames_has_pointer(struct frames *frames, uint64_t address);

#endif
