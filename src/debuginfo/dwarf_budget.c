// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits what one question may cost: steps, memory, stack. Sound debug information of any size
 * stays far below. Debug information that refers back to itself, or holds a million copies of one
 * thing, hits the limit, and the question then returns an error, never a part of the answer.
 */
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

#define STEPS_MIN    ((uint64_t)48 << 20)
#define STEPS_A_BYTE 32 /* per byte of .debug_info; each level of a walk counts its bytes */
#define MEMORY_MIN   ((size_t)128 << 20)
#define MEMORY_A_BYTE 8
#define STACK_MAX    ((ptrdiff_t)1 << 20) /* bytes: bounds how deep a walk goes */

static size_t info_size(struct dwarf_info *info)
{
	const Elf_Data *data = section_data(info, ".debug_info");

	return data ? data->d_size : 0;
}

static size_t memory_used(const struct dwarf_info *info)
{
	return info->kept->total + (info->arena == info->kept ? 0 : info->arena->total);
}

void budget_begin(struct dwarf_info *info)
{
	struct budget *budget = &info->budget;
	size_t size = info_size(info);

	info->beyond = NULL;
	budget->left = STEPS_MIN + STEPS_A_BYTE * size;
	budget->memory = memory_used(info) + MEMORY_MIN + MEMORY_A_BYTE * size;
	budget->stack = __builtin_frame_address(0);
}

struct error *budget_end(struct dwarf_info *info, struct error *error)
{
	if (info->is_pack_damaged)
		return dwarf_error(info, "");
	if (!info->budget.is_spent)
		return info->beyond ? beyond_pack(info) : error;
	return error_new(info->arena, ERROR_NO_DEBUGINFO,
			 "damaged debug information in '%s': it leads back to "
			 "itself, or repeats one thing too often",
			 info->base.target->path);
}

bool budget_take(struct dwarf_info *info, uint64_t steps)
{
	struct budget *budget = &info->budget;

	if (steps >= budget->left || memory_used(info) > budget->memory ||
	    budget->stack - (const char *)__builtin_frame_address(0) > STACK_MAX)
		budget->is_spent = true;
	budget->left -= budget->is_spent ? budget->left : steps;
	return !budget->is_spent;
}

void budget_hold(struct dwarf_info *info, size_t size)
{
	size_t *left = &info->budget.memory;

	*left -= size < *left ? size : *left;
}

#define DIE_STEPS 16

int die_child(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret)
{
	return budget_take(info, DIE_STEPS) ? dwarf_child(die, ret) : 1;
}

/* The bytes behind the DIE, in a unit that doesn't end its last list of children. */
static uint64_t rest_of_unit(struct dwarf_info *info, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_cuoffset(die), next;
	Dwarf_Off start = dwarf_dieoffset(die) - offset;
	size_t head;

	if (dwarf_next_unit(dwarf_cu_getdwarf(die->cu), start, &next, &head, NULL, NULL, NULL, NULL,
			    NULL, NULL) ||
	    next - start < offset)
		return info_size(info);
	return next - start - offset;
}

/* Where DIEs don't say where their sibling is, all their children are read to find it, or that there
 * is none. */
int die_sibling(struct dwarf_info *info, Dwarf_Die *die, Dwarf_Die *ret)
{
	const char *from = die->addr; /* both addresses are in the section's memory */
	Dwarf_Die next = {0}; /* or, at the end of the list, its end */
	int end;

	if (info->budget.is_spent)
		return 1;
	end = sibling_of(info, die, &next);
	if (!end && (const char *)next.addr <= from)
		info->budget.is_spent = true;
	if (!budget_take(info, DIE_STEPS + (next.addr ? (uint64_t)((const char *)next.addr - from) :
							  rest_of_unit(info, die))))
		return 1;
	if (!end)
		*ret = next;
	return end;
}
