// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the sections of an ELF file in memory, of which nothing is believed: an image of a kernel
 * is whatever was in a file of /boot.
 */
#include <string.h>

#include "target/stock.h"

const Elf64_Shdr *image_sections(const void *file, size_t length, unsigned *count)
{
	const Elf64_Ehdr *header = file;

	if (length < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > length ||
	    header->e_shoff % 8 ||
	    header->e_shnum > (length - header->e_shoff) / sizeof(Elf64_Shdr) ||
	    header->e_shstrndx >= header->e_shnum)
		return NULL;
	*count = header->e_shnum;
	return (const Elf64_Shdr *)((const uint8_t *)file + header->e_shoff);
}

/* A section's name; "" when it isn't in the file. */
static const char *name_of(const void *file, size_t length, const Elf64_Shdr *sections,
			   unsigned index)
{
	const Elf64_Shdr *strings = &sections[((const Elf64_Ehdr *)file)->e_shstrndx];
	size_t at = sections[index].sh_name;

	if (strings->sh_offset > length || strings->sh_size > length - strings->sh_offset ||
	    at >= strings->sh_size ||
	    !memchr((const char *)file + strings->sh_offset + at, '\0', strings->sh_size - at))
		return "";
	return (const char *)file + strings->sh_offset + at;
}

bool find_section(const void *file, size_t length, const char *name, struct made_section *ret)
{
	unsigned count = 0;
	const Elf64_Shdr *sections = image_sections(file, length, &count);

	for (unsigned i = 0; i < count; i++)
		if (!strcmp(name_of(file, length, sections, i), name)) {
			bool has_data = sections[i].sh_type != SHT_NOBITS &&
					sections[i].sh_offset <= length &&
					sections[i].sh_size <= length - sections[i].sh_offset;

			*ret = (struct made_section){
				.name = name,
				.address = sections[i].sh_addr,
				.size = sections[i].sh_size,
				.data = has_data ? (const uint8_t *)file + sections[i].sh_offset :
						   NULL,
			};
			return true;
		}
	return false;
}
