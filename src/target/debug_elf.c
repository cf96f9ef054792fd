// SPDX-License-Identifier: GPL-2.0-only
/* Gives the ELF file that has a target's debug information, as it is on disk: libdwfl's own is
 * relocated. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "target/internal.h"

static bool has_dwarf(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (!elf || elf_getshdrstrndx(elf, &strings))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ?
					   elf_strptr(elf, strings, header.sh_name) :
					   NULL;

		if (name && header.sh_type != SHT_NOBITS &&
		    (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			return true;
	}
	return false;
}

static struct error *open_separate(struct arena *arena, struct target *target, Elf **ret)
{
	const char *path = NULL;
	GElf_Addr bias;
	int fd;

	if (!dwfl_module_getdwarf(target->dwfl_module, &bias))
		return error_hint(arena,
				  error_new(arena, ERROR_NO_DEBUGINFO,
					    "no debug information in '%s'", target->path),
				  "install its debug package: build-id %s",
				  target->build_id ?: "none");
	dwfl_module_info(target->dwfl_module, NULL, NULL, NULL, NULL, NULL, NULL, &path);
	path = target->fetched ?: path;
	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	*ret = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (fd >= 0 && *ret)
		elf_cntl(*ret, ELF_C_FDREAD);
	if (fd >= 0)
		close(fd);
	return *ret ? NULL :
		      error_new(arena, ERROR_NO_DEBUGINFO, "can't read the debug file of '%s'",
				target->path);
}

struct error *target_debug_elf(struct arena *arena, struct target *target, struct Elf **ret)
{
	GElf_Addr bias;

	*ret = dwfl_module_getelf(target->dwfl_module, &bias);
	return has_dwarf(*ret) ? NULL : open_separate(arena, target, ret);
}
