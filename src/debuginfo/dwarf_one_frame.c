// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the one entry of .debug_frame that an address needs and gives it to libdw as call frame
 * information of its own: libdw reads all entries before it, and makes a tree of them. A kernel
 * has 40,000, and to read them is more work than all else that a line needs.
 *
 * The surprise: libdw takes it from a file in memory, of these two sections.
 */
#include <stddef.h>
#include <string.h>

#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

#define MOST_ALONE 8 /* functions; then libdw's tree of all is cheaper */
#define CIE_ID     UINT32_MAX
#define NAMES "\0.debug_frame\0.shstrtab"

/* An entry's head as it is in the section, of DWARF's 32-bit format. */
struct entry {
	uint32_t length; /* of what follows it */
	uint32_t id;     /* of a function's entry: the offset of its CIE */
	uint64_t start;  /* of a function's entry, as the next */
	uint64_t size;
} __attribute__((packed));

struct one_frame {
	unsigned asked; /* how many functions */
	struct range range; /* the addresses that the entry is of */
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *cfi; /* NULL: none was found */
};

struct file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[sizeof(NAMES)];
	uint8_t frames[];
};

/* Returns false if no whole entry is there. */
static bool read_entry(const Elf_Data *data, uint64_t offset, struct entry *ret)
{
	if (offset > data->d_size || data->d_size - offset < sizeof(*ret))
		return false;
	memcpy(ret, (const uint8_t *)data->d_buf + offset, sizeof(*ret));
	return ret->length >= sizeof(*ret) - sizeof(ret->length) && ret->length < 0xfffffff0 &&
	       ret->length <= data->d_size - offset - sizeof(ret->length);
}

/* Whether an entry of the CIE begins with two addresses of 8 bytes: it has no augmentation, and
 * from version 4 on it says so. */
static bool is_plain(const Elf_Data *data, uint64_t offset)
{
	const uint8_t *at = (const uint8_t *)data->d_buf + offset + 8;
	struct entry cie;

	return read_entry(data, offset, &cie) && cie.id == CIE_ID && !at[1] &&
	       (at[0] < 4 || (at[2] == 8 && !at[3]));
}

/* The first entry, as libdw takes it. An entry that isn't whole ends the search. */
static bool find_entry(const Elf_Data *data, uint64_t pc, uint64_t *offset, struct entry *ret)
{
	for (*offset = 0; read_entry(data, *offset, ret);
	     *offset += sizeof(ret->length) + ret->length)
		if (ret->id != CIE_ID && pc - ret->start < ret->size)
			return is_plain(data, ret->id);
	return false;
}

static size_t put_entry(uint8_t *to, const Elf_Data *data, uint64_t offset)
{
	uint32_t length;

	memcpy(&length, (const uint8_t *)data->d_buf + offset, sizeof(length));
	memcpy(to, (const uint8_t *)data->d_buf + offset, sizeof(length) + length);
	return sizeof(length) + length;
}

/* The CIE comes first, so an entry's offset of it is 0. */
static struct file *make_file(struct arena *arena, const Elf64_Ehdr *like, const Elf_Data *data,
			      uint64_t offset, const struct entry *entry, size_t *size)
{
	struct file *file;
	struct entry cie;
	size_t length;

	read_entry(data, entry->id, &cie);
	length = cie.length + entry->length + 2 * sizeof(cie.length);
	*size = sizeof(*file) + length;
	file = arena_alloc(arena, *size);
	file->header = *like;
	file->header.e_shoff = offsetof(struct file, sections);
	file->header.e_shentsize = sizeof(Elf64_Shdr);
	file->header.e_shnum = 3;
	file->header.e_shstrndx = 2;
	file->header.e_phoff = file->header.e_phnum = 0;
	file->sections[1] = (Elf64_Shdr){.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
					 .sh_offset = sizeof(*file), .sh_size = length};
	file->sections[2] = (Elf64_Shdr){.sh_name = 14, .sh_type = SHT_STRTAB, .sh_addralign = 1,
					 .sh_offset = offsetof(struct file, names),
					 .sh_size = sizeof(NAMES)};
	memcpy(file->names, NAMES, sizeof(NAMES));
	length = put_entry(file->frames, data, entry->id);
	put_entry(file->frames + length, data, offset);
	memset(file->frames + length + offsetof(struct entry, id), 0, sizeof(entry->id));
	return file;
}

static void open_file(struct one_frame *one, struct file *file, size_t size)
{
	one->elf = elf_memory((char *)file, size);
	one->dwarf = one->elf ? dwarf_begin_elf(one->elf, DWARF_C_READ, NULL) : NULL;
	one->cfi = one->dwarf ? dwarf_getcfi(one->dwarf) : NULL;
}

void one_frame_close(struct dwarf_info *info)
{
	if (!info->one_frame)
		return;
	dwarf_end(info->one_frame->dwarf);
	elf_end(info->one_frame->elf);
	*info->one_frame = (struct one_frame){.asked = info->one_frame->asked};
}

Dwarf_CFI *one_frame(struct dwarf_info *info, uint64_t pc)
{
	const struct target *target = info->base.target;
	struct one_frame *one = info->one_frame;
	const Elf64_Ehdr *like = elf64_getehdr(dwarf_getelf(info->dwarf));
	struct entry entry;
	struct file *file;
	uint64_t offset;
	Elf_Data *data;
	size_t size;

	if (one && pc - one->range.start < one->range.end - one->range.start)
		return one->cfi;
	if (!like || like->e_ident[EI_DATA] != ELFDATA2LSB || target->is_relocatable ||
	    target->image)
		return NULL;
	if (!one)
		one = info->one_frame = arena_new(info->kept, struct one_frame);
	data = one->asked < MOST_ALONE ? section_data(info, ".debug_frame") : NULL;
	if (!data || !data->d_buf)
		return NULL;
	one_frame_close(info);
	one->asked++;
	if (!find_entry(data, pc, &offset, &entry))
		return NULL;
	file = make_file(info->kept, like, data, offset, &entry, &size);
	open_file(one, file, size);
	if (one->cfi)
		one->range = (struct range){entry.start, entry.start + entry.size};
	return one->cfi;
}
