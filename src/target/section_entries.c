// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a section of entries, and their names, as far as the file really holds them. Nothing else
 * reads section headers that say how many there are: a header may claim anything.
 */
#include <string.h>

#include "target/internal.h"
#include "target/section_entries.h"

/* Longer than any compiler's mangled names; a file can have a million that overlap each other. */
#define LONGEST_NAME ((size_t)64 << 10)

void table_open(Elf *elf, Elf_Scn *section, struct elf_table *ret)
{
	GElf_Shdr header;
	size_t size;

	*ret = (struct elf_table){0};
	if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
		return;
	ret->data = elf_getdata(section, NULL); /* libelf checks it against the file's size */
	size = ret->data ? gelf_fsize(elf, ret->data->d_type, 1, EV_CURRENT) : 0;
	ret->count = size && ret->data->d_buf ? ret->data->d_size / size : 0;
	ret->strings = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
}

void table_find(Elf *elf, unsigned type, struct elf_table *ret)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			break;
	table_open(elf, section, ret);
}

static const char *bounded_name(const char *text, size_t left)
{
	return memchr(text, '\0', left < LONGEST_NAME ? left : LONGEST_NAME) ? text : NULL;
}

const char *table_name(const struct elf_table *table, size_t offset)
{
	const Elf_Data *strings = table->strings;

	if (!strings || !strings->d_buf || offset >= strings->d_size)
		return NULL;
	return bounded_name((const char *)strings->d_buf + offset, strings->d_size - offset);
}

const char *name_in_file(Elf *elf, const char *name)
{
	size_t size = 0;
	const char *file = elf && name ? elf_rawfile(elf, &size) : NULL;

	if (!file || name < file || name >= file + size)
		return NULL;
	return bounded_name(name, (size_t)(file + size - name));
}
