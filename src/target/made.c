// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes ELF files: one of the few sections that are known of a kernel, and one that is another with
 * symbols added. All that is asked of a target can then be asked of it as of any vmlinux.
 *
 * The surprise: the sections of the other file stay where they are; new ones go behind its end, and
 * only its list of sections is written anew.
 */
#include <string.h>

#include "base/strbuf.h"
#include "target/stock.h"

/* Appends bytes, aligned to 8; returns where they are. */
static size_t append(struct strbuf *image, const void *data, size_t length)
{
	static const char zeros[8];
	size_t at;

	strbuf_add(image, zeros, -image->length & 7);
	at = image->length;
	strbuf_add(image, data, length);
	return at;
}

static uint32_t append_name(struct strbuf *names, const char *name)
{
	size_t at = names->length;

	strbuf_add(names, name, strlen(name) + 1);
	return (uint32_t)at;
}

static void append_header(struct strbuf *list, Elf64_Shdr header)
{
	strbuf_add(list, &header, sizeof(header));
}

static void append_strings(struct strbuf *image, struct strbuf *list, uint32_t name,
			   const struct strbuf *strings)
{
	append_header(list, (Elf64_Shdr){
		.sh_name = name,
		.sh_type = SHT_STRTAB,
		.sh_offset = append(image, strings->data, strings->length),
		.sh_size = strings->length,
		.sh_addralign = 1,
	});
}

static void append_section(struct strbuf *image, struct strbuf *list, struct strbuf *names,
			   const struct made_section *section)
{
	append_header(
		list,
		(Elf64_Shdr){
			.sh_name = append_name(names, section->name),
			.sh_type = section->data ? SHT_PROGBITS : SHT_NOBITS,
			.sh_flags = section->data ? 0 :
						    SHF_ALLOC | (section->is_code ? SHF_EXECINSTR :
										    SHF_WRITE),
			.sh_addr = section->address,
			.sh_offset =
				section->data ? append(image, section->data, section->size) : 0,
			.sh_size = section->size,
			.sh_addralign = 1,
		});
}

/* The end of the last section that has no bytes: those are the kernel's memory. */
static uint64_t memory_end(const struct made_section *sections, unsigned count)
{
	uint64_t end = sections[0].address;

	for (unsigned i = 0; i < count; i++)
		if (!sections[i].data && sections[i].address + sections[i].size > end)
			end = sections[i].address + sections[i].size;
	return end;
}

void *make_elf(const struct made_section *sections, unsigned count, size_t *length)
{
	struct strbuf image = {0}, list = {0}, names = {0};
	uint64_t first = sections[0].address;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
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
	Elf64_Phdr load = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = first, .p_align = 4096,
		.p_memsz = memory_end(sections, count) - first,
	};

	append(&image, &header, sizeof(header)); /* e_shoff isn't known yet */
	append(&image, &load, sizeof(load));
	append_name(&names, "");
	append_header(&list, (Elf64_Shdr){0});
	for (unsigned i = 0; i < count; i++)
		append_section(&image, &list, &names, &sections[i]);
	append_strings(&image, &list, append_name(&names, ".shstrtab"), &names);
	header.e_shoff = append(&image, list.data, list.length);
	memcpy(image.data, &header, sizeof(header));
	strbuf_deinit(&names);
	strbuf_deinit(&list);
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
static uint64_t end_of(const struct made_symbol *symbols, size_t count, size_t index,
		       const Elf64_Shdr *section)
{
	uint64_t end = section->sh_addr + section->sh_size;
	size_t next = index + 1;

	while (next < count && symbols[next].address == symbols[index].address)
		next++;
	return next < count && symbols[next].address < end ? symbols[next].address : end;
}

static void append_symbols(struct strbuf *table, struct strbuf *names, const Elf64_Shdr *sections,
			   unsigned nsections, const struct made_symbol *symbols, size_t count)
{
	unsigned section = SHN_ABS;

	append(table, &(Elf64_Sym){0}, sizeof(Elf64_Sym));
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
					    is_code || section == SHN_ABS  ? STT_NOTYPE :
									     STT_OBJECT);
		if (section != SHN_ABS && (symbol->is_function || !is_code))
			sym.st_size =
				end_of(symbols, count, i, &sections[section]) - symbol->address;
		append(table, &sym, sizeof(sym));
	}
}

/* A file has one table of symbols. */
static void drop_symbols(struct strbuf *list)
{
	Elf64_Shdr *sections = (Elf64_Shdr *)(void *)list->data;

	for (size_t i = 0; i < list->length / sizeof(*sections); i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			sections[i].sh_type = SHT_NULL;
}

void *make_with_symbols(const void *file, size_t length, const struct made_symbol *symbols,
			size_t count, size_t *ret_length)
{
	unsigned nsections = 0;
	const Elf64_Shdr *old = image_sections(file, length, &nsections);
	struct strbuf image = {0}, list = {0}, table = {0}, names = {0};
	Elf64_Ehdr header;

	if (!old || !nsections || nsections > SHN_LORESERVE - 3)
		return NULL;
	strbuf_add(&list, old, nsections * sizeof(*old));
	drop_symbols(&list);
	append(&image, file, length);
	append_symbols(&table, &names, old, nsections, symbols, count);
	append_header(&list, (Elf64_Shdr){
		.sh_type = SHT_SYMTAB,
		.sh_offset = append(&image, table.data, table.length),
		.sh_size = table.length,
		.sh_link = nsections + 1,
		.sh_info = 1,
		.sh_addralign = 8,
		.sh_entsize = sizeof(Elf64_Sym),
	});
	append_strings(&image, &list, 0, &names);
	memcpy(&header, file, sizeof(header));
	header.e_shnum = (Elf64_Half)(nsections + 2);
	header.e_shoff = append(&image, list.data, list.length);
	memcpy(image.data, &header, sizeof(header));
	strbuf_deinit(&table);
	strbuf_deinit(&names);
	strbuf_deinit(&list);
	*ret_length = image.length;
	return image.data;
}
