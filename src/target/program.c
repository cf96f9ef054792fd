// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a program or shared library by path or bare name, with its dynamic symbols, and translates
 * its addresses to file offsets. A uprobe is placed by file offset alone, and the kernel checks
 * neither that code is there nor that the file is that long: so it is checked here.
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
#include "target/code.h"
#include "target/internal.h"
#include "target/library.h"
#include "target/placing.h"
#include "target/section_entries.h"
#include "target/symtab.h"

Elf *main_elf(const struct target *target)
{
	GElf_Addr bias;

	return dwfl_module_getelf(target->dwfl_module, &bias);
}

const char *plain_version(struct arena *arena, const char *name)
{
	const char *at = strstr(name, "@@");

	return at ? arena_strndup(arena, name, (size_t)(at - name)) : name;
}

#define VERSIONS 0x8000 /* as many as a symbol's 15 bits can tell apart */

/* Names of the versions that this file defines, by index. */
static const char **version_names(struct arena *arena, Elf *elf)
{
	const char **ret = arena_array(arena, const char *, VERSIONS);
	struct elf_table table;
	GElf_Verdef verdef;
	GElf_Verdaux aux;

	table_find(elf, SHT_GNU_verdef, &table);
	for (size_t at = 0; gelf_getverdef(table.data, (int)at, &verdef); ) {
		size_t name = at + verdef.vd_aux;

		if (verdef.vd_ndx < VERSIONS && !ret[verdef.vd_ndx] && name < INT_MAX &&
		    gelf_getverdaux(table.data, (int)name, &aux))
			ret[verdef.vd_ndx] = table_name(&table, aux.vda_name);
		if (!version_next(&at, verdef.vd_next))
			break;
	}
	return ret;
}

/* The default version of a symbol has the bare name; others are named "name@VERSION". */
static const char *versioned(struct arena *arena, const char *const *versions,
			     const struct elf_table *numbers, int index, const char *name)
{
	const char *version;
	GElf_Versym versym;

	if (!numbers->data || !gelf_getversym(numbers->data, index, &versym) ||
	    !(versym & VERSIONS))
		return name;
	version = versions[versym & (VERSIONS - 1)];
	return version ? arena_printf(arena, "%s@%s", name, version) : name;
}

const char *target_default_version(const struct target *target, const char *name)
{
	Elf *elf = main_elf(target);
	struct elf_table table, numbers;
	GElf_Versym versym;
	GElf_Sym sym;

	table_find(elf, SHT_DYNSYM, &table);
	table_find(elf, SHT_GNU_versym, &numbers);
	for (int i = 1; numbers.data && (size_t)i < table.count && gelf_getsym(table.data, i, &sym);
	     i++)
		if (sym.st_shndx != SHN_UNDEF && gelf_getversym(numbers.data, i, &versym) &&
		    !(versym & VERSIONS) && !strcmp(table_name(&table, sym.st_name) ?: "", name))
			return version_names(target->arena, elf)[versym];
	return NULL;
}

void read_dynamic(struct arena *arena, const struct target *target, struct symbol **list,
		  size_t *count)
{
	Elf *elf = main_elf(target);
	const char **versions = version_names(arena, elf);
	struct elf_table table, numbers;
	GElf_Sym sym;

	table_find(elf, SHT_DYNSYM, &table);
	table_find(elf, SHT_GNU_versym, &numbers);
	for (int i = 1; (size_t)i < table.count && gelf_getsym(table.data, i, &sym); i++) {
		const char *name = table_name(&table, sym.st_name);
		int type = GELF_ST_TYPE(sym.st_info);

		if (!name || !*name || sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
			continue;
		arena_append(arena, *list, *count) = (struct symbol){
			.name = versioned(arena, versions, &numbers, i, name),
			.address = sym.st_value,
			.size = sym.st_size,
			.section = sym.st_shndx,
			.is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
			.is_global = true,
			.is_resolver = type == STT_GNU_IFUNC,
		};
	}
}

/* The executable segment that has the address in the file. */
static bool find_code(Elf *elf, uint64_t address, GElf_Phdr *segment)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, segment) && segment->p_type == PT_LOAD &&
		    (segment->p_flags & PF_X) && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return true;
	return false;
}

bool target_maps_writable(const struct target *target, uint64_t address)
{
	GElf_Phdr segment;

	return find_code(main_elf(target), address, &segment) && (segment.p_flags & PF_W);
}

struct error *target_file_offset(struct arena *arena, const struct target *target, uint64_t address,
				 uint64_t *ret)
{
	Elf *elf = main_elf(target);
	GElf_Phdr segment;
	size_t count, size;

	if (elf_getphdrnum(elf, &count) || !elf_rawfile(elf, &size))
		return error_new(arena, ERROR_SYSTEM, "can't read '%s'", target->path);
	if (!find_code(elf, address, &segment))
		return error_new(arena, ERROR_NOT_FOUND,
				 "address %#llx is in no executable part of '%s'",
				 (unsigned long long)address, target->path);
	*ret = segment.p_offset + (address - segment.p_vaddr);
	if (*ret < size)
		return NULL;
	return error_new(arena, ERROR_NOT_FOUND, "'%s' ends before address %#llx: it was cut off",
			 target->path, (unsigned long long)address);
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

/* What isn't ELF, and is easily taken for a program or library. */
static struct error *not_elf(struct arena *arena, const char *path, const char *begin)
{
	struct error *error = error_new(arena, ERROR_NOT_FOUND, "'%s' isn't an ELF file", path);

	if (!strncmp(begin, "!<arch>", 7))
		return error_hint(arena, error, "it is an archive of object files; name the "
						"program that they are linked into: -x PROGRAM");
	if (!strncmp(begin, "/* GNU ld", 9))
		return error_hint(arena, error, "it is a script for the linker, which names the "
						"library's file");
	return error_hint(arena, error, "name a program or a shared library");
}

static struct error *check_magic(struct arena *arena, const char *path)
{
	char magic[EI_NIDENT + 1] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, magic, EI_NIDENT);
	int err = errno;

	if (fd >= 0)
		close(fd);
	if (length < 0)
		return error_errno(arena, err, "can't read '%s'", path);
	if (length > 2 && !strncmp(magic, "#!", 2))
		return error_hint(arena,
				  error_new(arena, ERROR_NOT_FOUND, "'%s' is a script", path),
				  "probe the interpreter that its first line names");
	if (length < EI_NIDENT || memcmp(magic, ELFMAG, SELFMAG))
		return not_elf(arena, path, magic);
	if (magic[EI_CLASS] != ELFCLASS64)
		return error_hint(arena,
				  error_new(arena, ERROR_NOT_FOUND, "'%s' isn't a 64-bit program",
					    path),
				  "ktrace probes programs of x86_64 only");
	if (magic[EI_DATA] != ELFDATA2LSB)
		return error_new(arena, ERROR_NOT_FOUND, "'%s' is for a big-endian processor",
				 path);
	return NULL;
}

/* Only such a file is worth a hint. */
static bool is_program_here(struct arena *arena, const char *name)
{
	struct stat status;

	return !stat(name, &status) && S_ISREG(status.st_mode) && !check_magic(arena, name);
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
	if (is_program_here(arena, name))
		return error_hint(arena, error, "did you mean the file here: -x ./%s", name);
	return error_hint(arena, error, "it is neither in $PATH nor where libraries are; give its "
			  "path: -x PATH/%s", name);
}

/* "/proc/123/exe", "/proc/123/map_files/RANGE", "/proc/123/root/PATH": the kernel follows these to
 * the file itself, whether or not it has a name here (proc(5)). */
static bool leads_through_process(const char *path)
{
	int end = 0;

	(void)sscanf(path, "/proc/%*[0-9]/exe%n", &end);
	if (!end)
		(void)sscanf(path, "/proc/%*[0-9]/map_files/%*[0-9a-f-]%n", &end);
	if (end)
		return !path[end];
	(void)sscanf(path, "/proc/%*[0-9]/root/%n", &end);
	return end != 0;
}

#define UNFIT " \t\n\v\f\r#" /* '#' begins a comment */

/* A link of that file system, whose path the kernel takes. */
static struct error *hint_name(struct arena *arena, const char *path, struct error *error)
{
	size_t directory = (size_t)(strrchr(path, '/') - path);
	char *name = arena_strdup(arena, path);

	if (strcspn(path, UNFIT) < directory || strchr(path, '\''))
		return error_hint(arena, error,
				  "give the file a second name, in a directory of that file "
				  "system without them (ln, not ln -s), and trace that");
	for (char *at = name; *(at += strcspn(at, UNFIT));)
		*at = '_';
	return error_hint(arena, error, "give the file a second name, and trace that: ln '%s' %s",
			  path, name);
}

/* The path for a probe definition, with symbolic links resolved: another process will look it
 * up. */
static struct error *real_path(struct arena *arena, const char *path, const char **ret)
{
	struct stat given, found;
	char real[PATH_MAX];
	const char *unfit;

	if (stat(path, &given))
		return error_errno(arena, errno, "can't read '%s'", path);
	if (S_ISDIR(given.st_mode))
		return error_new(arena, ERROR_NOT_FOUND,
				 "'%s' is a directory, not a program", path);
	if (!S_ISREG(given.st_mode))
		return error_new(arena, ERROR_NOT_FOUND, "'%s' isn't a regular file", path);
	if (realpath(path, real) && !stat(real, &found) && given.st_dev == found.st_dev &&
	    given.st_ino == found.st_ino)
		*ret = arena_strdup(arena, real);
	else if (leads_through_process(path))
		*ret = path;
	else
		return error_hint(
			arena,
			error_new(arena, ERROR_NOT_FOUND,
				  "the file behind '%s' has no path here",
				  path),
			"it was deleted or replaced, or belongs to another mount namespace: "
			"-x /proc/PID/exe, or -x /proc/PID/root/PATH, of a process that runs it");
	unfit = *ret + strcspn(*ret, UNFIT);
	if (!*unfit)
		return NULL;
	return hint_name(arena, *ret,
			 error_new(arena, ERROR_LIMIT, "the kernel takes no path with %s: '%s'",
				   *unfit == '#' ? "a '#'" : "blanks", *ret));
}

struct error *target_open_program(struct arena *arena, const char *name,
				  const struct target_places *places, struct target **ret)
{
	const char *path;
	struct error *error = find_program(arena, name, &path);

	if (!error)
		error = real_path(arena, path, &path);
	if (!error)
		error = check_magic(arena, path);
	return error ?: target_open_named(arena, TARGET_PROGRAM, path, places, ret);
}
