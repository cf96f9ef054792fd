// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads tables that name places in a kernel's code. A module's are filled in only when it is
 * loaded; its relocations tell what they will hold.
 */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "target/code.h"
#include "target/image_table.h"
#include "target/internal.h"
#include "target/section_entries.h"

static uint64_t field_value(const struct image_table *table, const uint8_t *bytes, uint64_t at)
{
	uint64_t pointer;
	int32_t distance;

	if (table->is_pointers) {
		memcpy(&pointer, bytes, sizeof(pointer));
		return pointer;
	}
	memcpy(&distance, bytes, sizeof(distance));
	return at + (uint64_t)(int64_t)distance;
}

/* Pointers are where they lie in the image. */
static const uint64_t *read_bytes(struct arena *arena, const struct target *target,
				  const struct image_table *table, size_t field, size_t *count)
{
	unsigned nstarts, nstops;
	const struct symbol *start = target_symbol_named(target, table->start, &nstarts);
	const struct symbol *stop = target_symbol_named(target, table->stop, &nstops);
	size_t length, rows;
	const uint8_t *bytes;
	uint64_t *ret;

	if (!start || !stop || stop->address <= start->address)
		return NULL;
	bytes = target_bytes(target, start->address, &length);
	rows = (stop->address - start->address) / table->row;
	if (!bytes || rows > length / table->row)
		return NULL;
	*count = rows;
	if (table->is_pointers && table->row == sizeof(*ret) && (uintptr_t)bytes % 8 == 0)
		return (const uint64_t *)bytes;
	ret = arena_array(arena, uint64_t, rows);
	for (size_t i = 0; i < rows; i++) {
		size_t offset = i * table->row + field;

		ret[i] = field_value(table, bytes + offset, start->address + offset);
	}
	return ret;
}

static Elf_Scn *named_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    !strcmp(elf_strptr(elf, strings, header.sh_name) ?: "", name))
			return section;
	return NULL;
}

/* S + A: for a field that holds a distance from itself, the address that it leads to. */
static uint64_t relocation_address(Elf *elf, Elf_Data *symbols, const GElf_Rela *rela)
{
	GElf_Sym symbol;
	GElf_Shdr header;

	if (!gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &symbol) ||
	    !gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &header))
		return 0;
	return header.sh_addr + symbol.st_value + (uint64_t)rela->r_addend;
}

/* Libdwfl has applied the relocations that are plain addresses, and taken them away. */
static void read_applied(const struct image_table *table, const Elf_Data *data, size_t field,
			 uint64_t *ret)
{
	for (size_t i = 0; table->is_pointers && i < data->d_size / table->row; i++)
		ret[i] = field_value(table, (const uint8_t *)data->d_buf + i * table->row + field,
				     0);
}

static const uint64_t *read_relocations(struct arena *arena, const struct target *target,
					const struct image_table *table, size_t field,
					size_t *count)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	Elf_Data *data = elf_getdata(named_section(elf, table->section), NULL);
	struct elf_table rows;
	uint64_t *ret;

	if (!data || !data->d_buf)
		return NULL;
	*count = data->d_size / table->row;
	ret = arena_array(arena, uint64_t, *count);
	read_applied(table, data, field, ret);
	table_open(elf, named_section(elf, arena_printf(arena, ".rela%s", table->section)), &rows);
	for (size_t i = 0; rows.strings && i < rows.count; i++) { /* the symbol table here */
		GElf_Rela rela;
		size_t row;

		if (!gelf_getrela(rows.data, (int)i, &rela))
			break;
		row = rela.r_offset / table->row;
		if (rela.r_offset % table->row == field && row < *count)
			ret[row] = relocation_address(elf, rows.strings, &rela);
	}
	return ret;
}

const uint64_t *image_table_field(struct arena *arena, const struct target *target,
				  const struct image_table *table, size_t field, size_t *count)
{
	*count = 0;
	return (target->is_relocatable ? read_relocations : read_bytes)(arena, target, table,
									field, count);
}
