// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds code of the running kernel, or of a loaded module, in its file. The kernel was moved as a
 * whole when it booted (KASLR), a module's sections one by one; the surprise: a name may be several
 * functions', so the symbol must also be at its place.
 */
#include <stdio.h>
#include <string.h>

#include "target/internal.h"
#include "target/kernel_symbols.h"
#include "target/placing.h"

/* Where a module's section is loaded; 0: not known. */
static uint64_t section_base(struct arena *arena, const char *module, const char *section)
{
	FILE *file =
		fopen(arena_printf(arena, "/sys/module/%s/sections/%s", module, section), "re");
	unsigned long long base;
	bool is_read = file && fscanf(file, "%llx", &base) == 1;

	if (file)
		fclose(file);
	return is_read ? base : 0;
}

/* Where a symbol's code runs; 0: not known. */
static uint64_t running(struct arena *arena, const struct target *target,
			const struct kallsyms *kallsyms, const struct symbol *symbol)
{
	const struct symbol *start;
	const char *section;
	unsigned count;
	uint64_t base;

	if (!target->module) {
		start = target_symbol_named(target, "_stext", &count);
		base = kallsyms_start(kallsyms);
		return start && count == 1 && base ? symbol->address - start->address + base : 0;
	}
	section_of(target, symbol->address, &section);
	base = section_base(arena, target->module, section);
	return base ? base + target_file_address(target, symbol->address) : 0;
}

bool target_code_address(struct arena *arena, const struct target *target,
			 const struct kallsyms *kallsyms, const struct ksym *symbol,
			 uint64_t address, uint64_t *ret)
{
	const char *name = arena_strndup(arena, symbol->name, symbol->length);
	size_t count;
	const struct symbol *list = target_symbols(target, name, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name) &&
		    running(arena, target, kallsyms, &list[i]) == symbol->address) {
			*ret = list[i].address + (address - symbol->address);
			return true;
		}
	return false;
}
