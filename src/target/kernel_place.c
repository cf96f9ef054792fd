// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names an instruction's address for kprobe_events.
 *
 * The surprise: kprobe_events refuses a name that several symbols share, even with an offset (since
 * kernel 6.7, and in stable series), so such an address is written relative to another symbol below
 * it that has a unique name: `_stext` in the kernel.
 */
#include <string.h>

#include "base/error.h"
#include "target/internal.h"
#include "target/placing.h"
#include "target/symtab.h"

static bool is_unique(const struct target *target, const char *name)
{
	unsigned count;

	target_symbol_named(target, name, &count);
	return count == 1;
}

/* The nearest function below, in the same section, that has a unique name. */
static const struct symbol *unique_below(const struct target *target, uint64_t address,
					 uint32_t section)
{
	size_t count;
	const struct symbol *list = target_symbols(target, NULL, &count);

	for (size_t i = symbols_upto(target, address); i > 0; i--)
		if (list[i - 1].section == section && list[i - 1].is_function &&
		    is_unique(target, list[i - 1].name))
			return &list[i - 1];
	return NULL;
}

struct error *target_place(struct arena *arena, const struct target *target, uint64_t address,
			   const char *prefer, struct placement *ret)
{
	const struct symbol *symbol = target_symbol_at(target, address, prefer);
	unsigned count;

	if (!symbol)
		return error_new(arena, ERROR_NOT_FOUND, "address %#llx lies in no symbol of '%s'",
				 (unsigned long long)address, target->path);
	if (!is_unique(target, symbol->name)) {
		const struct symbol *shared = symbol;

		symbol = target->module ? unique_below(target, address, shared->section)
					: target_symbol_named(target, "_stext", &count);
		if (!symbol || symbol->address > address)
			return error_new(arena, ERROR_AMBIGUOUS,
					 "'%s' is the name of several symbols, and no unique "
					 "symbol lies below it", shared->name);
	}
	ret->symbol = symbol->name;
	ret->offset = address - symbol->address;
	return NULL;
}

