// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes what each instruction of a function does to the slots of its stack. The surprise: each is
 * decoded behind one that leads there, since only so it is known where the two registers point.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/slot_use.h"
#include "target/code.h"
#include "target/target.h"

int32_t slot_moved(int32_t from, int64_t by)
{
	return from == UNKNOWN || by > INT16_MAX * 256 || by < INT16_MIN * 256 ? UNKNOWN :
										 from + (int32_t)by;
}

static struct bases bases_behind(const struct arch *arch, const struct effect *effect,
				 struct bases bases)
{
	if (effect->written >> arch->frame_register & 1)
		bases.frame = effect->stack == STACK_FRAME ?
				      slot_moved(bases.stack, effect->value) :
				      UNKNOWN;
	if (effect->stack == STACK_MOVED || effect->stack == STACK_RESTORED)
		bases.stack = slot_moved(bases.stack, effect->value);
	if (effect->stack == STACK_LOST)
		bases.stack = UNKNOWN;
	return bases;
}

int32_t slot_base(const struct arch *arch, struct bases bases, uint64_t reg)
{
	return reg == arch->stack_register ? bases.stack :
	       reg == arch->frame_register ? bases.frame :
					     UNKNOWN;
}

static void take_effect(const struct arch *arch, const struct insn *insn,
			const struct effect *effect, struct use *use)
{
	struct bases bases = {use->stack, use->frame};
	int reg = effect->memory_base;

	use->memory = effect->memory;
	use->size = effect->memory_size > UINT16_MAX ? UINT16_MAX : (uint16_t)effect->memory_size;
	use->read = (uint32_t)effect->read & TAINT_REGISTERS;
	use->written = (uint32_t)effect->written & TAINT_REGISTERS;
	use->is_indexed = effect->is_indexed;
	use->displacement = slot_moved(0, effect->memory_offset);
	use->is_call = insn->is_call;
	use->copied = (int8_t)(effect->copy_from >= 0 && effect->copy_from < REGISTERS ?
				       effect->copy_from :
				       NO_REGISTER);
	use->makes_address = effect->makes_address;
	use->is_changed = effect->store_size;
	use->is_store = effect->store_size && effect->store_register >= 0 &&
			effect->store_register < REGISTERS;
	if (use->is_store)
		use->copied = (int8_t)effect->store_register;
	if (reg >= 0 && effect->memory != MEMORY_NONE) {
		use->is_stack = reg == arch->stack_register ||
				(reg == arch->frame_register && bases.frame != UNKNOWN);
		use->offset =
			slot_moved(slot_base(arch, bases, (uint64_t)reg), effect->memory_offset);
	} else if (use->copied == arch->stack_register && effect->copy_to >= 0 &&
		   effect->copy_to != arch->frame_register) { /* mov %rsp, %rdi */
		use->memory = MEMORY_ADDRESS;
		use->is_stack = true;
		use->offset = bases.stack;
	}
	use->is_slot = use->is_stack && use->offset != UNKNOWN;
}

/* Where a root finds the two registers: call frame information tells. */
static struct bases bases_at_root(struct resolver *resolver, const struct instance *instance,
				  uint64_t address, uint64_t entry)
{
	const struct arch *arch = resolver->arch;
	struct bases ret = {UNKNOWN, UNKNOWN};
	struct frame frame;

	if (address == entry)
		return (struct bases){0, UNKNOWN};
	if (debuginfo_frame(resolver->info, instance, address, &frame) || frame.reason ||
	    frame.cfa->op != EXPR_ADD || frame.cfa->a->op != EXPR_REG ||
	    frame.cfa->b->op != EXPR_CONST)
		return ret;
	if (frame.cfa->a->value == arch->stack_register)
		ret.stack = slot_moved(8, -(int64_t)frame.cfa->b->value);
	else if (frame.cfa->a->value == arch->frame_register)
		ret.frame = slot_moved(8, -(int64_t)frame.cfa->b->value);
	return ret;
}

static struct slots *slots_new(struct arena *arena, unsigned count)
{
	struct slots *slots = arena_new(arena, struct slots);

	slots->list = arena_array(arena, struct use, count);
	slots->taints = arena_array(arena, uint32_t, count);
	slots->queue = arena_array(arena, int, count);
	slots->seen = arena_array(arena, bool, count);
	return slots;
}

bool slots_visit(struct slots *slots, int number, unsigned *queued)
{
	if (number < 0 || slots->seen[number])
		return false;
	slots->seen[number] = true;
	slots->queue[(*queued)++] = number;
	return true;
}

static bool is_own_function(struct resolver *resolver, uint64_t callee)
{
	const struct symbol *symbol =
		callee ? target_symbol_at(resolver->target, callee, NULL) : NULL;

	return symbol && symbol->address == callee;
}

static bool decode(struct resolver *resolver, struct decoder *decoder, const struct flow_step *step,
		   struct use *use, struct bases *behind)
{
	size_t length = 0;
	const uint8_t *code = target_bytes(resolver->target, step->address, &length);
	struct effect effect;
	struct insn insn;

	if (!code)
		return false;
	decoder_next(decoder, code, length, step->address, &insn);
	if (!insn.length)
		return false;
	decoder_effect(decoder, &effect);
	take_effect(resolver->arch, &insn, &effect, use);
	use->is_known = insn.is_call && is_own_function(resolver, insn.callee);
	use->is_wild = insn.is_indirect || (insn.is_call && target_has_handlers(resolver->target));
	*behind = (struct bases){use->stack, use->frame};
	if (!insn.is_call) /* it returns with both as they were */
		*behind = bases_behind(resolver->arch, &effect, *behind);
	return true;
}

static void list_stores(struct slots *slots, unsigned count, struct arena *arena)
{
	for (unsigned i = 0; i < count; i++)
		if (slots->list[i].memory == MEMORY_WRITTEN && slots->list[i].is_slot &&
		    !slots->list[i].is_indexed)
			arena_append(arena, slots->stores, slots->nstores) = i;
}

struct slots *slots_read(struct resolver *resolver, const struct instance *instance,
				const struct flow *flow, struct arena *arena)
{
	unsigned count = flow_count(flow), queued = 0, root = 0;
	struct slots *slots = slots_new(arena, count);
	struct decoder *decoder = decoder_open(resolver->arch);
	uint64_t entry = instance->outer_ranges[0].start;
	bool is_whole = decoder;

	for (unsigned i = 0; is_whole && (i < queued || root < count); i++) {
		struct flow_step step;
		struct bases behind;
		int at;

		for (; i == queued && root < count; root++) {
			step = flow_step(flow, root);
			if (!step.is_root || !slots_visit(slots, (int)root, &queued))
				continue;
			behind = bases_at_root(resolver, instance, step.address, entry);
			slots->list[root].stack = behind.stack;
			slots->list[root].frame = behind.frame;
		}
		if (i == queued)
			break;
		at = slots->queue[i];
		step = flow_step(flow, (unsigned)at);
		is_whole = decode(resolver, decoder, &step, &slots->list[at], &behind);
		for (unsigned j = 0; j < 3; j++)
			if (slots_visit(slots, step.next[j], &queued)) {
				slots->list[step.next[j]].stack = behind.stack;
				slots->list[step.next[j]].frame = behind.frame;
			}
	}
	decoder_close(decoder);
	list_stores(slots, count, arena);
	return is_whole ? slots : NULL;
}
