// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether an ELF file can be unpacked, and how much memory reading it may need. A compressed
 * section states its unpacked size, and libelf believes up to a thousand times the packed one.
 */
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "target/debuginfod.h"
#include "target/internal.h"

#define PACKED_MIN    ((uint64_t)256 << 20)
#define PACKED_A_BYTE 32
#define PROGRAM_MIN   ((uint64_t)768 << 20) /* threads reserve much of it without using it */
#define MODULE_MIN    ((uint64_t)96 << 20)  /* just to open one unpacks it */

/* A sparse file may have any length, so only its blocks count. */
static uint64_t memory_of(const struct stat *status)
{
	uint64_t size = (uint64_t)status->st_size, held = (uint64_t)status->st_blocks * 512;

	return PACKED_A_BYTE * (held && held < size ? held : size);
}

uint64_t memory_for(enum target_kind kind, const char *path)
{
	struct stat status;

	return (kind == TARGET_PROGRAM ? PROGRAM_MIN : MODULE_MIN) +
	       (stat(path, &status) ? 0 : memory_of(&status));
}

bool can_unpack(Elf *elf)
{
	uint64_t total = 0, most;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Chdr packed;
	size_t size = 0;

	elf_rawfile(elf, &size);
	most = PACKED_A_BYTE * size > PACKED_MIN ? PACKED_A_BYTE * size : PACKED_MIN;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED &&
		    gelf_getchdr(section, &packed) &&
		    __builtin_add_overflow(total, packed.ch_size, &total))
			return false;
	return total <= most;
}

bool has_packed_debug(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Chdr packed;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED &&
		    (name = elf_strptr(elf, names, header.sh_name)) &&
		    !strcmp(name, ".debug_info"))
			return gelf_getchdr(section, &packed) &&
			       packed.ch_type != ELFCOMPRESS_ZLIB;
	return false;
}

/* Whether opening a debug file of that name, in one of the places where libdwfl looks, could block:
 * it is there, but isn't a regular file. */
static bool is_trap(const char *path, const char *link)
{
	static const char *const places[] = {"%.*s%s", "%.*s.debug/%s", "/usr/lib/debug%.*s%s"};
	const char *slash = path && link && link[0] != '/' ? strrchr(path, '/') : NULL;
	char candidate[PATH_MAX];
	struct stat status;

	if (link && link[0] == '/')
		return !stat(link, &status) && !S_ISREG(status.st_mode);
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(candidate, sizeof(candidate), places[i], (int)(slash + 1 - path), path,
			 link);
		if (!stat(candidate, &status) && !S_ISREG(status.st_mode) &&
		    !S_ISDIR(status.st_mode))
			return true;
	}
	return false;
}

int if_unpackable(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool is_good = !elf || can_unpack(elf);
	struct stat status;

	elf_end(elf);
	if (is_good && !fstat(fd, &status))
		memory_extend(memory_of(&status));
	if (is_good)
		return fd;
	close(fd);
	return -1;
}

int find_unpackable(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word checksum, char **found)
{
	int fd = is_trap(path, link) ? -1 :
		 without_fetching(module, userdata, name, base, path, link, checksum, found);

	if (fd < 0)
		return -1;
	fd = if_unpackable(fd);
	if (fd >= 0)
		return fd;
	free(*found);
	*found = NULL;
	return -1;
}
