// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether what an instruction writes changes a value. The surprise: a store is compared by
 * the register and the offset of its address alone. One whose register has changed since the
 * position is left out, as is one through any other register.
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
	if (effect->store_base == NO_REGISTER || changed >> effect->store_base & 1)
		return;
	write->store_size = effect->store_size;
	write->store_base = effect->store_base;
	write->store_offset = effect->store_offset;
	write->store_updates = effect->store_updates;
}

/* Whether the write changes some of the bytes at an address. */
static bool is_hit(const struct write *write, const struct expr *address, unsigned size)
{
	const struct expr *base = address;
	int64_t offset = 0;

	if (address->op == EXPR_ADD && address->b->op == EXPR_CONST) {
		base = address->a;
		offset = (int64_t)address->b->value;
	}
	return write->store_size && base->op == EXPR_REG &&
	       base->value == (uint64_t)write->store_base &&
	       offset < write->store_offset + (int64_t)write->store_size &&
	       write->store_offset < offset + (int64_t)size;
}

bool write_changes(const struct write *write, const struct expr *expr, unsigned size,
		   bool is_update)
{
	bool is_store = write->store_updates || !is_update;

	if (!expr || expr->op == EXPR_ENTRY) /* a value at the entry doesn't change */
		return false;
	if (size && is_store && is_hit(write, expr, size))
		return true;
	if (expr->op == EXPR_REG)
		return expr->value < 64 &&
		       (is_update ? write->updated : write->written) >> expr->value & 1;
	return (expr->op == EXPR_LOAD && is_store && is_hit(write, expr->a, expr->size)) ||
	       write_changes(write, expr->a, 0, is_update) ||
	       write_changes(write, expr->b, 0, is_update);
}
