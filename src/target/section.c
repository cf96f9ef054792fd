// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds sections by address or name, and their bytes in the file. In a relocatable module,
 * addresses are those that libdwfl gave its sections.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "target/code.h"
#include "target/internal.h"
#include "target/placing.h"

size_t section_of(const struct target *target, uint64_t address, const char **name)
{
	Dwarf_Addr moved = address, bias;
	Elf_Scn *section = dwfl_module_address_section(target->dwfl_module, &moved, &bias);
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	GElf_Shdr header;
	size_t strings;

	*name = "";
	if (!section || !gelf_getshdr(section, &header) || elf_getshdrstrndx(elf, &strings))
		return 0;
	*name = elf_strptr(elf, strings, header.sh_name) ?: "";
	return elf_ndxscn(section);
}

static const char *section_at(const struct target *target, uint64_t address)
{
	const char *name;

	section_of(target, address, &name);
	return name;
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

const void *target_btf(const struct target *target, size_t *length)
{
	return section_bytes(target, ".BTF", length);
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

bool target_percpu_moves(const struct target *kernel)
{
	return target_symbol_address(kernel, "__per_cpu_start") != 0;
}

bool target_is_init(const struct target *target, uint64_t address)
{
	const char *section;

	if (target->kind == TARGET_PROGRAM)
		return false;
	section = section_at(target, address);
	return !strcmp(section, ".init.text") || !strcmp(section, ".exit.text");
}

bool target_is_code(const struct target *target, uint64_t address)
{
	Dwarf_Addr moved = address, bias;
	Elf_Scn *section = dwfl_module_address_section(target->dwfl_module, &moved, &bias);
	GElf_Shdr header;

	return section && gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
	       moved < header.sh_size;
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
