// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name in, the units that can mention it out, without parsing one of them: the name's offsets in
 * .debug_str are searched for as bytes in .debug_info, and so is the name itself (DW_FORM_string).
 * Finds too much now and then, never too little: units whose strings are reached through
 * .debug_str_offsets (DW_FORM_strx, clang) are always candidates.
 */
#include <gelf.h>
#include <string.h>

#include "debuginfo/internal.h"

Elf_Data *section_data(struct dwarf_info *info, const char *name)
{
	Elf *elf = dwarf_getelf(info->dwarf);
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, strings, header.sh_name) : NULL;

		if (found && !strcmp(found, name) && header.sh_type != SHT_NOBITS &&
		    !(header.sh_flags & SHF_COMPRESSED))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

struct unit *unit_of(struct dwarf_info *info, Dwarf_Off offset)
{
	size_t low = 0, high = info->nunits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (info->units[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &info->units[low - 1] : NULL;
}

static void mark_unit(struct dwarf_info *info, Dwarf_Off offset)
{
	struct unit *unit = unit_of(info, offset);

	if (unit)
		unit->is_candidate = true;
}

/* Sixteen places at a time; memmem's own search for four bytes takes several times as long. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));

static bytes16 load16(const uint8_t *p)
{
	bytes16 bytes;

	memcpy(&bytes, p, sizeof(bytes));
	return bytes;
}

static bool is_any(bytes16 mask)
{
	uint64_t halves[2];

	memcpy(halves, &mask, sizeof(halves));
	return halves[0] | halves[1];
}

static void mark_offset(struct dwarf_info *info, const Elf_Data *where, uint32_t offset)
{
	const uint8_t *start = where->d_buf, *end = start + where->d_size, *at = start;
	uint8_t b[4];

	memcpy(b, &offset, sizeof(b));
	for (; end - at >= 16 + 3; at += 16) {
		if (!is_any((bytes16)(load16(at) == b[0]) & (bytes16)(load16(at + 1) == b[1]) &
			    (bytes16)(load16(at + 2) == b[2]) & (bytes16)(load16(at + 3) == b[3])))
			continue;
		for (unsigned i = 0; i < 16; i++)
			if (!memcmp(at + i, b, sizeof(b)))
				mark_unit(info, (Dwarf_Off)(at + i - start));
	}
	for (; end - at >= 4; at++)
		if (!memcmp(at, b, sizeof(b)))
			mark_unit(info, (Dwarf_Off)(at - start));
}

static void mark_text(struct dwarf_info *info, const Elf_Data *where, const char *text)
{
	const char *start = where->d_buf, *end = start + where->d_size, *at = start;
	size_t length = strlen(text) + 1;

	while ((at = memmem(at, (size_t)(end - at), text, length))) {
		mark_unit(info, (Dwarf_Off)(at - start));
		at++;
	}
}

/* One pass over .debug_info for a whole set of offsets, as bits. */
static void mark_set(struct dwarf_info *info, const Elf_Data *where, const uint8_t *set,
		     size_t size)
{
	const uint8_t *bytes = where->d_buf;

	for (size_t i = 0; i + sizeof(uint32_t) <= where->d_size; i++) {
		uint32_t offset;

		memcpy(&offset, bytes + i, sizeof(offset));
		if (offset < size && set[offset / 8] & 1u << offset % 8)
			mark_unit(info, i);
	}
}

/* A search for each costs less than one pass over the set up to about here. */
#define FEW_OFFSETS 6

/* The name as any tail of a string: the linker merges "read" into "vfs_read". */
static void mark_offsets(struct dwarf_info *info, const Elf_Data *strings,
			 const Elf_Data *where, const char *name)
{
	size_t length = strlen(name) + 1, count = 0;
	const char *start = strings->d_buf, *end = start + strings->d_size, *at = start;
	uint8_t *set = arena_alloc(info->arena, strings->d_size / 8 + 1);
	uint32_t few[FEW_OFFSETS];

	for (; (at = memmem(at, (size_t)(end - at), name, length)); at++) {
		uint32_t offset = (uint32_t)(at - start);

		if (count < FEW_OFFSETS)
			few[count] = offset;
		set[offset / 8] |= (uint8_t)(1u << offset % 8);
		count++;
	}
	if (count > FEW_OFFSETS)
		mark_set(info, where, set, strings->d_size);
	for (size_t i = 0; i < count && count <= FEW_OFFSETS; i++)
		mark_offset(info, where, few[i]);
}

static void mark_indirect(struct dwarf_info *info)
{
	for (size_t i = 0; i < info->nunits; i++) {
		Dwarf_Die die;

		if (info->units[i].is_candidate || info->units[i].version < 5)
			continue;
		if (!dwarf_offdie(info->dwarf, info->units[i].die, &die) ||
		    dwarf_hasattr(&die, DW_AT_str_offsets_base))
			info->units[i].is_candidate = true;
	}
}

static void search(struct dwarf_info *info, const char *name)
{
	const Elf_Data *where = name ? section_data(info, ".debug_info") : NULL;
	const Elf_Data *strings = name ? section_data(info, ".debug_str") : NULL;
	bool all = info->is_shared || !where || !where->d_buf;

	for (size_t i = 0; i < info->nunits; i++)
		info->units[i].is_candidate = all;
	if (all)
		return;
	mark_text(info, where, name);
	if (strings && strings->d_buf)
		mark_offsets(info, strings, where, name);
	mark_indirect(info);
}

/* A name whose units were searched for before: the search takes a tenth of a second in a vmlinux, and
 * specs ask for the same functions and types again and again. */
struct searched {
	const struct searched *next;
	const char *name;
	bool *is_candidate; /* by unit */
};

static bool recall(struct dwarf_info *info, const char *name)
{
	const struct searched *known = info->searched;

	while (known && strcmp(known->name, name))
		known = known->next;
	for (size_t i = 0; known && i < info->nunits; i++)
		info->units[i].is_candidate = known->is_candidate[i];
	return known;
}

static void remember(struct dwarf_info *info, const char *name)
{
	struct searched *searched = arena_new(info->arena, struct searched);

	searched->next = info->searched;
	searched->name = arena_strdup(info->arena, name);
	searched->is_candidate = arena_array(info->arena, bool, info->nunits);
	for (size_t i = 0; i < info->nunits; i++)
		searched->is_candidate[i] = info->units[i].is_candidate;
	info->searched = searched;
}

void candidate_units(struct dwarf_info *info, const char *name)
{
	if (name && recall(info, name))
		return;
	search(info, name);
	if (name)
		remember(info, name);
}
