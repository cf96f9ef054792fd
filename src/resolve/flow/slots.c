// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether what lies in a slot of the stack is still read behind an address.
 *
 * The surprise: where nothing reads it, it need not be the variable's value, though debug
 * information names the slot for all of the variable's scope. An optimiser leaves out a store that
 * nothing reads; of `n = 7; return n;` it keeps the return alone, and the slot has what a call
 * stored there before. So a slot is believed while something reads it: code of the function, or
 * code that has its address. Only code of the block that declares the variable counts: behind it,
 * the slot is another block's.
 */
#include "arch/arch.h"
#include "base/hash.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/slot_use.h"
#include "target/code.h"
#include "target/target.h"

/* Whether the slot's address is made, or one that an index leads back from. */
bool makes_slot(const struct use *use, const struct slot_range *of)
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

/* Whether no code has the address of 8 bytes of the stack: then a register was spilled there. */
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

void slots_spread(struct resolver *resolver, const struct flow *flow, struct slots *slots,
		  const struct slot_range *of)
{
	unsigned count = flow_count(flow), queued = 0;

	if (slots->is_tainted && slots->tainted.object_start == of->object_start &&
	    slots->tainted.object_end == of->object_end)
		return;
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

bool is_in_block(const struct slot_object *object, uint64_t address)
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

/* What is known of an instruction, for one part of a variable. */
enum { READ = 1, STOPS = 2, WILD = 4 }; /* read behind it, or by it; no way on; leads to any root */

/* An instruction of another statement may lie within the block's code, and is passed. Behind a
 * branch out there the block may be entered anew, with another variable in the slot. */
static uint8_t first_known(const struct arch *arch, struct slots *slots, unsigned number,
			   const struct flow_step *step, const struct slot_object *object,
			   const struct slot_range *of)
{
	const struct use *use = &slots->list[number];
	bool is_inside = is_in_block(object, step->address);

	if (is_inside && uses_slot(arch, slots, use, slots->taints[number], of))
		return READ;
	if (overwrites_slot(use, of) || (!is_inside && !has_one_way(step)))
		return STOPS;
	return use->is_wild && is_inside ? WILD : 0;
}

static bool leads_to_read(const uint8_t *known, const struct flow_step *step)
{
	for (unsigned i = 0; i < 3; i++)
		if (step->next[i] >= 0 && known[step->next[i]] & READ)
			return true;
	return false;
}

/* For all instructions at once, from the last to the first, until nothing changes: a function that
 * is followed is asked about each of them. */
static void find_reads(struct resolver *resolver, const struct flow *flow, struct slots *slots,
		       const struct slot_object *object, const struct slot_range *of,
		       uint8_t *known)
{
	bool is_changed = true, is_root_read = false;

	for (unsigned i = 0; i < flow_count(flow); i++) {
		struct flow_step step = flow_step(flow, i);

		known[i] = first_known(resolver->arch, slots, i, &step, object, of);
		is_root_read |= step.is_root && known[i] & READ;
	}
	while (is_changed) {
		is_changed = false;
		for (unsigned i = flow_count(flow); i--;) {
			struct flow_step step;

			if (known[i] & (READ | STOPS))
				continue;
			step = flow_step(flow, i);
			if (!leads_to_read(known, &step) && !(is_root_read && known[i] & WILD))
				continue;
			known[i] |= READ;
			is_root_read |= step.is_root;
			is_changed = true;
		}
	}
}

static bool is_same_question(const struct slot_reads *reads, const struct slot_object *object,
			     const struct slot_range *of)
{
	const struct slot_range *known = &reads->of;

	return known->start == of->start && known->end == of->end &&
	       known->object_start == of->object_start && known->object_end == of->object_end &&
	       known->is_aggregate == of->is_aggregate && reads->nblock == object->nblock &&
	       (!object->nblock || !memcmp(reads->block, object->block,
					   object->nblock * sizeof(*object->block)));
}

static uint32_t question_hash(const struct slot_object *object, const struct slot_range *of)
{
	const int64_t numbers[] = {of->start, of->end, of->object_start, of->object_end,
				   of->is_aggregate};
	uint64_t hash = bytes_hash(numbers, sizeof(numbers));

	if (object->nblock)
		hash ^= bytes_hash(object->block, object->nblock * sizeof(*object->block));
	return (uint32_t)hash;
}

/* Room for an answer. When all is taken, all answers are forgotten. */
static struct slot_reads *new_reads(struct slots *slots, struct arena *arena, unsigned count,
				    const struct slot_object *object, const struct slot_range *of)
{
	struct slot_reads *ret;

	if (slots->nreads && (slots->nreads + 1) * (size_t)count > READS_BYTES) {
		slots->nreads = 0;
		slots->lookup = (struct lookup){0};
	}
	if (slots->nreads == slots->nrooms)
		arena_append(arena, slots->reads, slots->nrooms) =
			(struct slot_reads){.known = arena_array(arena, uint8_t, count)};
	ret = &slots->reads[slots->nreads];
	if (object->nblock > ret->room) {
		ret->room = object->nblock;
		ret->block = arena_array(arena, struct range, ret->room);
	}
	if (object->nblock)
		memcpy(ret->block, object->block, object->nblock * sizeof(*object->block));
	ret->nblock = object->nblock;
	ret->of = *of;
	lookup_add(arena, &slots->lookup, question_hash(object, of), slots->nreads++);
	return ret;
}

static const struct slot_reads *reads_of(struct resolver *resolver, struct flow *flow,
					 struct slots *slots, struct arena *arena,
					 const struct slot_object *object,
					 const struct slot_range *of)
{
	size_t at = lookup_find(&slots->lookup, question_hash(object, of), i,
				is_same_question(&slots->reads[i], object, of));
	struct slot_reads *ret;

	if (at != LOOKUP_NONE)
		return &slots->reads[at];
	slots_spread(resolver, flow, slots, of);
	ret = new_reads(slots, arena, flow_count(flow), object, of);
	/* a scalar whose address no code has is one that the compiler tracks */
	ret->is_told = of->is_aggregate || slots->is_made;
	if (ret->is_told)
		find_reads(resolver, flow, slots, object, of, ret->known);
	return ret;
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
	at = slot_moved(slot_base(arch, (struct bases){use->stack, use->frame}, base->value),
			offset);
	*ret = at;
	return at != UNKNOWN;
}

struct slots *slots_place(struct resolver *resolver, const struct instance *instance,
			  struct flow *flow, uint64_t address, const struct slot_object *object,
			  const struct expr *part, unsigned size, struct slot_range *ret)
{
	int number = flow ? flow_number(flow, address) : -1;
	struct slots **kept;
	struct arena *arena;

	*ret = (struct slot_range){.is_aggregate = object->is_aggregate};
	if (number < 0)
		return NULL;
	kept = flow_slots(flow, &arena);
	if (!*kept)
		*kept = slots_read(resolver, instance, flow, arena);
	if (!*kept ||
	    !place(resolver->arch, &(*kept)->list[number], object->address, &ret->object_start) ||
	    !place(resolver->arch, &(*kept)->list[number], part, &ret->start))
		return NULL;
	ret->object_end = ret->object_start + object->size;
	ret->end = ret->start + size;
	return ret->start < ret->object_start || ret->start >= ret->object_end ? NULL : *kept;
}

bool slot_is_unread(struct resolver *resolver, const struct instance *instance, uint64_t address,
		    const struct slot_object *object, const struct expr *read, unsigned size)
{
	struct flow *flow = passing_flow(resolver, instance);
	const struct slot_reads *reads;
	struct slot_range of;
	struct slots *slots =
		slots_place(resolver, instance, flow, address, object, read, size, &of);
	struct arena *arena;

	if (!slots)
		return false;
	flow_slots(flow, &arena);
	reads = reads_of(resolver, flow, slots, arena, object, &of);
	return reads->is_told && !(reads->known[flow_number(flow, address)] & READ);
}

unsigned slot_stores(struct resolver *resolver, const struct instance *instance, uint64_t address,
		     const struct expr *read, unsigned size, uint64_t **ret)
{
	struct flow *flow = passing_flow(resolver, instance);
	int number = flow ? flow_number(flow, address) : -1;
	unsigned count = 0;
	struct slots *slots;
	struct arena *arena;
	int64_t start;

	*ret = NULL;
	if (number < 0)
		return 0;
	slots = *flow_slots(flow, &arena);
	if (!slots || !place(resolver->arch, &slots->list[number], read, &start))
		return 0;
	for (unsigned i = 0; i < slots->nstores; i++) {
		const struct use *use = &slots->list[slots->stores[i]];

		if (use->offset < start + size && start < use->offset + use->size)
			arena_append(&resolver->scratch, *ret, count) =
				flow_step(flow, slots->stores[i]).address;
	}
	return count;
}
