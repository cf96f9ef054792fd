// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the symbols that a module's debug information uses but doesn't define addresses of their
 * own. libdwfl leaves their relocations undone, so that `DW_OP_addr init_net` would read as address
 * 0; and `DW_OP_addr head - 16`, which isn't an object but a base to count from, can fall into the
 * section laid out before it. Both get addresses that tell what they are.
 */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "debuginfo/internal.h"

static bool is_address(uint16_t machine, uint64_t info)
{
	return machine == EM_X86_64 ? GELF_R_TYPE(info) == R_X86_64_64 :
	       machine == EM_AARCH64 && GELF_R_TYPE(info) == R_AARCH64_ABS64;
}

static size_t extern_index(const struct target *target, const char *name)
{
	for (size_t i = 1; i < target->nexterns; i++)
		if (!strcmp(target->externs[i], name))
			return i;
	return 0;
}

/* The address that a relocation should store. Returns false when libdwfl's is right. */
static bool extern_address(const struct target *target, Elf *elf, size_t strings,
			   const GElf_Sym *symbol, int64_t addend, uint64_t *ret)
{
	GElf_Shdr header;
	size_t index = 0;

	if (symbol->st_shndx == SHN_UNDEF) {
		index = extern_index(target, elf_strptr(elf, strings, symbol->st_name) ?: "");
	} else {
		uint64_t offset = symbol->st_value + (uint64_t)addend;

		/* the end of a function or range isn't the address of an object */
		if (symbol->st_shndx >= SHN_LORESERVE ||
		    !gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &header) ||
		    !(header.sh_flags & SHF_ALLOC) || header.sh_flags & SHF_EXECINSTR ||
		    offset < header.sh_size)
			return false;
	}
	*ret = EXTERN_BASE + ((uint64_t)index << EXTERN_SHIFT) + EXTERN_MIDDLE + (uint64_t)addend;
	return true;
}

static void mark_section(struct dwarf_info *info, Elf *elf, Elf_Scn *section,
			 const GElf_Shdr *header)
{
	Elf_Scn *table = elf_getscn(elf, header->sh_link);
	Elf_Data *relocations = elf_getdata(section, NULL);
	Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;
	Elf_Data *data = elf_getdata(elf_getscn(elf, header->sh_info), NULL);
	GElf_Shdr symtab;

	if (!relocations || !symbols || !data || !data->d_buf || !gelf_getshdr(table, &symtab))
		return;
	for (int i = 0;; i++) {
		GElf_Rela rela;
		GElf_Sym symbol;
		uint64_t address;

		if (!gelf_getrela(relocations, i, &rela))
			return;
		if (is_address(info->base.target->machine, rela.r_info) &&
		    rela.r_offset + sizeof(address) <= data->d_size &&
		    gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &symbol) &&
		    extern_address(info->base.target, elf, symtab.sh_link, &symbol, rela.r_addend,
				   &address))
			memcpy((uint8_t *)data->d_buf + rela.r_offset, &address, sizeof(address));
	}
}

void mark_externs(struct dwarf_info *info)
{
	static const char *const names[] = {".rela.debug_info", ".rela.debug_loclists",
					    ".rela.debug_loc", ".rela.debug_addr"};
	Elf *elf = dwarf_getelf(info->dwarf);
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, strings, header.sh_name) : NULL;

		for (size_t i = 0; found && i < sizeof(names) / sizeof(*names); i++)
			if (header.sh_type == SHT_RELA && !strcmp(found, names[i]))
				mark_section(info, elf, section, &header);
	}
}
