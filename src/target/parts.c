// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the piece of code around an address that has call frame information of its own: a function,
 * or a part of one that lies elsewhere (.cold). Where symbols are stripped, only .eh_frame tells.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/leb.h"
#include "base/search.h"
#include "target/code.h"
#include "target/internal.h"

/* How .eh_frame writes an address (LSB, Core - Generic, 10.5.1). */
enum {
	AS_POINTER = 0x00,
	AS_UDATA4 = 0x03,
	AS_SDATA4 = 0x0b,
	AS_SDATA8 = 0x0c,
	FROM_HERE = 0x10,
};

/* The pointer encoding that an augmentation such as "zPLR" gives for R; -1 when it can't be
 * told. */
static int address_form(const Dwarf_CIE *cie)
{
	const uint8_t *at = cie->augmentation_data, *end = at + cie->augmentation_data_size;
	uint64_t skipped;

	if (cie->augmentation[0] != 'z')
		return cie->augmentation[0] ? -1 : AS_POINTER;
	for (const char *letter = cie->augmentation + 1; *letter; letter++) {
		int form = *letter == 'S' || *letter == 'B' || at >= end ? 0 : *at++;

		if (*letter == 'R')
			return form;
		if (*letter != 'P')
			continue;
		if ((form & 0x0f) == 0x01 || (form & 0x0f) == 0x09) {
			if (!leb_read(&at, end, &skipped))
				return -1;
		} else {
			at += (form & 0x0f) == AS_UDATA4 || (form & 0x0f) == AS_SDATA4 ? 4 : 8;
		}
	}
	return AS_POINTER;
}

/* The first two words of an FDE: where its code begins, and its length. */
static bool read_part(const Dwarf_FDE *fde, int form, uint64_t at, struct code_part *ret)
{
	bool is_wide = (form & 0x0f) == AS_POINTER || (form & 0x0f) == AS_SDATA8;
	size_t width = is_wide ? 8 : 4;
	uint64_t start = 0, length = 0;

	if (form & ~(FROM_HERE | 0x0f) || (size_t)(fde->end - fde->start) < 2 * width ||
	    (!is_wide && (form & 0x0f) != AS_UDATA4 && (form & 0x0f) != AS_SDATA4))
		return false;
	memcpy(&start, fde->start, width);
	memcpy(&length, fde->start + width, width);
	if ((form & 0x0f) == AS_SDATA4)
		start = (uint64_t)(int64_t)(int32_t)start;
	*ret = (struct code_part){start + (form & FROM_HERE ? at : 0), 0};
	ret->end = ret->start + length;
	return length && ret->end > ret->start;
}

static bool find_eh_frame(const struct target *target, Elf **elf, Elf_Data **data,
			  uint64_t *address)
{
	GElf_Addr bias;
	Elf_Scn *section = NULL;
	size_t strings;

	*elf = dwfl_module_getelf(target->dwfl_module, &bias);
	if (!*elf || elf_getshdrstrndx(*elf, &strings))
		return false;
	while ((section = elf_nextscn(*elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    strcmp(elf_strptr(*elf, strings, header.sh_name) ?: "", ".eh_frame"))
			continue;
		*data = elf_rawdata(section, NULL);
		*address = header.sh_addr + bias;
		return *data && (*data)->d_buf;
	}
	return false;
}

static int part_compare(const void *left, const void *right)
{
	const struct code_part *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static void read_parts(struct target *target)
{
	Dwarf_Off offset = 0, next;
	unsigned char ident[EI_NIDENT];
	Dwarf_CFI_Entry entry, cie;
	Elf_Data *data;
	uint64_t address;
	Elf *elf;
	unsigned count = 0;

	if (!find_eh_frame(target, &elf, &data, &address))
		return;
	memcpy(ident, elf_getident(elf, NULL), sizeof(ident));
	for (; !dwarf_next_cfi(ident, data, true, offset, &next, &entry) && next != (Dwarf_Off)-1 &&
	     next > offset; offset = next) {
		Dwarf_Off ignored;
		struct code_part part;

		if (entry.CIE_id == DW_CIE_ID_64 ||
		    dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &ignored, &cie) ||
		    cie.CIE_id != DW_CIE_ID_64 ||
		    !read_part(&entry.fde, address_form(&cie.cie), address +
			       (uint64_t)(entry.fde.start - (const uint8_t *)data->d_buf), &part))
			continue;
		arena_append(target->arena, target->parts, count) = part;
	}
	target->nparts = count;
	if (count)
		qsort(target->parts, count, sizeof(*target->parts), part_compare);
}

bool target_part_at(struct target *target, uint64_t address, struct code_part *ret)
{
	size_t behind;

	if (!target->has_parts)
		read_parts(target);
	target->has_parts = true;
	behind = partition_point(target->nparts, i, target->parts[i].start <= address);
	if (!behind || address >= target->parts[behind - 1].end)
		return false;
	*ret = target->parts[behind - 1];
	return true;
}

bool target_function_at(struct target *target, uint64_t address, struct code_part *ret)
{
	const struct symbol *symbol = target_symbol_at(target, address, NULL);

	if (!symbol || !symbol->is_function)
		return target_part_at(target, address, ret);
	*ret = (struct code_part){symbol->address, symbol->address + symbol->size};
	return true;
}
