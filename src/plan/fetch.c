// SPDX-License-Identifier: GPL-2.0-only
/*
 * An expression in, kernel fetch syntax out, or the reason why there is none. The kernel can add a
 * constant to a register or to a loaded pointer and load again, and nothing else: an address that
 * is computed otherwise can't be read at all, by anyone.
 */
#include "plan/internal.h"

char *fetch_register(struct arena *arena, const struct plan_input *input, const struct expr *expr,
		     const char **reason)
{
	const struct arch *arch = input->arch;

	if (arch && expr->value < arch->nregisters && arch->registers[expr->value])
		return arena_printf(arena, "%%%s", arch->registers[expr->value]);
	*reason = arena_printf(arena, "it is in a register that kprobe events can't read (DWARF "
			       "register %llu)", (unsigned long long)expr->value);
	return NULL;
}

static char *fetch_static(struct arena *arena, const struct plan_input *input, uint64_t address,
			  const char **reason)
{
	const char *name = input->name_static ?
		input->name_static(input->cookie, arena, address) : NULL;

	if (name)
		return arena_printf(arena, "@%s", name);
	*reason = "the kernel has no symbol for its address";
	return NULL;
}

static char *fetch_base(struct arena *arena, const struct plan_input *input,
			const struct expr *base, const char **reason)
{
	if (base->op == EXPR_REG)
		return fetch_register(arena, input, base, reason);
	if (base->op == EXPR_LOAD && base->size == 8)
		return fetch_memory(arena, input, base->a, base->is_user, reason);
	*reason = "it lies at a computed address, which a probe event can't follow";
	return NULL;
}

static unsigned depth(const char *body)
{
	unsigned count = 0;

	for (; *body; body++)
		count += *body == '(';
	return count;
}

char *fetch_memory(struct arena *arena, const struct plan_input *input,
		   const struct expr *address, bool is_user, const char **reason)
{
	const struct expr *base = address;
	long long offset = 0;
	char *inner;

	if (address->op == EXPR_STATIC && !is_user)
		return fetch_static(arena, input, address->value, reason);
	if (address->op == EXPR_CONST)
		return arena_printf(arena, "@%#llx", (unsigned long long)address->value);
	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (long long)address->b->value;
	}
	inner = fetch_base(arena, input, base, reason);
	if (!inner)
		return NULL;
	if (depth(inner) >= KERNEL_DEREFS_MAX) {
		*reason = "the kernel follows no more than 12 pointers in one argument";
		return NULL;
	}
	return arena_printf(arena, "%c%s%llu(%s)", offset < 0 ? '-' : '+', is_user ? "u" : "",
			    offset < 0 ? 0 - (unsigned long long)offset : (unsigned long long)offset,
			    inner);
}
