// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the ELF file of one build: in a file without a name, sparse, so that what is never asked
 * for takes no memory. It has the debug file's own section headers, and the program headers of the
 * file that is probed, by which libdwfl sees that both are at the same addresses.
 *
 * The surprise: libdw reads the file through a private mapping, and units are filled in behind its
 * back through a shared one. Pages that libdw has never written are the same memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/last.h"
#include "base/memory.h"
#include "pack/image.h"

#define ALIGN_MAX 4096
#define LARGE_PACK ((uint64_t)4 << 20)
/* Bytes that one function of a kernel takes: most pages that are faulted in. */
#define EXPECTED   ((size_t)16 << 20)

static uint64_t align_up(uint64_t offset, uint64_t align)
{
	return (offset + align - 1) / align * align;
}

struct layout {
	struct strbuf names;
	uint64_t phdrs; /* offsets in the file */
	uint64_t strings;
	uint64_t shdrs;
	uint64_t length;
	size_t nphdrs;
};

/* The sections, then their names, then their headers. */
static void lay_out(struct pack_image *image, Elf *main, struct layout *layout)
{
	struct image_head *head = image->head;

	if (elf_getphdrnum(main, &layout->nphdrs) || layout->nphdrs > UINT16_MAX)
		layout->nphdrs = 0;
	layout->phdrs = sizeof(Elf64_Ehdr);
	layout->length = layout->phdrs + layout->nphdrs * sizeof(Elf64_Phdr);
	put_text(&layout->names, "");
	for (uint64_t i = 0; i < head->nsections; i++) {
		struct section *section = &head->sections[i];

		put_text(&layout->names, section->name);
		layout->length = align_up(layout->length, ALIGN_MAX);
		section->offset = layout->length;
		layout->length += section->type == SHT_NOBITS ? 0 : section->size;
	}
	put_text(&layout->names, ".shstrtab");
	layout->strings = layout->length;
	layout->shdrs = align_up(layout->strings + layout->names.length, ALIGN_MAX);
	layout->length = layout->shdrs + (head->nsections + 2) * sizeof(Elf64_Shdr);
}

static void write_headers(struct pack_image *image, Elf *main, const struct layout *layout)
{
	const struct image_head *head = image->head;
	Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(image->bytes + layout->shdrs);
	Elf64_Phdr *programs = (Elf64_Phdr *)(void *)(image->bytes + layout->phdrs);
	uint32_t name = 1;

	*(Elf64_Ehdr *)(void *)image->bytes = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = (Elf64_Half)head->type,
		.e_machine = (Elf64_Half)head->machine,
		.e_version = EV_CURRENT,
		.e_phoff = layout->nphdrs ? layout->phdrs : 0,
		.e_shoff = layout->shdrs,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (Elf64_Half)layout->nphdrs,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(head->nsections + 2),
		.e_shstrndx = (Elf64_Half)(head->nsections + 1),
	};
	for (size_t i = 0; i < layout->nphdrs; i++) {
		GElf_Phdr program;

		if (gelf_getphdr(main, (int)i, &program))
			programs[i] = program;
	}
	for (uint64_t i = 0; i < head->nsections; i++) {
		const struct section *section = &head->sections[i];

		sections[i + 1] = (Elf64_Shdr){
			.sh_name = name,
			.sh_type = (Elf64_Word)section->type,
			.sh_flags = section->flags,
			.sh_addr = section->address,
			.sh_offset = section->offset,
			.sh_size = section->size,
			.sh_link = (Elf64_Word)section->link,
			.sh_info = (Elf64_Word)section->info,
			.sh_addralign = section->align,
			.sh_entsize = section->entry,
		};
		name += (uint32_t)strlen(section->name) + 1;
	}
	sections[head->nsections + 1] = (Elf64_Shdr){
		.sh_name = name, .sh_type = SHT_STRTAB, .sh_offset = layout->strings,
		.sh_size = layout->names.length, .sh_addralign = 1,
	};
	memcpy(image->bytes + layout->strings, layout->names.data, layout->names.length);
}

static bool map_file(struct pack_image *image, uint64_t length)
{
	image->fd = memfd_create("pack", MFD_CLOEXEC);
	image->length = length;
	if (image->fd < 0 || ftruncate(image->fd, (off_t)length))
		return false;
	image->bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, image->fd, 0);
	if (image->bytes == MAP_FAILED)
		image->bytes = NULL;
	return image->bytes;
}

struct section *image_section(const struct pack_image *image, const char *name)
{
	struct image_head *head = image->head;

	for (uint64_t i = 0; i < head->nsections; i++)
		if (!strcmp(head->sections[i].name, name) && head->sections[i].type != SHT_NOBITS)
			return &head->sections[i];
	return NULL;
}

static bool fill_section(struct pack_image *image, const struct section *section)
{
	return !section->stream || section->type == SHT_NOBITS || !section->size ||
	       part_read_to(image->pack, &image->head->streams[section->stream - 1],
			    image->bytes + section->offset);
}

/* Call frame information is large, and most questions don't need it. */
static bool is_for_later(const struct section *section)
{
	return !strcmp(section->name, ".debug_frame");
}

static struct error *fill_sections(struct arena *arena, struct pack_image *image)
{
	const struct image_head *head = image->head;

	for (uint64_t i = 0; i < head->nsections; i++) {
		const struct section *section = &head->sections[i];

		if (!is_for_later(section) && !fill_section(image, section))
			return pack_damaged(arena, image->pack);
	}
	return NULL;
}

/* Whether the probed file has symbols itself: then those of the pack aren't read. */
static bool has_symbols(Elf *main)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(main, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static void leave_symbols_out(struct image_head *head)
{
	for (uint64_t i = 0; i < head->nsections; i++)
		if (head->sections[i].type == SHT_SYMTAB) {
			head->sections[i].type = SHT_NOBITS;
			if (head->sections[i].link && head->sections[i].link <= head->nsections)
				head->sections[head->sections[i].link - 1].type = SHT_NOBITS;
		}
}

static struct error *make_image(struct arena *arena, struct pack_image *image, Elf *main)
{
	struct layout layout = {0};
	struct error *error;

	if (image->head->type != ET_REL && has_symbols(main))
		leave_symbols_out(image->head);
	lay_out(image, main, &layout);
	if (map_file(image, layout.length)) {
		write_headers(image, main, &layout);
		error = fill_sections(arena, image);
		if (!error && image->head->counts[GROUP_UNITS] && !units_open(image))
			error = pack_damaged(arena, image->pack);
	} else {
		error = error_errno(arena, errno, "no memory for the pack '%s'", image->pack->path);
	}
	strbuf_deinit(&layout.names);
	return error;
}

struct error *pack_image_open(struct arena *arena, struct pack *pack, const char *build_id,
			      Elf *main, struct pack_image **ret)
{
	struct pack_image *image = arena_new(arena, struct pack_image);
	struct error *error;

	if (pack->length > LARGE_PACK)
		memory_expect(EXPECTED);
	image->pack = pack;
	image->arena = arena;
	image->fd = -1;
	for (unsigned i = 0; i < pack->nimages && !image->head; i++)
		if (!strcmp(pack->images[i].build_id, build_id))
			image->head = &pack->images[i];
	error = make_image(arena, image, main);
	if (error)
		pack_image_close(image);
	else
		*ret = image;
	return error;
}

void pack_image_close(struct pack_image *image)
{
	units_close(image);
	frames_close(image);
	if (image->bytes)
		munmap(image->bytes, image->length);
	if (image->fd >= 0)
		close(image->fd);
	image->bytes = NULL;
	image->fd = -1;
}

const char *const *pack_only(const struct pack_image *image, unsigned *count)
{
	*count = (unsigned)image->head->nonly;
	return image->head->only;
}

int pack_image_fd(const struct pack_image *image)
{
	return fcntl(image->fd, F_DUPFD_CLOEXEC, 0);
}
