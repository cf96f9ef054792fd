// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names an address. The event itself tells where a uprobe's program is loaded, since its probe is
 * in it too; so only addresses in that program have a name.
 */
#include "base/demangle.h"
#include "cmd/live/live.h"
#include "cmd/stacks/stack_frames.h"
#include "target/target.h"

/* The source's name of a function, as where a place is shown: "shop::add.cold". */
static const char *function_name(struct symbolizer *symbolizer, const char *symbol)
{
	struct arena *arena = &symbolizer->name_arena;
	const char *name, *part;

	if (symbolizer->keeps_symbols)
		return symbol;
	arena_reset(arena);
	name = demangled_function(arena, symbol);
	part = name ? symbol_part(symbol) : NULL;
	return part ? arena_printf(arena, "%s%s", name, part) : name ?: symbol;
}

static const char *symbolize_program(struct symbolizer *symbolizer, uint64_t address)
{
	const struct site *site = symbolizer->event->probe->site;
	const struct symbol *symbol;

	if (!symbolizer->program || !site->has_address)
		return NULL;
	address -= symbolizer->event->ip - site->address;
	if (symbolizer->named == address)
		return symbolizer->symbol;
	symbol = target_symbol_at(symbolizer->program, address, NULL);
	if (!symbol)
		return NULL;
	snprintf(symbolizer->symbol, sizeof(symbolizer->symbol), "%s+0x%llx",
		 function_name(symbolizer, symbol->name),
		 (unsigned long long)(address - symbol->address));
	symbolizer->named = address;
	return symbolizer->symbol;
}

const char *symbolize(void *cookie, uint64_t address)
{
	struct symbolizer *symbolizer = cookie;

	if (symbolizer->event->probe->site->path)
		return symbolize_program(symbolizer, address);
	return kernel_code_symbol(symbolizer->kernel, address);
}
