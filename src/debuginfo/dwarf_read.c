// SPDX-License-Identifier: GPL-2.0-only
/* Finds sections by name, and reads numbers and strings from their bytes one after another. Past
 * the end, numbers read as zero and is_bad is set. */
#include <gelf.h>
#include <string.h>

#include "base/leb.h"
#include "debuginfo/die.h"
#include "debuginfo/section_bytes.h"

/* Old compressed sections are called .zdebug_info; libdw has decompressed them by now. */
static bool is_name(const char *found, const char *name)
{
	return !strcmp(found, name) || (!strncmp(found, ".z", 2) && !strcmp(found + 2, name + 1));
}

static Elf_Data *find_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, strings, header.sh_name) : NULL;

		if (found && is_name(found, name) && header.sh_type != SHT_NOBITS &&
		    !(header.sh_flags & SHF_COMPRESSED))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

Elf_Data *unit_section(struct dwarf_info *info, Dwarf_CU *unit, const char *name)
{
	if (!split_tag(unit))
		return section_data(info, name);
	return find_section(dwarf_getelf(dwarf_cu_getdwarf(unit)),
			    arena_printf(info->arena, "%s.dwo", name));
}

Elf_Data *section_data(struct dwarf_info *info, const char *name)
{
	struct known_section *known = info->sections;

	while (known && strcmp(known->name, name))
		known = known->next;
	if (!known) {
		known = arena_new(info->kept, struct known_section);
		*known = (struct known_section){
			.next = info->sections,
			.name = name,
			.data = find_section(dwarf_getelf(info->dwarf), name),
		};
		info->sections = known;
	}
	return known->data;
}

uint64_t read_fixed(struct reader *reader, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(reader->end - reader->at) < size) {
		reader->at = reader->end;
		reader->is_bad = true;
		return 0;
	}
	memcpy(&value, reader->at, size); /* little endian only, like all of ktrace */
	reader->at += size;
	return value;
}

uint64_t read_leb(struct reader *reader)
{
	uint64_t value;

	reader->is_bad |= !leb_read(&reader->at, reader->end, &value);
	return value;
}

uint64_t read_sleb(struct reader *reader)
{
	uint64_t value;

	reader->is_bad |= !leb_read_signed(&reader->at, reader->end, &value);
	return value;
}

const char *read_text(struct reader *reader)
{
	const uint8_t *text = reader->at;
	const uint8_t *end = memchr(text, '\0', (size_t)(reader->end - text));

	reader->is_bad |= !end;
	reader->at = end ? end + 1 : reader->end;
	return end ? (const char *)text : "";
}

void skip_bytes(struct reader *reader, uint64_t count)
{
	bool is_short = count > (uint64_t)(reader->end - reader->at);

	reader->is_bad |= is_short;
	reader->at = is_short ? reader->end : reader->at + count;
}
