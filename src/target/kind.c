// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says whether a file is what its option names: a program, a kernel or a module. All are ELF files,
 * so a program that is named as a kernel would be resolved and mean nothing.
 */
#include <string.h>

#include "base/error.h"
#include "target/internal.h"

/* Whether it is a separate debug file, which has the addresses but none of the code. */
static bool is_hollow(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
		    header.sh_type == SHT_NOBITS && header.sh_size)
			return true;
	return false;
}

/* A kernel is linked to the upper half of the addresses, where no program can be. */
static bool is_kernel(Elf *elf)
{
	GElf_Phdr segment;
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
		    segment.p_vaddr >> 63)
			return true;
	return false;
}

/* A module is an object file with what the kernel links into its list, which its debug file names
 * too. */
static bool is_module(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name)
						      : NULL;
		if (name && !strcmp(name, ".gnu.linkonce.this_module"))
			return true;
	}
	return false;
}

static const char *other_option(int type, Elf *elf)
{
	if (type == ET_REL)
		return is_module(elf) ? "a kernel module is named by -m"
				      : "it is an object file; name the program that it is linked "
					"into: -x PROGRAM";
	if (type == ET_CORE)
		return "it is a core file; name the program that left it: -x PROGRAM (file(1) says "
		       "which)";
	return is_kernel(elf) ? "a kernel is named by -k" : "a program is named by -x";
}

static struct error *check_program(struct arena *arena, const char *path, int type, Elf *elf)
{
	if ((type != ET_EXEC && type != ET_DYN) || is_kernel(elf))
		return error_hint(arena,
				  error_new(arena, ERROR_NOT_FOUND,
					    "'%s' is neither a program nor a shared library",
					    path),
				  "%s", other_option(type, elf));
	if (is_hollow(elf))
		return error_hint(
			arena,
			error_new(arena, ERROR_NOT_FOUND, "'%s' holds debug information only",
				  path),
			"name the program itself: its debug file is found by its build-id");
	return NULL;
}

static struct error *check_kind(const struct target *target)
{
	struct arena *arena = target->arena;
	Elf *elf = main_elf(target);
	GElf_Ehdr ehdr;
	int type = gelf_getehdr(elf, &ehdr) ? ehdr.e_type : ET_NONE;

	if (target->kind == TARGET_PROGRAM)
		return check_program(arena, target->path, type, elf);
	if (target->kind == TARGET_MODULE ? type == ET_REL && is_module(elf) : is_kernel(elf))
		return NULL;
	return error_hint(arena,
			  error_new(arena, ERROR_NOT_FOUND, "'%s' isn't a kernel%s", target->path,
				    target->kind == TARGET_MODULE ? " module" : ""),
			  "%s", other_option(type, elf));
}

struct error *target_open_named(struct arena *arena, enum target_kind kind, const char *path,
				const struct target_places *places, struct target **ret)
{
	struct target *target;
	struct error *error = target_open_file(arena, kind, path, places, &target);

	if (error)
		return error;
	error = check_kind(target);
	if (error)
		target_close(target);
	else
		*ret = target;
	return error;
}
