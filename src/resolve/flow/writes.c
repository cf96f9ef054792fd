// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether what an instruction writes changes a value. The surprise: a store is compared by
 * the register and the offset of its address alone, or by the static that the code names. One whose
 * register has changed since the position is left out, as is one through any other register.
 */
#include "resolve/flow/line_search.h"

void writes_add(struct resolver *resolver, const struct effect *effect, unsigned line, uint64_t end,
		uint64_t changed, struct writes *writes)
{
	struct write *write = &arena_append(resolver->arena, writes->list, writes->count);

	*write = (struct write){
		.line = line,
		.end = end,
		.written = effect->written,
		.updated = effect->updated,
		.is_copy = effect->copy_to != NO_REGISTER,
	};
	if (effect->static_size) {
		write->store_size = effect->static_size;
		write->store_base = resolver->arch->ip_register;
		write->store_offset = (int64_t)effect->static_at;
		write->store_updates = effect->store_updates;
		write->is_static = true;
	}
	if (effect->store_base == NO_REGISTER || changed >> effect->store_base & 1)
		return;
	write->store_size = effect->store_size;
	write->store_base = effect->store_base;
	write->store_offset = effect->store_offset;
	write->store_updates = effect->store_updates;
}

/* Whether an address of that base can be compared with the write's; a static's is made one in the
 * ELF file. */
static bool is_comparable(const struct write *write, const struct expr *base, uint64_t probed,
			  int64_t *offset)
{
	bool is_own = base->op == EXPR_REG && base->value == (uint64_t)write->store_base;

	if (!write->is_static)
		return is_own;
	*offset += (int64_t)(is_own ? probed : base->value);
	return is_own || base->op == EXPR_CONST || base->op == EXPR_STATIC;
}

/* Whether the write changes some of the bytes at an address. */
static bool is_hit(const struct write *write, const struct expr *address, unsigned size,
		   uint64_t probed)
{
	const struct expr *base = address;
	int64_t offset = 0;

	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (int64_t)address->b->value;
	}
	return write->store_size && is_comparable(write, base, probed, &offset) &&
	       offset < write->store_offset + (int64_t)write->store_size &&
	       write->store_offset < offset + (int64_t)size;
}

bool write_changes(const struct write *write, const struct expr *expr, unsigned size,
		   uint64_t probed, bool is_update)
{
	bool is_store = write->store_updates || !is_update;

	if (!expr || expr->op == EXPR_ENTRY) /* a value at the entry doesn't change */
		return false;
	if (size && is_store && is_hit(write, expr, size, probed))
		return true;
	if (expr->op == EXPR_REG)
		return expr->value < 64 &&
		       (is_update ? write->updated : write->written) >> expr->value & 1;
	return (expr->op == EXPR_LOAD && is_store && is_hit(write, expr->a, expr->size, probed)) ||
	       write_changes(write, expr->a, 0, probed, is_update) ||
	       write_changes(write, expr->b, 0, probed, is_update);
}
