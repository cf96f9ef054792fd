// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells which library a program expects a function from. A symbol's version belongs to a file; what
 * has no version is the first library's that has the name, which only the dynamic linker knows.
 */
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <string.h>

#include "target/code.h"
#include "target/internal.h"
#include "target/section_entries.h"

#define VERSION_MASK 0x7fff

/* The file that a version is of; NULL: none. */
static const char *version_file(Elf *elf, unsigned version)
{
	struct elf_table table;
	GElf_Verneed need;
	GElf_Vernaux aux;

	table_find(elf, SHT_GNU_verneed, &table);
	for (size_t at = 0; gelf_getverneed(table.data, (int)at, &need); ) {
		size_t name = at + need.vn_aux;

		for (unsigned i = 0; i < need.vn_cnt && name < INT_MAX &&
				     gelf_getvernaux(table.data, (int)name, &aux);
		     i++) {
			if (aux.vna_other == version)
				return table_name(&table, need.vn_file);
			name += aux.vna_next;
		}
		if (!version_next(&at, need.vn_next))
			break;
	}
	return NULL;
}

bool target_imports(const struct target *target, const char *name, const char **library)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	struct elf_table table, numbers;
	GElf_Versym version;
	GElf_Sym sym;

	*library = NULL;
	table_find(elf, SHT_DYNSYM, &table);
	table_find(elf, SHT_GNU_versym, &numbers);
	for (int i = 1; (size_t)i < table.count && gelf_getsym(table.data, i, &sym); i++) {
		if (sym.st_shndx != SHN_UNDEF ||
		    strcmp(table_name(&table, sym.st_name) ?: "", name))
			continue;
		if (numbers.data && gelf_getversym(numbers.data, i, &version))
			*library = version_file(elf, version & VERSION_MASK);
		return true;
	}
	return false;
}

static const char *import_in(Elf *elf, Elf_Scn *section, const struct elf_table *symbols,
			     uint64_t slot)
{
	struct elf_table rows;
	GElf_Rela rela;
	GElf_Sym sym;

	table_open(elf, section, &rows);
	for (int i = 0; (size_t)i < rows.count && gelf_getrela(rows.data, i, &rela); i++)
		if (rela.r_offset == slot)
			return GELF_R_SYM(rela.r_info) < symbols->count &&
			       gelf_getsym(symbols->data, (int)GELF_R_SYM(rela.r_info), &sym) ?
			       table_name(symbols, sym.st_name) : NULL;
	return NULL;
}

const char *target_slot_import(const struct target *target, uint64_t slot)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	Elf_Scn *section = NULL;
	struct elf_table symbols;
	const char *name = NULL;
	GElf_Shdr header;

	if (!elf)
		return NULL;
	slot -= bias;
	table_find(elf, SHT_DYNSYM, &symbols);
	while (symbols.data && !name && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC)
			name = import_in(elf, section, &symbols, slot);
	return name;
}
