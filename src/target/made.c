// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes ELF files: one of the few sections that are known of a kernel, and one that is another with
 * symbols added. All that is asked of a target can then be asked of it as of any vmlinux.
 *
 * The surprise: the sections of the other file stay where they are; new ones go behind its end, and
 * only its list of sections is written anew.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "target/stock.h"

struct image {
	uint8_t *data;
	size_t length;
	size_t room;
};

/* Appends bytes (data NULL: zeros), aligned to 8; returns where they are. */
static size_t append(struct image *image, const void *data, size_t length)
{
	size_t at = (image->length + 7) & ~(size_t)7;

	if (at + length > image->room) {
		image->room = (at + length) * 2;
		image->data = realloc(image->data, image->room);
		if (!image->data)
			abort(); /* as in an arena: out of memory */
	}
	memset(image->data + image->length, 0, at - image->length);
	if (data)
		memcpy(image->data + at, data, length);
	else
		memset(image->data + at, 0, length);
	image->length = at + length;
	return at;
}

static uint32_t append_name(struct image *names, const char *name)
{
	size_t length = strlen(name) + 1, at = names->length;

	/* names aren't aligned */
	append(names, NULL, length + 8);
	memcpy(names->data + at, name, length);
	names->length = at + length;
	return (uint32_t)at;
}

static const Elf64_Shdr *sections_of(const void *file, size_t length, unsigned *count)
{
	const Elf64_Ehdr *header = file;

	if (length < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > length || header->e_shoff % 8 ||
	    header->e_shnum > (length - header->e_shoff) / sizeof(Elf64_Shdr) ||
	    header->e_shstrndx >= header->e_shnum)
		return NULL;
	*count = header->e_shnum;
	return (const Elf64_Shdr *)((const uint8_t *)file + header->e_shoff);
}

/* A section's name; "" when it isn't in the file. */
static const char *name_of(const void *file, size_t length, const Elf64_Shdr *sections, unsigned index)
{
	const Elf64_Shdr *strings = &sections[((const Elf64_Ehdr *)file)->e_shstrndx];
	size_t at = sections[index].sh_name;

	if (strings->sh_offset > length || strings->sh_size > length - strings->sh_offset || at >= strings->sh_size ||
	    !memchr((const char *)file + strings->sh_offset + at, '\0', strings->sh_size - at))
		return "";
	return (const char *)file + strings->sh_offset + at;
}

bool find_section(const void *file, size_t length, const char *name, struct made_section *ret)
{
	unsigned count = 0;
	const Elf64_Shdr *sections = sections_of(file, length, &count);

	for (unsigned i = 0; i < count; i++)
		if (!strcmp(name_of(file, length, sections, i), name)) {
			bool has_data = sections[i].sh_type != SHT_NOBITS && sections[i].sh_offset <= length &&
					sections[i].sh_size <= length - sections[i].sh_offset;

			*ret = (struct made_section){
				.name = name,
				.address = sections[i].sh_addr,
				.size = sections[i].sh_size,
				.data = has_data ? (const uint8_t *)file + sections[i].sh_offset : NULL,
			};
			return true;
		}
	return false;
}

void *make_elf(const struct made_section *sections, unsigned count, size_t *length)
{
	struct image image = {0}, names = {0};
	size_t headers = (count + 2) * sizeof(Elf64_Shdr), at;
	Elf64_Shdr *list = calloc(1, headers);
	uint64_t first = sections[0].address, end = first;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(count + 2),
		.e_shstrndx = (Elf64_Half)(count + 1),
	};
	Elf64_Phdr load = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = first, .p_align = 4096};

	if (!list)
		abort();
	append(&image, &header, sizeof(header));
	append(&image, &load, sizeof(load));
	append_name(&names, "");
	for (unsigned i = 0; i < count; i++) {
		const struct made_section *section = &sections[i];

		list[i + 1] = (Elf64_Shdr){
			.sh_name = append_name(&names, section->name),
			.sh_type = section->data ? SHT_PROGBITS : SHT_NOBITS,
			.sh_flags = section->data ? 0 : SHF_ALLOC | (section->is_code ? SHF_EXECINSTR : SHF_WRITE),
			.sh_addr = section->address,
			.sh_offset = section->data ? append(&image, section->data, section->size) : 0,
			.sh_size = section->size,
			.sh_addralign = 1,
		};
		if (!section->data && section->address + section->size > end)
			end = section->address + section->size;
	}
	list[count + 1] = (Elf64_Shdr){
		.sh_name = append_name(&names, ".shstrtab"),
		.sh_type = SHT_STRTAB,
		.sh_size = names.length,
		.sh_addralign = 1,
	};
	list[count + 1].sh_offset = append(&image, names.data, names.length);
	at = append(&image, list, headers);
	((Elf64_Ehdr *)image.data)->e_shoff = at;
	((Elf64_Phdr *)(image.data + sizeof(header)))->p_memsz = end - first;
	free(names.data);
	free(list);
	*length = image.length;
	return image.data;
}

/* The section that an address is in; SHN_ABS when it is in none. */
static unsigned section_at(const Elf64_Shdr *sections, unsigned count, uint64_t address)
{
	for (unsigned i = 1; i < count; i++)
		if (sections[i].sh_flags & SHF_ALLOC && address >= sections[i].sh_addr &&
		    address - sections[i].sh_addr < sections[i].sh_size)
			return i;
	return SHN_ABS;
}

/* A symbol ends where the next one begins, or its section does. */
static uint64_t end_of(const struct made_symbol *symbols, size_t count, size_t index, const Elf64_Shdr *section)
{
	uint64_t end = section->sh_addr + section->sh_size;
	size_t next = index + 1;

	while (next < count && symbols[next].address == symbols[index].address)
		next++;
	return next < count && symbols[next].address < end ? symbols[next].address : end;
}

static void append_symbols(struct image *table, struct image *names, const Elf64_Shdr *sections, unsigned nsections,
			   const struct made_symbol *symbols, size_t count)
{
	unsigned section = SHN_ABS;

	append(table, NULL, sizeof(Elf64_Sym));
	append_name(names, "");
	for (size_t i = 0; i < count; i++) {
		const struct made_symbol *symbol = &symbols[i];
		bool is_code;
		Elf64_Sym sym = {.st_value = symbol->address};

		if (!i || symbol->address != symbols[i - 1].address)
			section = section_at(sections, nsections, symbol->address);
		is_code = section != SHN_ABS && sections[section].sh_flags & SHF_EXECINSTR;
		sym.st_name = append_name(names, symbol->name);
		sym.st_shndx = (Elf64_Half)section;
		sym.st_info = ELF64_ST_INFO(symbol->is_global ? STB_GLOBAL : STB_LOCAL,
					    is_code && symbol->is_function ? STT_FUNC :
					    is_code || section == SHN_ABS ? STT_NOTYPE : STT_OBJECT);
		if (section != SHN_ABS && (symbol->is_function || !is_code))
			sym.st_size = end_of(symbols, count, i, &sections[section]) - symbol->address;
		append(table, &sym, sizeof(sym));
	}
}

void *make_with_symbols(const void *file, size_t length, const struct made_symbol *symbols, size_t count,
			size_t *ret_length)
{
	unsigned nsections = 0;
	const Elf64_Shdr *old = sections_of(file, length, &nsections);
	struct image image = {0}, table = {0}, names = {0};
	Elf64_Shdr *list;
	Elf64_Ehdr *header;

	if (!old || !nsections || nsections > SHN_LORESERVE - 3)
		return NULL;
	list = calloc(nsections + 2, sizeof(*list));
	if (!list)
		abort();
	memcpy(list, old, nsections * sizeof(*list));
	for (unsigned i = 0; i < nsections; i++)
		if (list[i].sh_type == SHT_SYMTAB)
			list[i].sh_type = SHT_NULL;
	append(&image, file, length);
	append_symbols(&table, &names, list, nsections, symbols, count);
	list[nsections] = (Elf64_Shdr){
		.sh_type = SHT_SYMTAB,
		.sh_offset = append(&image, table.data, table.length),
		.sh_size = table.length,
		.sh_link = nsections + 1,
		.sh_info = 1,
		.sh_addralign = 8,
		.sh_entsize = sizeof(Elf64_Sym),
	};
	list[nsections + 1] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = append(&image, names.data, names.length),
		.sh_size = names.length,
		.sh_addralign = 1,
	};
	header = (Elf64_Ehdr *)image.data;
	header->e_shnum = (Elf64_Half)(nsections + 2);
	append(&image, list, (nsections + 2) * sizeof(*list));
	((Elf64_Ehdr *)image.data)->e_shoff = image.length - (nsections + 2) * sizeof(*list);
	free(table.data);
	free(names.data);
	free(list);
	*ret_length = image.length;
	return image.data;
}
