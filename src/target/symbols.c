// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses in, symbols and placements out. The surprise: kprobe_events refuses a name that several
 * symbols share, offset or not (kernel 6.7 and the stable series), so such a place is written from
 * another symbol below it whose name is unique: `_stext` in the kernel.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "target/internal.h"

size_t symbols_upto(const struct target *target, uint64_t address)
{
	size_t low = 0, high = target->nsymbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (target->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last symbol at or below address; nsymbols: none. */
static size_t last_below(const struct target *target, uint64_t address)
{
	size_t count = symbols_upto(target, address);

	return count ? count - 1 : target->nsymbols;
}

static bool contains(const struct symbol *symbol, uint64_t address)
{
	return address == symbol->address ||
	       (address > symbol->address && address - symbol->address < symbol->size);
}

static bool is_better(const struct symbol *a, const struct symbol *b, const char *prefer)
{
	if (!b)
		return true;
	if (prefer && (!strcmp(a->name, prefer)) != (!strcmp(b->name, prefer)))
		return !strcmp(a->name, prefer);
	if (a->is_function != b->is_function)
		return a->is_function;
	if (!a->size != !b->size)
		return a->size;
	if (a->address != b->address)
		return a->address > b->address;
	if (a->is_global != b->is_global)
		return a->is_global;
	return false;
}

/* Symbols may nest (a label inside a function): look a little way down. */
#define NESTING 64

const struct symbol *target_symbol_at(const struct target *target, uint64_t address,
				      const char *prefer)
{
	const struct symbol *best = NULL;
	size_t at = last_below(target, address);

	for (unsigned n = 0; at < target->nsymbols && n < NESTING; n++, at--) {
		const struct symbol *symbol = &target->symbols[at];

		if (symbol->section && contains(symbol, address) && is_better(symbol, best, prefer))
			best = symbol;
		if (!at)
			break;
	}
	return best;
}

/* A hash table over the names, made when it pays: a probe asks for some ten of a hundred thousand. */
struct symbol_names {
	struct arena *arena;
	unsigned asked;
	uint32_t *table; /* index + 1, 0 is empty; NULL: not made yet */
	size_t mask;
};
#define ASKED_MANY 16

void open_names(struct arena *arena, struct target *target)
{
	target->names = arena_new(arena, struct symbol_names);
	target->names->arena = arena;
}

static void index_names(const struct target *target)
{
	struct symbol_names *names = target->names;
	size_t size = 1024;

	while (size < target->nsymbols * 2)
		size *= 2;
	names->table = arena_array(names->arena, uint32_t, size);
	names->mask = size - 1;
	for (size_t i = 0; i < target->nsymbols; i++) {
		size_t at = text_hash(target->symbols[i].name) & names->mask;

		while (names->table[at])
			at = (at + 1) & names->mask;
		names->table[at] = (uint32_t)i + 1;
	}
}

static const struct symbol *look_up(const struct target *target, const char *name, unsigned *count)
{
	const struct symbol_names *names = target->names;
	const struct symbol *found = NULL;

	for (size_t at = text_hash(name) & names->mask; names->table[at]; at = (at + 1) & names->mask) {
		const struct symbol *symbol = &target->symbols[names->table[at] - 1];

		if (strcmp(symbol->name, name))
			continue;
		if (!found || symbol < found)
			found = symbol;
		++*count;
	}
	return found;
}

static const struct symbol *look_through(const struct target *target, const char *name,
					 unsigned *count)
{
	const struct symbol *found = NULL;

	for (size_t i = 0; i < target->nsymbols; i++) {
		const struct symbol *symbol = &target->symbols[i];

		if (symbol->name[0] != name[0] || strcmp(symbol->name, name))
			continue;
		found = found ? found : symbol;
		++*count;
	}
	return found;
}

const struct symbol *target_symbol_named(const struct target *target, const char *name,
					 unsigned *count)
{
	struct symbol_names *names = target->names;

	*count = 0;
	if (!names->table && names->asked++ < ASKED_MANY)
		return look_through(target, name, count);
	if (!names->table)
		index_names(target);
	return look_up(target, name, count);
}

static bool is_unique(const struct target *target, const char *name)
{
	unsigned count;

	target_symbol_named(target, name, &count);
	return count == 1;
}

/* The nearest function below, of the same section, with a name of its own. */
static const struct symbol *unique_below(const struct target *target, uint64_t address,
					 uint32_t section)
{
	for (size_t i = last_below(target, address); i < target->nsymbols; i--) {
		const struct symbol *symbol = &target->symbols[i];

		if (symbol->section == section && symbol->is_function &&
		    is_unique(target, symbol->name))
			return symbol;
		if (!i)
			break;
	}
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

static const char *section_at(const struct target *target, uint64_t address)
{
	Dwarf_Addr moved = address, bias;
	Elf_Scn *section = dwfl_module_address_section(target->dwfl_module, &moved, &bias);
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	GElf_Shdr header;
	size_t strings;

	if (!section || !gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &strings))
		return "";
	return elf_strptr(elf, strings, header.sh_name) ?: "";
}

const void *section_bytes(const struct target *target, const char *name, size_t *length)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	Elf_Scn *section = NULL;
	size_t strings;

	if (!elf || elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    strcmp(elf_strptr(elf, strings, header.sh_name) ?: "", name))
			continue;
		data = elf_rawdata(section, NULL);
		*length = data ? data->d_size : 0;
		return data ? data->d_buf : NULL;
	}
	return NULL;
}

bool target_is_percpu(const struct target *target, uint64_t address)
{
	unsigned count;
	const struct symbol *start = target_symbol_named(target, "__per_cpu_start", &count);
	const struct symbol *end = target_symbol_named(target, "__per_cpu_end", &count);

	if (start && end && address >= start->address && address < end->address)
		return true;
	return !strncmp(section_at(target, address), ".data..percpu", strlen(".data..percpu"));
}

bool target_is_init(const struct target *target, uint64_t address)
{
	const char *section;

	if (target->kind == TARGET_PROGRAM)
		return false;
	section = section_at(target, address);
	return !strcmp(section, ".init.text") || !strcmp(section, ".exit.text");
}

uint64_t target_file_address(const struct target *target, uint64_t address)
{
	Dwarf_Addr moved = address, bias;

	if (target->is_relocatable)
		dwfl_module_address_section(target->dwfl_module, &moved, &bias);
	return moved;
}

const uint8_t *target_bytes(const struct target *target, uint64_t address, size_t *length)
{
	Dwarf_Addr moved = address, bias;
	Elf_Scn *section = dwfl_module_address_section(target->dwfl_module, &moved, &bias);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf || moved >= data->d_size)
		return NULL;
	*length = data->d_size - moved;
	return (const uint8_t *)data->d_buf + moved;
}
