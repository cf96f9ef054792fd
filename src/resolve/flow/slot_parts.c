// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells what an instruction does to a part of a variable on the stack, and whether no code of the
 * function ever stores to it: of `int a[3] = {n, m, n}`, of which `a[i & 1]` is read, gcc leaves
 * out to store a[2].
 *
 * The surprise: that an index may mean it is no reason to believe it. A compiler knows more of the
 * index, and what it never stores is nothing that a statement has set.
 */
#include "arch/arch.h"
#include "resolve/flow/slot_use.h"

/* Whether the instruction may store to the bytes: an index may lead anywhere in the object, and
 * what adds to memory counts as read. */
static bool may_set(const struct use *use, const struct slot_range *of)
{
	if (!use->is_stack || use->memory == MEMORY_NONE || use->memory == MEMORY_ADDRESS ||
	    (use->memory == MEMORY_READ && !use->is_changed))
		return false;
	if (!use->is_slot)
		return true;
	if (use->is_indexed)
		return use->offset >= of->object_start - NEAR &&
		       use->offset < of->object_end + NEAR;
	return use->offset < of->end && of->start < use->offset + use->size;
}

/* Code of another block doesn't count, whose variables may have the slot as well, unless what has
 * the slot's address there has it in this block, too. */
bool slot_is_unset(struct resolver *resolver, const struct instance *instance, uint64_t address,
		   const struct slot_object *object, const struct expr *part, unsigned size)
{
	struct slot_range of;
	struct flow *flow = passing_flow(resolver, instance);
	struct slots *slots = slots_place(resolver, instance, flow, address, object, part, size,
					  &of);

	/* above the entry's stack pointer, the caller may have stored it; and a scalar may be said
	 * to be where another variable was spilled */
	if (!slots || of.object_end > 0 || !of.is_aggregate)
		return false;
	slots_spread(resolver, flow, slots, &of);
	for (unsigned i = 0; i < flow_count(flow); i++)
		if (is_in_block(object, flow_step(flow, i).address) &&
		    (slots->taints[i] || makes_slot(&slots->list[i], &of) ||
		     may_set(&slots->list[i], &of)))
			return false;
	return true;
}

/* Whether what it finds by an index may be such a part. */
static bool is_of_size(const struct use *use, const struct slot_part *part)
{
	return use->size == part->size || part->size > 8;
}

bool slot_is_touched(const struct slot_part *part, uint64_t instruction, enum memory_use how)
{
	struct slot_range of;
	struct flow *flow = passing_flow(part->resolver, part->instance);
	const struct slots *slots = slots_place(part->resolver, part->instance, flow, part->address,
						&part->object, part->part, part->size, &of);
	int number = slots ? flow_number(flow, instruction) : -1;
	const struct use *use = number >= 0 ? &slots->list[number] : NULL;

	if (!use || use->memory != (uint8_t)how || !use->is_slot)
		return false;
	if (use->is_indexed && !is_of_size(use, part))
		return false;
	return use->offset < of.end &&
	       (use->is_indexed ? use->offset >= of.object_start :
				  of.start < use->offset + use->size);
}
