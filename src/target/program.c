// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path or a bare name in, a program or shared library out, with what its dynamic symbols add and
 * where in the file an address is. A uprobe is placed by file offset alone, and the kernel checks
 * neither that there is code nor that the file is that long: so it is done here.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "target/internal.h"
#include "target/library.h"

static Elf *main_elf(const struct target *target)
{
	GElf_Addr bias;

	return dwfl_module_getelf(target->dwfl_module, &bias);
}

static Elf_Scn *typed_section(Elf *elf, unsigned type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	return NULL;
}

size_t dynamic_count(const struct target *target)
{
	GElf_Shdr header;

	if (!typed_section(main_elf(target), SHT_DYNSYM, &header) || !header.sh_entsize)
		return 0;
	return header.sh_size / header.sh_entsize;
}

const char *plain_version(struct arena *arena, const char *name)
{
	const char *at = strstr(name, "@@");

	return at ? arena_strndup(arena, name, (size_t)(at - name)) : name;
}

/* The name of a version that this file defines; NULL: none. */
static const char *version_name(Elf *elf, unsigned index)
{
	GElf_Shdr header;
	Elf_Scn *section = typed_section(elf, SHT_GNU_verdef, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Verdef verdef;
	GElf_Verdaux aux;

	for (int at = 0; data && gelf_getverdef(data, at, &verdef); at += (int)verdef.vd_next) {
		if (verdef.vd_ndx == index && gelf_getverdaux(data, at + (int)verdef.vd_aux, &aux))
			return elf_strptr(elf, header.sh_link, aux.vda_name);
		if (!verdef.vd_next)
			break;
	}
	return NULL;
}

/* Of several versions of a name, the default one has the name alone. */
static const char *versioned(struct arena *arena, Elf *elf, Elf_Data *versions, int index,
			     const char *name)
{
	const char *version;
	GElf_Versym versym;

	if (!versions || !gelf_getversym(versions, index, &versym) || !(versym & 0x8000))
		return name;
	version = version_name(elf, versym & 0x7fff);
	return version ? arena_printf(arena, "%s@%s", name, version) : name;
}

const char *target_default_version(const struct target *target, const char *name)
{
	Elf *elf = main_elf(target);
	GElf_Shdr header, version_header;
	Elf_Scn *section = typed_section(elf, SHT_DYNSYM, &header);
	Elf_Scn *version_section = typed_section(elf, SHT_GNU_versym, &version_header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	Elf_Data *versions = version_section ? elf_getdata(version_section, NULL) : NULL;
	GElf_Versym versym;
	GElf_Sym sym;

	for (int i = 1; versions && data && (size_t)i < dynamic_count(target) &&
	     gelf_getsym(data, i, &sym); i++)
		if (sym.st_shndx != SHN_UNDEF && gelf_getversym(versions, i, &versym) &&
		    !(versym & 0x8000) && !strcmp(elf_strptr(elf, header.sh_link, sym.st_name) ?: "", name))
			return version_name(elf, versym);
	return NULL;
}

size_t read_dynamic(struct arena *arena, const struct target *target, struct symbol *ret)
{
	Elf *elf = main_elf(target);
	GElf_Shdr header, version_header;
	Elf_Scn *section = typed_section(elf, SHT_DYNSYM, &header);
	Elf_Scn *version_section = typed_section(elf, SHT_GNU_versym, &version_header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	Elf_Data *versions = version_section ? elf_getdata(version_section, NULL) : NULL;
	size_t count = 0;
	GElf_Sym sym;

	for (int i = 1; data && (size_t)i < dynamic_count(target) && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, header.sh_link, sym.st_name);
		int type = GELF_ST_TYPE(sym.st_info);

		if (!name || !*name || sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
			continue;
		ret[count++] = (struct symbol){
			.name = versioned(arena, elf, versions, i, name),
			.address = sym.st_value,
			.size = sym.st_size,
			.section = sym.st_shndx,
			.is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
			.is_global = true,
			.is_resolver = type == STT_GNU_IFUNC,
		};
	}
	return count;
}

struct error *target_file_offset(struct arena *arena, const struct target *target, uint64_t address,
				 uint64_t *ret)
{
	Elf *elf = main_elf(target);
	GElf_Phdr segment;
	size_t count, size;

	if (elf_getphdrnum(elf, &count) || !elf_rawfile(elf, &size))
		return error_new(arena, ERROR_SYSTEM, "can't read '%s'", target->path);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*ret = segment.p_offset + (address - segment.p_vaddr);
		if (*ret < size)
			return NULL;
		return error_new(arena, ERROR_NOT_FOUND, "'%s' ends before address %#llx: it was cut "
				 "off", target->path, (unsigned long long)address);
	}
	return error_new(arena, ERROR_NOT_FOUND, "address %#llx is in no executable part of '%s'",
			 (unsigned long long)address, target->path);
}

bool target_offset_address(const struct target *target, uint64_t offset, uint64_t *ret)
{
	Elf *elf = main_elf(target);
	GElf_Phdr segment;
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || offset < segment.p_offset ||
		    offset - segment.p_offset >= segment.p_filesz)
			continue;
		*ret = segment.p_vaddr + (offset - segment.p_offset);
		return true;
	}
	return false;
}

static bool is_program_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

static const char *search_path(struct arena *arena, const char *name)
{
	const char *path = getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin";

	while (*path) {
		size_t length = strcspn(path, ":");
		const char *file = arena_printf(arena, "%.*s/%s", (int)length, path, name);

		if (length && is_program_file(file))
			return file;
		path += length + (path[length] == ':');
	}
	return NULL;
}

static struct error *find_program(struct arena *arena, const char *name, const char **ret)
{
	struct error *error;

	*ret = strchr(name, '/') ? name : search_path(arena, name);
	if (!*ret)
		*ret = library_find(arena, name);
	if (*ret)
		return NULL;
	error = error_new(arena, ERROR_NOT_FOUND, "no program or library '%s'", name);
	if (!access(name, F_OK))
		return error_hint(arena, error, "did you mean the file here: -x ./%s", name);
	return error_hint(arena, error, "it is neither in $PATH nor where libraries are; give its "
			  "path: -x PATH/%s", name);
}

/* The path as a definition must have it, which another process will look up: without links. */
static struct error *real_path(struct arena *arena, const char *path, const char **ret)
{
	struct stat given, found;
	char real[PATH_MAX];

	if (stat(path, &given))
		return error_errno(arena, errno, "can't read '%s'", path);
	if (S_ISDIR(given.st_mode))
		return error_new(arena, ERROR_NOT_FOUND, "'%s' is a directory, no program", path);
	if (!S_ISREG(given.st_mode))
		return error_new(arena, ERROR_NOT_FOUND, "'%s' is no regular file", path);
	if (!realpath(path, real) || stat(real, &found) || given.st_dev != found.st_dev ||
	    given.st_ino != found.st_ino)
		return error_hint(arena, error_new(arena, ERROR_NOT_FOUND, "the file behind '%s' has "
						   "no path here", path),
				  "it was deleted or replaced, or belongs to another mount namespace");
	*ret = arena_strdup(arena, real);
	if (real[strcspn(real, " \t\n\v\f\r")])
		return error_hint(arena, error_new(arena, ERROR_LIMIT, "the kernel takes no path with "
						   "blanks: '%s'", real),
				  "give the file a second name: ln, not ln -s");
	return NULL;
}

static struct error *check_magic(struct arena *arena, const char *path)
{
	char magic[EI_NIDENT] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, magic, sizeof(magic));
	int err = errno;

	if (fd >= 0)
		close(fd);
	if (length < 0)
		return error_errno(arena, err, "can't read '%s'", path);
	if (length > 2 && !strncmp(magic, "#!", 2))
		return error_hint(arena, error_new(arena, ERROR_NOT_FOUND, "'%s' is a script", path),
				  "what can be probed is the interpreter its first line names");
	if (length < EI_NIDENT || memcmp(magic, ELFMAG, SELFMAG))
		return error_new(arena, ERROR_NOT_FOUND, "'%s' is no ELF file", path);
	if (magic[EI_CLASS] != ELFCLASS64)
		return error_new(arena, ERROR_NO_DEBUGINFO, "'%s' is no 64-bit program", path);
	return NULL;
}

/* A separate debug file has the addresses, but none of the code. */
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

static struct error *check_kind(struct arena *arena, const struct target *target)
{
	GElf_Ehdr ehdr;

	if (!gelf_getehdr(main_elf(target), &ehdr) ||
	    (ehdr.e_type != ET_EXEC && ehdr.e_type != ET_DYN))
		return error_hint(arena, error_new(arena, ERROR_NOT_FOUND, "'%s' is neither a program "
						   "nor a shared library", target->path),
				  ehdr.e_type == ET_REL ? "a kernel module is named by -m" :
				  "name the program itself");
	if (is_hollow(main_elf(target)))
		return error_hint(arena, error_new(arena, ERROR_NOT_FOUND, "'%s' holds debug "
						   "information only", target->path),
				  "name the program itself: its debug file is found by its build-id");
	return NULL;
}

struct error *target_open_program(struct arena *arena, const char *name, struct target **ret)
{
	struct target *target = NULL;
	const char *path;
	struct error *error = find_program(arena, name, &path);

	if (!error)
		error = real_path(arena, path, &path);
	if (!error)
		error = check_magic(arena, path);
	if (!error)
		error = target_open_file(arena, TARGET_PROGRAM, path, &target);
	if (error)
		return error;
	error = check_kind(arena, target);
	if (error)
		target_close(target);
	else
		*ret = target;
	return error;
}
