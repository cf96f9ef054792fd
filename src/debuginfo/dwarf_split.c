// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the .dwo files that hold the DIEs of skeleton units (-gsplit-dwarf); libdw opens these
 * files and knows which addresses are theirs. A missing one is reported by name.
 *
 * The surprise: offsets begin at 0 in each such file. So a DIE's handle also holds bits of its
 * unit's identifier, by which the file is found again.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <elfutils/libdwfl.h>

#include "base/search.h"
#include "debuginfo/die.h"
#include "debuginfo/section_bytes.h"

#ifndef DW_AT_GNU_dwo_name
#define DW_AT_GNU_dwo_name 0x2130
#endif

Dwarf_Off split_tag(Dwarf_CU *unit)
{
	uint64_t id = 0;
	uint8_t type = DW_UT_compile;

	if (dwarf_cu_info(unit, NULL, &type, NULL, NULL, &id, NULL, NULL) ||
	    type != DW_UT_split_compile)
		return 0;
	id ^= id >> 32;
	return ((id << SPLIT_SHIFT) & SPLIT_MASK) | ((Dwarf_Off)1 << SPLIT_SHIFT);
}

const struct split *split_of(const struct dwarf_info *info, Dwarf_Off handle)
{
	Dwarf_Off tag = handle & SPLIT_MASK;
	size_t at;

	if (!tag)
		return NULL;
	at = partition_point(info->nsplits, i, info->splits[i].tag < tag);
	return at < info->nsplits && info->splits[at].tag == tag ? &info->splits[at] : NULL;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

/* The name comes from the file, which may name a FIFO, or a device without an end. */
static bool is_regular(const char *path, bool *is_there)
{
	struct stat file;

	*is_there = !stat(path, &file);
	return *is_there && S_ISREG(file.st_mode);
}

/* A package (.dwp) of all these files, beside the program; libdw reads one since 0.192. */
static const char *package_of(struct dwarf_info *info)
{
	const char *package = arena_printf(info->arena, "%s.dwp", info->base.target->path);
	bool is_there;

	return is_regular(package, &is_there) ? package : NULL;
}

/* Whether what libdw will open is a regular file: beside the program, where the compiler ran, or
 * the package. */
static bool may_open(struct dwarf_info *info, Dwarf_Die *skeleton, const char *name)
{
	const char *path = info->base.target->path, *slash = strrchr(path, '/');
	const char *directory = text_of(skeleton, DW_AT_comp_dir);
	bool is_there, may;

	if (name[0] == '/')
		return is_regular(name, &is_there) || (!is_there && package_of(info));
	path = arena_printf(info->arena, "%.*s/%s", slash ? (int)(slash - path) : 1,
			    slash ? path : ".", name);
	may = is_regular(path, &is_there);
	if (!is_there && directory)
		may = is_regular(arena_printf(info->arena, "%s/%s", directory, name), &is_there);
	return may || (!is_there && package_of(info));
}

static struct error *missing_file(struct dwarf_info *info, Dwarf_Die *skeleton, const char *name,
				  bool is_there)
{
	const struct target *target = info->base.target;
	const char *package = package_of(info);
	const char *directory = text_of(skeleton, DW_AT_comp_dir);
	struct error *error = error_new(info->kept, ERROR_NO_DEBUGINFO,
					"the debug information of '%s' "
					"is in '%s', which can't be read",
					target->path, name);

	if (package)
		return error_hint(info->kept, error,
				  "'%s' may have it, but libdw %s can't read it there: put "
				  "the .dwo files back, or build without -gsplit-dwarf",
				  package, dwfl_version(NULL));
	if (is_there)
		return error_hint(info->kept, error,
				  "it is there, but libdw %s finds nothing in it that belongs to "
				  "the program: build both again, without -fdebug-types-section",
				  dwfl_version(NULL));
	return error_hint(info->kept, error, "put it beside the program%s%s, or build without "
			  "-gsplit-dwarf", name[0] != '/' && directory ? " or in " : "",
			  name[0] != '/' && directory ? directory : "");
}

static struct error *find_split(struct dwarf_info *info, struct unit *unit, size_t number)
{
	Dwarf_Die skeleton, die, opened;
	const char *name;
	uint8_t type;
	bool may;

	if (!die_at(info, unit->die, &skeleton) ||
	    dwarf_cu_info(skeleton.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return NULL;
	name = text_of(&skeleton, DW_AT_dwo_name) ?: text_of(&skeleton, DW_AT_GNU_dwo_name);
	opened = die = (Dwarf_Die){0};
	may = name && may_open(info, &skeleton, name);
	if (!may ||
	    dwarf_cu_info(skeleton.cu, NULL, NULL, &opened, &die, NULL, NULL, NULL) || !die.addr) {
		info->nmissing++;
		return missing_file(info, &skeleton, name ?: "a .dwo file", may);
	}
	unit->is_split = true;
	unit->die = dwarf_dieoffset(&die) | split_tag(die.cu);
	arena_append(info->kept, info->splits, info->nsplits) = (struct split){
		split_tag(die.cu), dwarf_cu_getdwarf(die.cu), number,
	};
	return NULL;
}

static int split_compare(const void *left, const void *right)
{
	const struct split *a = left, *b = right;

	return (a->tag > b->tag) - (a->tag < b->tag);
}

/* Two units with one tag can't be told apart: neither is used. */
static struct error *check_tags(struct dwarf_info *info)
{
	for (size_t i = 1; i < info->nsplits; i++)
		if (info->splits[i].tag == info->splits[i - 1].tag)
			return error_new(info->kept, ERROR_NO_DEBUGINFO,
					 "two units of '%s' have the same "
					 "identifier in their .dwo files",
					 info->base.target->path);
	return NULL;
}

struct error *find_splits(struct dwarf_info *info)
{
	struct error *error = NULL, *first = NULL;

	if (info->pack || !section_data(info, ".debug_addr"))
		return NULL;
	for (size_t i = 0; i < info->nunits; i++) {
		error = find_split(info, &info->units[i], i);
		first = first ? first : error;
	}
	if (info->nsplits)
		qsort(info->splits, info->nsplits, sizeof(*info->splits), split_compare);
	if (first && info->nmissing > 1)
		first->message = arena_printf(info->kept, "%s, nor can %zu more", first->message,
					      info->nmissing - 1);
	error = check_tags(info);
	if (!error)
		return first;
	info->nmissing = info->nunits;
	info->nsplits = 0;
	return error;
}
