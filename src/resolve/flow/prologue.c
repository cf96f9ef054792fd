// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the straight-line code from a function's entry: at each address, which stack slots hold
 * an argument already. Debug information gives one location of a parameter for the whole function,
 * and compilers without optimisation (with it too, if its address is taken) give a slot that the
 * first instructions have yet to fill: read at the entry, it holds leftovers.
 */
#include <string.h>

#include "arch/arch.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/written.h"
#include "target/code.h"

enum { MOST_STAGES = 128, REGISTERS = 64 };

/* Bytes relative to the stack pointer at the entry. */
struct slot {
	int64_t start;
	int64_t end;
	bool is_argument; /* holds what the caller passed */
};

/* The state before the instruction at the address. */
struct stage {
	uint64_t address;
	int64_t stack;  /* stack pointer, relative to the entry's */
	bool has_frame; /* the frame register is set for this function */
	bool is_unframed; /* it is used like any other register */
	int64_t frame;
	unsigned nslots; /* filled so far */
};

struct prologue {
	struct resolver *resolver;
	const struct arch *arch;
	bool is_entry; /* only arguments count as values: the function's entry is meant */
	struct stage stages[MOST_STAGES];
	unsigned nstages;
	struct slot slots[MOST_STAGES];
	bool is_argument[REGISTERS]; /* the register still holds what the caller passed */
};

static const struct stage *stage_at(const struct prologue *prologue, uint64_t address)
{
	for (unsigned i = 0; i < prologue->nstages; i++)
		if (prologue->stages[i].address == address)
			return &prologue->stages[i];
	return NULL;
}

/* A register's value relative to the stack pointer at the entry; false: unknown. */
static bool base_offset(const struct prologue *prologue, const struct stage *stage, uint64_t reg,
			int64_t *ret)
{
	if (reg == prologue->arch->stack_register) {
		*ret = stage->stack;
		return true;
	}
	*ret = stage->frame;
	return reg == prologue->arch->frame_register && stage->has_frame;
}

/* Returns false if it may have stored to any slot. For is_entry such a store fills none: it may
 * be no argument. */
static bool note_store(struct prologue *prologue, const struct effect *effect, struct stage *stage)
{
	int64_t base;

	if (!effect->store_size)
		return true;
	if (effect->store_base < 0 ||
	    !base_offset(prologue, stage, (uint64_t)effect->store_base, &base))
		return prologue->is_entry;
	prologue->slots[stage->nslots++] = (struct slot){
		base + effect->store_offset,
		base + effect->store_offset + effect->store_size,
		effect->store_register >= 0 && prologue->is_argument[effect->store_register],
	};
	return true;
}

/* Whether memory holds what the caller passed: above the return address it does, unless
 * overwritten. */
static bool holds_argument(const struct prologue *prologue, const struct stage *stage,
			   int64_t start, int64_t end)
{
	for (unsigned i = stage->nslots; i-- > 0;) {
		const struct slot *slot = &prologue->slots[i];

		if (slot->start < end && start < slot->end)
			return slot->is_argument && slot->start <= start && end <= slot->end;
	}
	return start >= 8;
}

static bool loads_argument(const struct prologue *prologue, const struct effect *effect,
			   const struct stage *stage)
{
	int64_t base;

	return effect->load_size && effect->load_base >= 0 &&
	       base_offset(prologue, stage, (uint64_t)effect->load_base, &base) &&
	       holds_argument(prologue, stage, base + effect->load_offset,
			      base + effect->load_offset + effect->load_size);
}

static void note_registers(struct prologue *prologue, const struct effect *effect,
			   const struct stage *stage)
{
	bool copied = effect->copy_from >= 0 ? prologue->is_argument[effect->copy_from] :
		      loads_argument(prologue, effect, stage);

	for (unsigned i = 0; i < REGISTERS; i++)
		if (effect->written & (uint64_t)1 << i)
			prologue->is_argument[i] = false;
	if (effect->copy_to >= 0)
		prologue->is_argument[effect->copy_to] = copied;
}

/* Returns false if the stack pointer is unknown from there on. */
static bool note_stack(const struct effect *effect, struct stage *stage)
{
	if (effect->stack == STACK_MOVED)
		stage->stack += effect->value;
	if (effect->stack == STACK_FRAME) {
		stage->has_frame = true;
		stage->is_unframed = false;
		stage->frame = stage->stack + effect->value;
	}
	if (effect->stack == STACK_UNFRAMED) {
		stage->has_frame = false;
		stage->is_unframed = true;
	}
	return effect->stack != STACK_LOST && effect->stack != STACK_RESTORED;
}

static void find_arguments(struct prologue *prologue)
{
	const struct arch *arch = prologue->arch;

	for (unsigned i = 0; i < arch->narguments; i++)
		prologue->is_argument[arch->arguments[i]] = true;
	for (unsigned i = 0; i < 8; i++)
		prologue->is_argument[arch->first_float_register + i] = true;
}

/* Whether it calls the profiler, as -pg and -mfentry make each function do before its arguments are
 * stored: it comes back with all of them in their registers. */
static bool calls_profiler(struct resolver *resolver, struct decoder *decoder,
			   const struct insn *insn)
{
	const char *name = insn->slot ? target_slot_import(resolver->target, insn->slot) :
			   insn->callee ? code_callee(resolver, decoder, insn->callee) : NULL;

	return name && (!strcmp(name, "mcount") || !strcmp(name, "_mcount") ||
			!strcmp(name, "__fentry__"));
}

static void follow(struct prologue *prologue, struct decoder *decoder, const struct flow *flow,
		   const uint8_t *code, size_t length, uint64_t entry)
{
	struct stage stage = {.address = entry};

	while (prologue->nstages < MOST_STAGES && stage.address - entry < length) {
		uint64_t at = stage.address - entry;
		struct effect effect;
		struct insn insn;

		/* stop at a join point: the stack may differ on the other way in */
		if (at && !flow_is_straight(flow, stage.address))
			return;
		prologue->stages[prologue->nstages++] = stage;
		decoder_next(decoder, code + at, length - at, stage.address, &insn);
		if (insn.is_call && calls_profiler(prologue->resolver, decoder, &insn)) {
			stage.address += insn.length;
			continue;
		}
		if (!insn.length || insn.is_call || insn.is_branch || insn.is_indirect ||
		    !insn.falls_through)
			return;
		decoder_effect(decoder, &effect);
		if (!note_store(prologue, &effect, &stage))
			return;
		note_registers(prologue, &effect, &stage);
		if (!note_stack(&effect, &stage))
			return;
		stage.address += insn.length;
	}
}

struct prologue *prologue_read(struct resolver *resolver, const struct instance *instance,
			       bool is_entry)
{
	struct prologue *prologue = arena_new(resolver->arena, struct prologue);
	struct flow *flow = flow_build(resolver, instance->outer_ranges, instance->nouter_ranges,
				       instance->entry);
	struct decoder *decoder = flow ? decoder_open(resolver->arch) : NULL;
	size_t length = 0;
	const uint8_t *code = target_bytes(resolver->target, instance->entry, &length);

	prologue->resolver = resolver;
	prologue->arch = resolver->arch;
	prologue->is_entry = is_entry;
	find_arguments(prologue);
	if (decoder && code)
		follow(prologue, decoder, flow, code, length, instance->entry);
	decoder_close(decoder);
	return prologue;
}

unsigned prologue_addresses(struct resolver *resolver, const struct prologue *prologue,
			    const struct position **ret)
{
	struct position *list = arena_array(resolver->arena, struct position, MOST_STAGES);
	unsigned count = 0;

	for (unsigned i = 1; i < prologue->nstages; i++)
		if (!code_unprobed(resolver, prologue->stages[i].address))
			list[count++] = (struct position){
				.address = prologue->stages[i].address,
				.view = VIEW_LAST,
				.is_straight = true,
			};
	*ret = list;
	return count;
}

/* Each byte has been stored here, or lies above the entry's stack pointer, where the caller
 * stored it. */
static bool is_filled(const struct prologue *prologue, const struct stage *stage, int64_t start,
		      int64_t end)
{
	for (int64_t byte = start; byte < end && byte < 0; byte++) {
		bool found = false;

		for (unsigned i = 0; i < stage->nslots && !found; i++)
			found = byte >= prologue->slots[i].start && byte < prologue->slots[i].end &&
				(prologue->slots[i].is_argument || !prologue->is_entry);
		if (!found)
			return false;
	}
	return true;
}

static bool reads_unfilled(const struct prologue *prologue, const struct stage *stage,
			   const struct expr *address, unsigned size)
{
	const struct expr *base = address;
	int64_t start, end, offset = 0;

	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (int64_t)address->b->value;
	}
	if (base->op != EXPR_REG)
		return false;
	if (base->value == prologue->arch->frame_register && !stage->has_frame &&
	    !stage->is_unframed)
		return true; /* the caller's frame */
	if (!base_offset(prologue, stage, base->value, &start))
		return false;
	if (__builtin_add_overflow(start, offset, &start) ||
	    __builtin_add_overflow(start, size, &end))
		return true; /* an overflowed range: nothing is stored there */
	return !is_filled(prologue, stage, start, end);
}

static bool any_unfilled(const struct prologue *prologue, const struct stage *stage,
			 const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_LOAD && reads_unfilled(prologue, stage, expr->a, expr->size))
		return true;
	return any_unfilled(prologue, stage, expr->a) || any_unfilled(prologue, stage, expr->b);
}

bool prologue_is_unwritten(const struct prologue *prologue, uint64_t address,
			   const struct expr *expr, unsigned size)
{
	const struct stage *stage = prologue ? stage_at(prologue, address) : NULL;

	if (!stage)
		return false;
	return (size && reads_unfilled(prologue, stage, expr, size)) ||
	       any_unfilled(prologue, stage, expr);
}
