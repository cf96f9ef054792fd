/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the code at an address: its bytes, its frames, and jumps that it doesn't show. */
#ifndef TARGET_CODE_H
#define TARGET_CODE_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* unwind.c: what call frame information says of an instruction of a program's. */
enum stack_state {
	STACK_UNKNOWN,   /* nothing */
	STACK_BARE,      /* only the return address is above the caller's frame */
	STACK_FRAMED,    /* there is more */
	STACK_OUTERMOST, /* there is no return address: nobody called this */
};
enum stack_state target_stack_state(const struct target *target, uint64_t address);
/* parts.c: the code around an address that has call frame information of its own. */
bool target_part_at(struct target *target, uint64_t address, struct code_part *ret);
/* What in the file walks stacks, in words: "C++ exceptions". NULL: nothing that can be told. */
const char *target_stack_walker(const struct target *target);
/* Whether exceptions may be caught in it: such code is jumped to from nowhere seen. */
bool target_has_handlers(const struct target *target);

/* Whether the address is in an executable section. */
bool target_is_code(const struct target *target, uint64_t address);

/* Whether code there is freed after start-up (.init.text). */
bool target_is_init(const struct target *target, uint64_t address);
/* Jumps from [start, end) that the code does not show: static branches, exception fix-ups. Read when
 * first asked for. */
const struct edge *target_edges(struct target *target, struct arena *arena, uint64_t start,
				uint64_t end, size_t *count);

/* The bytes of the section at an address, up to its end; NULL: not in the file. */
const uint8_t *target_bytes(const struct target *target, uint64_t address, size_t *length);

#endif
