// SPDX-License-Identifier: GPL-2.0-only
/* What the code of an ET_REL file refers to: a call there leads to nowhere until the file is
 * loaded. */
#include <elfutils/libdwfl.h>

#include "target/code.h"
#include "target/internal.h"
#include "target/placing.h"
#include "target/section_entries.h"

/* The section with the relocations of the section `index`, or NULL. */
static Elf_Scn *relocations_of(Elf *elf, size_t index)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_info == index)
			return section;
	return NULL;
}

/* Reads the symbol that the relocation names. */
static void read_reference(Elf *elf, Elf_Data *symbols, const GElf_Rela *rela,
			   struct reference *ret)
{
	GElf_Shdr header;
	GElf_Sym symbol;

	*ret = (struct reference){.name = ""};
	if (!gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &symbol))
		return;
	/* symbols that are only used have no section */
	if (symbol.st_shndx && symbol.st_shndx < SHN_LORESERVE &&
	    gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &header)) {
		ret->address = header.sh_addr + symbol.st_value + (uint64_t)rela->r_addend;
		return;
	}
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			ret->name = name_in_file(elf, elf_strptr(elf, header.sh_link,
								 symbol.st_name)) ?: "";
}

bool target_reference(const struct target *target, uint64_t field, struct reference *ret)
{
	const char *name;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	size_t index = target->is_relocatable ? section_of(target, field, &name) : 0;
	uint64_t offset = target->is_relocatable ? target_file_address(target, field) : 0;
	struct elf_table rows;

	if (!index)
		return false;
	table_open(elf, relocations_of(elf, index), &rows);
	for (size_t i = 0; rows.strings && i < rows.count; i++) {
		GElf_Rela rela;

		if (!gelf_getrela(rows.data, (int)i, &rela))
			break;
		if (rela.r_offset != offset)
			continue;
		read_reference(elf, rows.strings, &rela, ret);
		return true;
	}
	return false;
}
