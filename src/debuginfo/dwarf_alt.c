// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the file that dwz moved to what several programs share (.gnu_debugaltlink), and lists its
 * units.
 *
 * The surprise: a program whose shared file is missing is refused as a whole. libdw would answer
 * for it, with variables of no type and functions of no name.
 */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

/* Whether the link to an alt file leads to something other than a regular file: libdw would block
 * on a FIFO. */
static bool is_alt_trap(const struct dwarf_info *info)
{
	const char *link, *from, *program = NULL, *debug = NULL, *slash;
	struct stat status;
	const void *id;

	if (dwelf_dwarf_gnu_debugaltlink(info->dwarf, &link, &id) <= 0)
		return false;
	dwfl_module_info(info->base.target->dwfl_module, NULL, NULL, NULL, NULL, NULL, &program,
			 &debug);
	from = debug ?: program ?: info->base.target->path;
	slash = link[0] == '/' ? NULL : strrchr(from, '/');
	return !stat(arena_printf(info->kept, "%.*s%s", slash ? (int)(slash + 1 - from) : 0, from,
				  link),
		     &status) &&
	       !S_ISREG(status.st_mode);
}

/* The alt file that libdw finds, or else debuginfod. */
static Dwarf *open_alt(struct dwarf_info *info)
{
	Dwarf *alt = is_alt_trap(info) ? NULL : dwarf_getalt(info->dwarf);
	const char *link;
	const void *id;
	ssize_t length = alt ? 0 : dwelf_dwarf_gnu_debugaltlink(info->dwarf, &link, &id);
	const struct target *target = info->base.target;
	int fd = length > 0 && target->fetch_shared ?
			 target->fetch_shared(target, id, (size_t)length) :
			 -1;

	if (fd < 0)
		return alt;
	info->fetched_alt = dwarf_begin(fd, DWARF_C_READ);
	close(fd);
	if (info->fetched_alt)
		dwarf_setalt(info->dwarf, info->fetched_alt);
	return info->fetched_alt;
}

/* The name in .debug_sup, DWARF 5's way to name such a file. Returns NULL if there is none, or if
 * this is the shared file itself. */
static const char *sup_name(struct dwarf_info *info)
{
	const Elf_Data *data = section_data(info, ".debug_sup");
	const char *bytes = data ? data->d_buf : NULL;
	enum { IS_SHARED = 2, NAME }; /* offsets, behind the version */

	if (!bytes || data->d_size <= NAME || bytes[IS_SHARED] ||
	    !memchr(bytes + NAME, 0, data->d_size - NAME))
		return NULL;
	return bytes + NAME;
}

/* Types, names and whole functions are in the other file; without it, what is left would say that
 * variables have no type and functions no name. */
static struct error *missing_alt(struct dwarf_info *info)
{
	const char *link, *sup = sup_name(info), *hex = "";
	const struct target *target = info->base.target;
	const void *id;
	ssize_t length = dwelf_dwarf_gnu_debugaltlink(info->dwarf, &link, &id);
	struct error *error;

	if (info->alt || (length <= 0 && !sup))
		return NULL;
	error = error_new(info->kept, ERROR_NO_DEBUGINFO,
			  "the debug information of '%s' is in part in '%s', which can't be read",
			  target->path, length > 0 ? link : sup);
	if (length <= 0)
		return error_hint(info->kept, error, "ktrace doesn't read what dwz --dwarf-5 "
				  "shares: use dwz without it, or build it again");
	for (ssize_t i = 0; i < length; i++)
		hex = arena_printf(info->kept, "%s%02x", hex, ((const uint8_t *)id)[i]);
	return error_hint(info->kept, error, "dwz made that file: it belongs to the same debug "
			  "package, and has the build-id %s", hex);
}

struct error *find_shared(struct dwarf_info *info)
{
	Dwarf_Off offset = 0, next;
	size_t header;
	Dwarf_Half version;
	Dwarf_Die die;

	info->alt = open_alt(info);
	info->is_shared = info->alt;
	for (size_t i = 0; i < info->nunits && !info->is_shared && !info->pack; i++)
		info->is_shared = die_at(info, info->units[i].die, &die) &&
				  dwarf_tag(&die) == DW_TAG_partial_unit;
	while (info->alt &&
	       !dwarf_next_unit(info->alt, offset, &next, &header, &version, NULL, NULL, NULL, NULL,
				NULL) &&
	       next > offset) {
		arena_append(info->kept, info->alt_units, info->nalt_units) = offset + header;
		offset = next;
	}
	return missing_alt(info);
}
