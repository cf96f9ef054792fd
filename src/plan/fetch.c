// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns an expression into kernel fetch syntax, or gives the reason why it can't. The kernel can
 * add a constant to a register or to a loaded pointer and load again, and nothing else: only a
 * companion can read at an address that is computed otherwise (sum_chain.c).
 */
#include "plan/fetch.h"
#include "plan/internal.h"

/* fetch_insn.offset is an int; what doesn't fit is cut off silently. */
static const char too_far[] = "the kernel has 32 bits for an offset";

static struct fetch_text refused(const char *reason)
{
	return (struct fetch_text){.reason = reason};
}

const struct fetch_way *number_way(struct work *work, uint64_t number)
{
	struct fetch_way *way = arena_new(work->arena, struct fetch_way);

	*way = (struct fetch_way){.number = number};
	return way;
}

const struct fetch_way *register_way(struct work *work, unsigned dwarf_number)
{
	struct fetch_way *way = arena_new(work->arena, struct fetch_way);

	*way = (struct fetch_way){.is_register = true,
				  .number = work->arch->saved_at[dwarf_number]};
	return way;
}

const struct fetch_way *fetch_step(struct work *work, const struct fetch_way *way, int32_t offset,
				   bool is_user)
{
	struct fetch_way *ret;

	if (!way || way->nsteps == KERNEL_DEREFS_MAX)
		return NULL;
	ret = arena_new(work->arena, struct fetch_way);
	*ret = *way;
	ret->steps[ret->nsteps++] = (struct fetch_step){offset, is_user};
	return ret;
}

struct fetch_text fetch_register(struct work *work, const struct expr *expr)
{
	const struct arch *arch = work->arch;

	if (arch && expr->value < arch->nregisters && arch->registers[expr->value])
		return (struct fetch_text){
			.body = arena_printf(work->arena, "%%%s", arch->registers[expr->value]),
			.part = work->part,
			.way = register_way(work, (unsigned)expr->value)};
	if (arch && expr->value >= arch->first_float_register &&
	    expr->value < arch->first_float_register + arch->nfloat_registers)
		return refused("it is in a floating-point register, and probes can't read those");
	return refused(arena_printf(work->arena,
				    "it is in a register that kprobe events can't read "
				    "(DWARF register %llu)",
				    (unsigned long long)expr->value));
}

const char *static_name(const struct work *work, uint64_t address, const char **reason)
{
	const struct static_place *place =
		work->capture ? find_static(work->capture, address) : NULL;

	if (place && place->name && place->address == address)
		return place->name;
	if (place && place->name)
		return fetch_offset(work->arena, arena_printf(work->arena, "@%s", place->name),
				    (long long)(address - place->address)) + 1;
	*reason = "the kernel has no symbol for its address";
	return NULL;
}

static struct fetch_text fetch_static(struct work *work, uint64_t address)
{
	const char *reason, *name = static_name(work, address, &reason);

	if (!name)
		return refused(reason);
	return (struct fetch_text){.body = arena_printf(work->arena, "@%s", name),
				   .part = work->part};
}

static struct fetch_text fetch_base(struct work *work, const struct expr *base)
{
	if (base->op == EXPR_REG)
		return fetch_register(work, base);
	if (base->op == EXPR_LOAD && base->size == 8)
		return fetch_memory(work, base->a, base->is_user);
	return sum_base(work, base);
}

static unsigned depth(const char *body)
{
	unsigned count = 0;

	for (; *body; body++)
		count += *body == '(';
	return count;
}

struct fetch_text fetch_memory(struct work *work, const struct expr *address, bool is_user)
{
	const struct expr *base = address;
	long long offset = 0;
	struct fetch_text inner;

	if (address->op == EXPR_STATIC && !is_user)
		return fetch_static(work, address->value);
	if (address->op == EXPR_CONST)
		return (struct fetch_text){
			.body = arena_printf(work->arena, "@%#llx",
					     (unsigned long long)address->value),
			.part = work->part,
			.address = address,
			.way = fetch_step(work, number_way(work, address->value), 0,
					  is_user)};
	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (long long)address->b->value;
	}
	if (offset != (int32_t)offset)
		return refused(too_far);
	inner = fetch_base(work, base);
	if (!inner.body)
		return inner;
	if (depth(inner.body) >= KERNEL_DEREFS_MAX)
		return refused("the kernel follows no more than 12 pointers in one argument");
	inner.body = arena_printf(work->arena, "%c%s%llu(%s)", offset < 0 ? '-' : '+',
				  is_user ? "u" : "",
				  offset < 0 ? 0 - (unsigned long long)offset :
				  (unsigned long long)offset, inner.body);
	inner.way = fetch_step(work, inner.way, (int32_t)offset, is_user);
	inner.address = address;
	inner.is_user = is_user;
	return inner;
}

struct fetch_text fetch_object(struct work *work, const struct expr *address, bool is_user,
			       uint32_t size)
{
	struct fetch_text text = fetch_memory(work, address, is_user);

	return text.body && !fetch_offset(work->arena, text.body, size) ? refused(too_far) : text;
}
