// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether what lies in a slot of the stack is still read behind an address.
 *
 * The surprise: where nothing reads it, it need not be the variable's value, though debug
 * information names the slot for all of the variable's scope. An optimiser leaves out a store that
 * nothing reads; of `n = 7; return n;` it keeps the return alone, and the slot has what a call
 * stored there before. So a slot is believed while something reads it: code of the function, or
 * whoever has its address. Only code of the block that declares the variable counts: behind it, the
 * slot is another block's.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/points/flow.h"
#include "resolve/points/slots.h"
#include "target/code.h"
#include "target/target.h"

enum { UNKNOWN = INT32_MIN, NEAR = 64, REGISTERS = 16, MOST_SPILLS = 15 };
#define TAINT_REGISTERS ((1u << REGISTERS) - 1)
#define TAINT_MEMORY (1u << REGISTERS)
#define TAINT_SPILL (TAINT_MEMORY << 1) /* the first of MOST_SPILLS */

/* What an instruction does. Offsets are from the stack pointer at the entry. */
struct use {
	int32_t stack, frame; /* the two registers before it; UNKNOWN */
	int32_t offset;       /* of the memory, where is_slot */
	int32_t displacement; /* of the memory, from its register */
	uint32_t read, written; /* registers, one bit each */
	uint16_t size;
	uint8_t memory; /* enum memory_use */
	int8_t copied; /* the register that it copies to another one, or NO_REGISTER */
	bool is_stack;  /* the memory is at an offset from one of the two registers, ... */
	bool is_slot;   /* ... which is known */
	bool is_indexed;
	bool is_call;
	/* the callee is the file's own: gcc knows which registers it leaves alone (-fipa-ra) */
	bool is_known;
	bool is_store; /* of a register */
	bool is_wild;  /* leads to any root */
	bool makes_address;
};

struct slots {
	struct use *list;
	/* of the last variable: what may have its address before an instruction */
	uint32_t *taints;
	struct slot_range tainted;
	bool is_tainted;
	int32_t spills[MOST_SPILLS]; /* where the function itself keeps its address */
	unsigned nspills;
	bool is_made; /* somebody has the address of that variable */
	int *queue;
	bool *seen;
};

/* The two registers before an instruction. */
struct bases {
	int32_t stack, frame;
};

static int32_t moved(int32_t from, int64_t by)
{
	return from == UNKNOWN || by > INT16_MAX * 256 || by < INT16_MIN * 256 ? UNKNOWN :
										 from + (int32_t)by;
}

static struct bases bases_behind(const struct arch *arch, const struct effect *effect,
				 struct bases bases)
{
	if (effect->written >> arch->frame_register & 1)
		bases.frame =
			effect->stack == STACK_FRAME ? moved(bases.stack, effect->value) : UNKNOWN;
	if (effect->stack == STACK_MOVED || effect->stack == STACK_RESTORED)
		bases.stack = moved(bases.stack, effect->value);
	if (effect->stack == STACK_LOST)
		bases.stack = UNKNOWN;
	return bases;
}

static int32_t base_of(const struct arch *arch, struct bases bases, uint64_t reg)
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
	use->displacement = moved(0, effect->memory_offset);
	use->is_call = insn->is_call;
	use->copied = (int8_t)(effect->copy_from >= 0 && effect->copy_from < REGISTERS ?
				       effect->copy_from :
				       NO_REGISTER);
	use->makes_address = effect->makes_address;
	use->is_store = effect->store_size && effect->store_register >= 0 &&
			effect->store_register < REGISTERS;
	if (use->is_store)
		use->copied = (int8_t)effect->store_register;
	if (reg >= 0 && effect->memory != MEMORY_NONE) {
		use->is_stack = reg == arch->stack_register ||
				(reg == arch->frame_register && bases.frame != UNKNOWN);
		use->offset = moved(base_of(arch, bases, (uint64_t)reg), effect->memory_offset);
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
		ret.stack = moved(8, -(int64_t)frame.cfa->b->value);
	else if (frame.cfa->a->value == arch->frame_register)
		ret.frame = moved(8, -(int64_t)frame.cfa->b->value);
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

static bool visit(struct slots *slots, int number, unsigned *queued)
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

/* Each instruction is decoded behind one that leads there, so that the two registers are known. */
static struct slots *read_slots(struct resolver *resolver, const struct instance *instance,
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
			if (!step.is_root || !visit(slots, (int)root, &queued))
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
			if (visit(slots, step.next[j], &queued)) {
				slots->list[step.next[j]].stack = behind.stack;
				slots->list[step.next[j]].frame = behind.frame;
			}
	}
	decoder_close(decoder);
	return is_whole ? slots : NULL;
}

/* Whether the slot's address is made, or one that an index leads back from. */
static bool makes_slot(const struct use *use, const struct slot_range *of)
{
	int64_t near = of->is_aggregate ? NEAR : 0;

	return use->memory == MEMORY_ADDRESS && use->is_slot &&
	       use->offset >= of->object_start - (use->is_indexed ? near : 0) &&
	       use->offset < of->object_end + (of->is_aggregate ? 1 : 0);
}

static bool reads_slot(const struct use *use, const struct slot_range *of)
{
	if (use->memory != MEMORY_READ || !use->is_stack)
		return false;
	if (!use->is_slot)
		return true; /* which one isn't known */
	if (use->is_indexed) /* an index counts up, unless it begins outside */
		return of->is_aggregate && use->offset >= of->object_start - NEAR &&
		       use->offset < of->object_end + NEAR &&
		       (use->offset < of->end || use->offset >= of->object_end);
	return use->offset < of->end && of->start < use->offset + use->size;
}

static bool overwrites_slot(const struct use *use, const struct slot_range *of)
{
	return use->memory == MEMORY_WRITTEN && use->is_slot && !use->is_indexed &&
	       use->offset <= of->start && use->offset + use->size >= of->end;
}

static uint32_t bit(int reg)
{
	return reg >= 0 && reg < REGISTERS ? 1u << reg : 0;
}

static uint32_t argument_registers(const struct arch *arch)
{
	uint32_t ret = 0;

	for (unsigned i = 0; i < arch->narguments; i++)
		ret |= bit(arch->arguments[i]);
	return ret;
}

/* Whether nobody has the address of 8 bytes of the stack: then a register was spilled there. */
static bool is_private(const struct slots *slots, unsigned count, int32_t offset)
{
	for (unsigned i = 0; i < count; i++) {
		const struct use *use = &slots->list[i];

		if (use->memory == MEMORY_ADDRESS && use->is_slot && use->offset <= offset &&
		    use->offset > offset - 4 * NEAR)
			return false;
	}
	return true;
}

/* The bit for an address that the instruction stores to a place of the function's own; 0: it stores
 * elsewhere. */
static uint32_t spill_bit(struct slots *slots, unsigned count, const struct use *use, bool is_new)
{
	if (!use->is_slot || use->is_indexed || use->size != 8)
		return 0;
	for (unsigned i = 0; i < slots->nspills; i++)
		if (slots->spills[i] == use->offset)
			return TAINT_SPILL << i;
	if (!is_new || slots->nspills == MOST_SPILLS || !is_private(slots, count, use->offset))
		return 0;
	slots->spills[slots->nspills++] = use->offset;
	return TAINT_SPILL << (slots->nspills - 1);
}

/* What may have the address behind the instruction. A callee may return what it was given. */
static uint32_t taint_behind(const struct arch *arch, struct slots *slots, unsigned count,
			     const struct use *use, const struct slot_range *of, uint32_t taint)
{
	uint32_t ret = taint;

	if (use->is_call) {
		ret = use->is_known ? taint : taint & (arch->preserved | ~TAINT_REGISTERS);
		if (taint & argument_registers(arch))
			ret |= bit(arch->return_register);
		return ret;
	}
	if (use->is_store && taint & bit(use->copied))
		return taint | (spill_bit(slots, count, use, true) ?: TAINT_MEMORY);
	if (use->memory == MEMORY_WRITTEN)
		ret &= ~spill_bit(slots, count, use, false);
	ret &= ~use->written;
	if (makes_slot(use, of) ||
	    (use->makes_address && use->memory != MEMORY_READ &&
	     taint & use->read & TAINT_REGISTERS) ||
	    (use->makes_address && use->memory == MEMORY_READ &&
	     taint & spill_bit(slots, count, use, false)))
		ret |= use->written & ~bit(arch->stack_register);
	return ret;
}

static void spread_to(struct slots *slots, int to, uint32_t taint, unsigned *queued, unsigned count)
{
	if (to < 0 || !(taint & ~slots->taints[to]))
		return;
	slots->taints[to] |= taint;
	if (slots->seen[to])
		return;
	slots->seen[to] = true;
	slots->queue[(*queued)++ % count] = to;
}

static void spread(struct resolver *resolver, const struct flow *flow, struct slots *slots,
		   const struct slot_range *of)
{
	unsigned count = flow_count(flow), queued = 0;

	slots->nspills = 0;
	memset(slots->taints, 0, count * sizeof(*slots->taints));
	memset(slots->seen, 0, count * sizeof(*slots->seen));
	for (unsigned i = 0; i < count; i++)
		if (makes_slot(&slots->list[i], of)) {
			slots->seen[i] = true;
			slots->queue[queued++] = (int)i;
		}
	slots->is_made = queued;
	for (unsigned i = 0; i < queued; i++) {
		int at = slots->queue[i % count];
		const struct use *use = &slots->list[at];
		struct flow_step step = flow_step(flow, (unsigned)at);
		uint32_t behind =
			taint_behind(resolver->arch, slots, count, use, of, slots->taints[at]);

		slots->seen[at] = false;
		for (unsigned j = 0; j < 3; j++)
			spread_to(slots, step.next[j], behind, &queued, count);
		for (unsigned j = 0; use->is_wild && behind && j < count; j++)
			if (flow_step(flow, j).is_root)
				spread_to(slots, (int)j, behind, &queued, count);
	}
	slots->tainted = *of;
	slots->is_tainted = true;
}

static bool uses_slot(const struct arch *arch, struct slots *slots, const struct use *use,
		      uint32_t taint, const struct slot_range *of)
{
	if (reads_slot(use, of) || makes_slot(use, of))
		return true;
	if (use->is_call && taint & (argument_registers(arch) | TAINT_MEMORY))
		return true;
	if (use->is_store && taint & bit(use->copied))
		return !spill_bit(slots, 0, use, false);
	/* a pointer into it, whichever: it begins at the start and counts up */
	return use->memory == MEMORY_READ && !use->is_stack &&
	       taint & use->read & TAINT_REGISTERS &&
	       (use->displacement <= 0 || of->object_start + use->displacement < of->end);
}

static bool is_in_block(const struct slot_object *object, uint64_t address)
{
	for (unsigned i = 0; i < object->nblock; i++)
		if (object->block[i].start <= address && address < object->block[i].end)
			return true;
	return !object->nblock;
}

static bool has_one_way(const struct flow_step *step)
{
	return (step->next[0] >= 0) + (step->next[1] >= 0) + (step->next[2] >= 0) == 1;
}

/* An instruction of another statement may lie within the block's code, and is passed. Behind a
 * branch out there the block may be entered anew, with another variable in the slot. */
static bool is_read_behind(struct resolver *resolver, const struct flow *flow, struct slots *slots,
			   int from, const struct slot_object *object, const struct slot_range *of)
{
	unsigned count = flow_count(flow), queued = 0;

	memset(slots->seen, 0, count * sizeof(*slots->seen));
	visit(slots, from, &queued);
	for (unsigned i = 0; i < queued; i++) {
		const struct use *use = &slots->list[slots->queue[i]];
		struct flow_step step = flow_step(flow, (unsigned)slots->queue[i]);
		bool is_inside = is_in_block(object, step.address);

		if (is_inside &&
		    uses_slot(resolver->arch, slots, use, slots->taints[slots->queue[i]], of))
			return true;
		if (overwrites_slot(use, of) || (!is_inside && !has_one_way(&step)))
			continue;
		for (unsigned j = 0; j < 3; j++)
			visit(slots, step.next[j], &queued);
		for (unsigned j = 0; use->is_wild && is_inside && j < count; j++)
			if (flow_step(flow, j).is_root)
				visit(slots, (int)j, &queued);
	}
	return false;
}

/* Offsets from a register at the address become offsets from the stack pointer at the entry. */
static bool place(const struct arch *arch, const struct use *use, const struct expr *address,
		  int64_t *ret)
{
	const struct expr *base = address;
	int64_t offset = 0;
	int32_t at;

	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (int64_t)address->b->value;
	}
	if (base->op != EXPR_REG)
		return false;
	at = moved(base_of(arch, (struct bases){use->stack, use->frame}, base->value), offset);
	*ret = at;
	return at != UNKNOWN;
}

bool slot_is_unread(struct resolver *resolver, const struct instance *instance, uint64_t address,
		    const struct slot_object *object, const struct expr *read, unsigned size)
{
	struct flow *flow = passing_flow(resolver, instance);
	struct slot_range of = {.is_aggregate = object->is_aggregate};
	struct slots **kept;
	struct arena *arena;
	int number;

	number = flow ? flow_number(flow, address) : -1;
	if (number < 0)
		return false;
	kept = flow_slots(flow, &arena);
	if (!*kept)
		*kept = read_slots(resolver, instance, flow, arena);
	if (!*kept ||
	    !place(resolver->arch, &(*kept)->list[number], object->address, &of.object_start) ||
	    !place(resolver->arch, &(*kept)->list[number], read, &of.start))
		return false;
	of.object_end = of.object_start + object->size;
	of.end = of.start + size;
	if (of.start < of.object_start || of.start >= of.object_end)
		return false;
	if (!(*kept)->is_tainted || (*kept)->tainted.object_start != of.object_start ||
	    (*kept)->tainted.object_end != of.object_end)
		spread(resolver, flow, *kept, &of);
	/* a scalar whose address nobody has is one that the compiler tracks */
	return (of.is_aggregate || (*kept)->is_made) &&
	       !is_read_behind(resolver, flow, *kept, number, object, &of);
}
