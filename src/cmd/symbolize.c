// SPDX-License-Identifier: GPL-2.0-only
/*
 * An address in, its name out. Where the program of a uprobe is loaded, the event itself tells, as its probe
 * lies in it too; only what lies in that program has a name.
 */
#include "cmd/live.h"
#include "target/kallsyms.h"
#include "target/target.h"

static const char *symbolize_program(struct symbolizer *symbolizer, uint64_t address)
{
	const struct site *site = symbolizer->event->probe->site;
	const struct symbol *symbol;

	if (!symbolizer->program || !site->has_address)
		return NULL;
	address -= symbolizer->event->ip - site->address;
	symbol = target_symbol_at(symbolizer->program, address, NULL);
	if (!symbol)
		return NULL;
	snprintf(symbolizer->symbol, sizeof(symbolizer->symbol), "%s+0x%llx", symbol->name,
		 (unsigned long long)(address - symbol->address));
	return symbolizer->symbol;
}

const char *symbolize(void *cookie, uint64_t address)
{
	struct symbolizer *symbolizer = cookie;

	if (symbolizer->event->probe->site->path)
		return symbolize_program(symbolizer, address);
	if (!symbolizer->kallsyms)
		symbolizer->kallsyms = kallsyms_open(symbolizer->arena);
	return symbolizer->kallsyms ? kallsyms_name(symbolizer->kallsyms, address) : NULL;
}
