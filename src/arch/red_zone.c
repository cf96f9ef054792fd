// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the functions that keep values below the stack pointer: a leaf function may use the 128
 * bytes there (System V ABI AMD64, 3.2.2). A call that the kernel puts into such a function stores
 * its return address, and three registers, over them.
 */
#include "arch/arch.h"

struct red_zone {
	const struct arch *arch;
	bool has_begun;   /* an instruction that does something was passed */
	bool has_calls;
	bool is_used;     /* memory below the stack pointer is named */
	bool below_frame; /* memory below the frame register is: in a leaf, perhaps the same */
};

static bool does_nothing(const struct insn *insn, const struct effect *effect)
{
	return insn->falls_through && !insn->is_call && !insn->is_branch && !effect->written &&
	       effect->memory == MEMORY_NONE;
}

static void note_use(struct red_zone *zone, const struct insn *insn, const struct effect *effect)
{
	bool is_below = effect->memory != MEMORY_NONE && effect->memory_offset < 0 &&
			effect->stack == STACK_KEPT;

	zone->has_calls |= insn->is_call;
	zone->is_used |= is_below && effect->memory_base == zone->arch->stack_register;
	zone->below_frame |= is_below && effect->memory_base == zone->arch->frame_register;
}

/* Returns false if the instruction is at the function's beginning, where nothing is kept yet, or
 * doesn't become a call. */
static bool note_insn(struct red_zone *zone, struct decoder *decoder, const struct insn *insn,
		      bool is_wanted)
{
	struct effect effect;

	decoder_effect(decoder, &effect);
	if (is_wanted && (!zone->has_begun || !insn->becomes_call))
		return false;
	zone->has_begun |= !does_nothing(insn, &effect);
	note_use(zone, insn, &effect);
	return true;
}

const char *red_zone_obstacle(const struct arch *arch, const uint8_t *code, size_t length,
			      uint64_t start, uint64_t address)
{
	struct red_zone zone = {.arch = arch};
	struct decoder *decoder = decoder_open(arch);
	bool may_be = decoder && code;
	struct insn insn;

	for (size_t at = 0; may_be && at < length; at += insn.length) {
		decoder_next(decoder, code + at, length - at, start + at, &insn);
		if (!insn.length)
			break;
		may_be = note_insn(&zone, decoder, &insn, start + at == address);
	}
	decoder_close(decoder);
	return may_be && (zone.is_used || (zone.below_frame && !zone.has_calls)) ?
		       "a nop of five bytes, in whose place Linux 6.18 puts a call, which overwrites "
		       "what this function keeps below the stack pointer" :
		       NULL;
}
