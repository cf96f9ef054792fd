// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path in; an open ELF file with its symbols sorted by address out. libdwfl is used for both
 * kinds of file: it uncompresses .ko.xz, finds separate debug files and relocates the debug
 * sections of an ET_REL module, whose sections it lays out at addresses of its own.
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "target/internal.h"

static bool has_prefix(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* Mapping symbols, section names and compiler labels are in no kallsyms; what EXPORT_SYMBOL() leaves
 * (a third of a kernel's symbols) nobody means. */
static bool is_named(const char *name, int type)
{
	if (!name || !*name || type == STT_SECTION || type == STT_FILE || *name == '$')
		return false;
	if (name[0] == '.')
		return name[1] != 'L';
	return name[0] != '_' || name[1] != '_' ||
	       (!has_prefix(name, "__kstrtab") && !has_prefix(name, "__ksymtab_") &&
		!has_prefix(name, "__crc_"));
}

void target_read_symbols(struct arena *arena, struct target *target)
{
	bool is_program = target->kind == TARGET_PROGRAM;
	int count;

	if (target->names)
		return;
	open_names(arena, target);
	count = dwfl_module_getsymtab(target->dwfl_module);
	if (count <= 0 && !is_program)
		return;
	count = count < 0 ? 0 : count;
	target->symbols = arena_array(arena, struct symbol, (size_t)count +
				      (is_program ? dynamic_count(target) : 0) + 1);
	target->externs = arena_array(arena, const char *, (size_t)count + 1);
	target->externs[target->nexterns++] = "";
	for (int i = 0; i < count; i++) {
		struct symbol *symbol = &target->symbols[target->nsymbols];
		GElf_Word section = 0;
		GElf_Addr address;
		GElf_Sym sym;
		const char *name = dwfl_module_getsym_info(target->dwfl_module, i, &sym, &address,
							   &section, NULL, NULL);
		int type = GELF_ST_TYPE(sym.st_info);

		if (!is_named(name, type))
			continue;
		if (sym.st_shndx == SHN_UNDEF) {
			target->externs[target->nexterns++] = name;
			continue;
		}
		symbol->name = is_program ? plain_version(arena, name) : name;
		symbol->address = address;
		symbol->size = sym.st_size;
		symbol->section = section == SHN_ABS ? 0 : section;
		symbol->is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
		symbol->is_global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		symbol->is_resolver = type == STT_GNU_IFUNC;
		target->nsymbols++;
	}
	if (is_program)
		read_dynamic(arena, target);
	sort_symbols(target);
	if (is_program)
		drop_twins(target);
}

static void read_build_id(struct arena *arena, struct target *target)
{
	const unsigned char *bits;
	GElf_Addr address;
	int length = dwfl_module_build_id(target->dwfl_module, &bits, &address);
	char *text;

	if (length <= 0)
		return;
	text = arena_alloc(arena, (size_t)length * 2 + 1);
	for (int i = 0; i < length; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	target->build_id = text;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static struct error *cannot_read(struct arena *arena, const char *path)
{
	struct error *error = error_new(arena, ERROR_NO_DEBUGINFO, "can't read '%s': %s", path,
					dwfl_errmsg(-1));
	size_t length = strlen(path);

	/* elfutils may be built without, as Debian 12's is */
	if (length < 4 || strcmp(path + length - 4, ".zst"))
		return error;
	return error_hint(arena, error, "unpack it first: zstd -d '%s'", path);
}

static struct error *open_elf(struct arena *arena, const char *path, struct target *target)
{
	GElf_Addr bias;
	GElf_Ehdr ehdr;
	Elf *elf;

	target->dwfl = dwfl_begin(&callbacks);
	if (!target->dwfl)
		return error_new(arena, ERROR_SYSTEM, "libdw: %s", dwfl_errmsg(-1));
	dwfl_report_begin(target->dwfl);
	/* a program keeps its own addresses; dwfl_report_offline() would move a PIE */
	target->dwfl_module = target->kind == TARGET_PROGRAM ?
		dwfl_report_elf(target->dwfl, path, path, -1, 0, true) :
		dwfl_report_offline(target->dwfl, "", path, -1);
	dwfl_report_end(target->dwfl, NULL, NULL);
	if (!target->dwfl_module)
		return cannot_read(arena, path);
	elf = dwfl_module_getelf(target->dwfl_module, &bias);
	if (!elf || !gelf_getehdr(elf, &ehdr))
		return cannot_read(arena, path);
	target->machine = ehdr.e_machine;
	target->is_relocatable = ehdr.e_type == ET_REL;
	target->is_fixed = ehdr.e_type == ET_EXEC;
	return NULL;
}

struct error *target_open_file(struct arena *arena, enum target_kind kind, const char *path,
			       struct target **ret)
{
	struct target *target = arena_new(arena, struct target);
	struct error *error;

	target->arena = arena;
	target->kind = kind;
	target->path = path;
	error = open_elf(arena, path, target);
	if (error) {
		target_close(target);
		return error;
	}
	read_build_id(arena, target);
	if (kind != TARGET_KERNEL)
		target_read_symbols(arena, target);
	*ret = target;
	return NULL;
}

void target_close(struct target *target)
{
	if (target && target->kernel_side)
		target_close(target->kernel_side->target);
	if (target && target->dwfl)
		dwfl_end(target->dwfl);
}
