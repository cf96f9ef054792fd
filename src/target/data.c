// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names an object's address for `@` in a fetch argument. The kernel looks a name up in its own
 * symbols first and then in each module's, takes the first match and doesn't say that there are
 * more. So only a name that means one object is written: the symbol's own, or that of another
 * symbol at a fixed distance. vmlinux moves as a whole, so `_stext` serves there; each section of a
 * module moves by itself.
 */
#include <string.h>

#include "base/error.h"
#include "target/internal.h"
#include "target/kernel_symbols.h"
#include "target/placing.h"
#include "target/symtab.h"

/* An argument has 63 characters, and a chain of fetches needs some of them. */
#define NAME_MAX_LENGTH 40

const char *placement_text(struct arena *arena, const struct placement *place)
{
	int64_t offset = (int64_t)place->offset;

	if (!offset)
		return place->symbol;
	return arena_printf(arena, "%s%c%llu", place->symbol, offset < 0 ? '-' : '+',
			    offset < 0 ? -(unsigned long long)offset : (unsigned long long)offset);
}

static const struct symbol *find(const struct target *target, const char *name)
{
	unsigned count;
	const struct symbol *symbol = target_symbol_named(target, name, &count);

	return count == 1 ? symbol : NULL;
}

static bool is_between(const struct target *target, uint64_t address, const char *start,
		       const char *end)
{
	const struct symbol *a = find(target, start), *b = find(target, end);

	return a && b && address >= a->address && address < b->address;
}

/* Whether the running kernel, if there is one, takes the name for this target's. It doesn't have
 * the names of a module that isn't loaded yet. */
static bool is_found(const struct target *target, const char *name)
{
	struct kallsyms_meaning meaning;

	if (!target->running)
		return true;
	kallsyms_mean(target->running, name, target->module, &meaning);
	/* the kernel's own names come first: a module's symbol of the same name does no harm */
	return target->module ? meaning.inside <= 1 && !meaning.outside : meaning.inside == 1;
}

static bool is_usable(const struct target *target, const struct symbol *symbol)
{
	const struct target *kernel = target_kernel(target);
	unsigned others = 0;

	if (!symbol->section || strlen(symbol->name) > NAME_MAX_LENGTH ||
	    !find(target, symbol->name))
		return false;
	if (kernel)
		target_symbol_named(kernel, symbol->name, &others);
	return !others && is_found(target, symbol->name);
}

static void set(struct placement *ret, const struct symbol *symbol, uint64_t address)
{
	ret->symbol = symbol->name;
	ret->offset = address - symbol->address;
}

static const char gone[] = "it is start-up data, which the kernel frees";

static const char *place_in_kernel(const struct target *target, uint64_t address,
				   struct placement *ret)
{
	const struct symbol *symbol = target_symbol_at(target, address, NULL);
	const struct symbol *start = find(target, "_stext");

	if (start && target_is_percpu(target, address)) {
		/* no place to read at: it is what the CPUs count from */
		set(ret, start, address);
		return NULL;
	}
	if (is_between(target, address, "__init_begin", "__init_end"))
		return gone;
	if (!start || !is_between(target, address, "_stext", "_end"))
		return "it lies outside the kernel's image";
	if (!symbol || !is_usable(target, symbol))
		symbol = start;
	set(ret, symbol, address);
	return NULL;
}

/* The nearest usable symbol of the section, first below, then above. */
static const struct symbol *neighbour(const struct target *target, uint64_t address,
				      size_t section)
{
	size_t count, below = symbols_upto(target, address);
	const struct symbol *list = target_symbols(target, NULL, &count);

	for (size_t i = below; i > 0; i--)
		if (list[i - 1].section == section && is_usable(target, &list[i - 1]))
			return &list[i - 1];
	for (size_t i = below; i < count; i++)
		if (list[i].section == section && is_usable(target, &list[i]))
			return &list[i];
	return NULL;
}

static const char *place_in_module(const struct target *target, uint64_t address,
				   struct placement *ret)
{
	const struct symbol *symbol = target_symbol_at(target, address, NULL);
	const char *name;
	size_t section = section_of(target, address, &name);

	if (!section)
		return "it lies outside the module's sections";
	if (!strncmp(name, ".init", 5))
		return gone;
	if (!strcmp(name, ".modinfo") || !strcmp(name, "__versions"))
		return "it is in the module's file only, not in memory";
	if (!symbol || symbol->section != section || !is_usable(target, symbol))
		symbol = neighbour(target, address, section);
	if (!symbol)
		return "no symbol of its section has a unique name";
	set(ret, symbol, address);
	return NULL;
}

static bool is_extern(const struct target *target, uint64_t address)
{
	return target->is_relocatable && address >= EXTERN_BASE &&
	       (address - EXTERN_BASE) >> EXTERN_SHIFT < target->nexterns;
}

static const char *extern_name(const struct target *target, uint64_t address, int64_t *offset)
{
	*offset = (int64_t)(address & (((uint64_t)1 << EXTERN_SHIFT) - 1)) - EXTERN_MIDDLE;
	return target->externs[(address - EXTERN_BASE) >> EXTERN_SHIFT];
}

/* The symbol that a declared name means: the only one, or the only global one, of that name. */
static const struct symbol *declared_symbol(const struct target *target, const char *name)
{
	unsigned same, globals = 0;
	const struct symbol *first = target_symbol_named(target, name, &same), *found = first,
			    *list;
	size_t count;

	if (same < 2)
		return first;
	list = target_symbols(target, name, &count);
	for (size_t i = 0; i < count; i++)
		if (list[i].is_global && !strcmp(list[i].name, name)) {
			found = &list[i];
			globals++;
		}
	return globals == 1 ? found : NULL;
}

uint64_t target_symbol_address(const struct target *target, const char *name)
{
	const struct symbol *symbol = declared_symbol(target, name);

	if (symbol && symbol->section)
		return symbol->address;
	for (size_t i = 1; i < target->nexterns; i++)
		if (!strcmp(target->externs[i], name))
			return EXTERN_BASE + ((uint64_t)i << EXTERN_SHIFT) + EXTERN_MIDDLE;
	return 0;
}

const struct target *target_owner(const struct target *target, uint64_t *address)
{
	const struct target *kernel;
	const struct symbol *symbol;
	int64_t offset;

	if (!is_extern(target, *address)) {
		kernel = *address >> 63 ? target_kernel(target) : NULL;
		return kernel ? kernel : target;
	}
	kernel = target_kernel(target);
	symbol = kernel ? declared_symbol(kernel, extern_name(target, *address, &offset)) : NULL;
	if (!symbol || !symbol->section)
		return target;
	*address = symbol->address + (uint64_t)offset;
	return kernel;
}

/* Names a symbol that another module defines, or a kernel whose symbols aren't available: only the
 * running kernel tells whether it is a per-CPU variable, whose address is an offset. */
static const char *place_by_name(const struct target *target, uint64_t address,
				 struct placement *ret)
{
	struct kallsyms_meaning meaning;

	ret->symbol = extern_name(target, address, (int64_t *)&ret->offset);
	if (!*ret->symbol)
		return "it is an address outside of the section it is counted from";
	if (!target->running)
		return target_kernel(target) ?
			"another module defines it, whose file isn't available" :
		       "the kernel defines it, and its symbols aren't available (-k VMLINUX)";
	kallsyms_mean(target->running, ret->symbol, NULL, &meaning);
	if (meaning.inside != 1 && meaning.inside + meaning.outside != 1)
		return "the running kernel has no symbol, or several, of that name";
	if (!(meaning.address >> 63))
		return meaning.address ?
			"it is a per-CPU variable, and the kernel's own symbols aren't available "
			"(-k VMLINUX)" :
		       "/proc/kallsyms hides addresses (kernel.kptr_restrict)";
	return NULL;
}

const char *target_module_percpu(const struct target *target, uint64_t address,
				 const struct target **kernel, uint64_t *offset)
{
	const struct symbol *symbol = target_symbol_at(target, address, NULL);
	struct kallsyms_meaning meaning;
	unsigned count = 0;

	if (!target->running)
		return "its per-CPU offset is only known once the module is loaded";
	*kernel = target_kernel(target);
	if (!*kernel)
		return
			"it is a per-CPU variable, and the kernel's own symbols aren't available "
			"(-k VMLINUX)";
	if (symbol)
		target_symbol_named(target, symbol->name, &count);
	if (count != 1)
		return "it is a per-CPU variable without a symbol of its own";
	kallsyms_mean(target->running, symbol->name, target->module, &meaning);
	if (!meaning.inside)
		return "it is a per-CPU variable, and /proc/kallsyms doesn't list it: the module "
		       "isn't loaded, or the kernel is without CONFIG_KALLSYMS_ALL";
	if (!meaning.address)
		return "/proc/kallsyms hides addresses (kernel.kptr_restrict)";
	*offset = meaning.address + (address - symbol->address);
	return meaning.inside == 1 ? NULL : "it is a per-CPU variable without a symbol of its own";
}

const char *target_place_data(struct arena *arena, const struct target *target, uint64_t address,
			      struct placement *ret)
{
	const struct target *owner = target_owner(target, &address);

	(void)arena;
	if (!owner->module)
		return place_in_kernel(owner, address, ret);
	if (is_extern(owner, address))
		return place_by_name(owner, address, ret);
	return place_in_module(owner, address, ret);
}

const char *target_running_address(struct arena *arena, const struct target *target,
				   uint64_t address, uint64_t *ret)
{
	struct kallsyms_meaning meaning;
	struct placement place;
	const char *reason = target_place_data(arena, target, address, &place);
	const struct target *owner = target_owner(target, &address);
	const char *module = is_extern(owner, address) ? NULL : owner->module;

	if (reason)
		return reason;
	kallsyms_mean(target->running, place.symbol, module, &meaning);
	if (!meaning.inside && (module || !meaning.outside))
		return module ? "the module isn't loaded yet: its addresses aren't known" :
		       "/proc/kallsyms has no symbol to count from";
	if (!meaning.address)
		return "/proc/kallsyms hides addresses (kernel.kptr_restrict)";
	*ret = meaning.address + place.offset;
	return NULL;
}
