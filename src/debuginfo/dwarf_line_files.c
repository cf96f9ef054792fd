// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns a number of DW_AT_decl_file into the file's name, from the header of the unit's line table
 * (DWARF 5, 6.2.4); keeps the last such header. libdw would read and keep the whole table: 200 MB
 * for all units of a kernel. Older tables, and forms that no compiler uses here, are left to libdw.
 */
#include <limits.h>
#include <string.h>

#include "base/lookup.h"
#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/section_bytes.h"

#define FORMATS_MAX 8
#define ENTRY_STEPS 32

struct file_entry {
	const char *path;
	uint64_t directory;
	const uint8_t *checksum; /* MD5; NULL: not said */
};

struct file_list {
	struct file_entry *list;
	size_t count;
	size_t size;
};

struct files {
	const Dwarf_CU *unit; /* that was asked about last; NULL: none */
	Dwarf_Off table; /* offset in .debug_line, plus 1; 0: none was read */
	bool is_bad;     /* only libdw can read it */
	struct file_list directories;
	struct file_list names;
	struct joined {
		const char *directory;
		const char *name;
		const char *path;
	} *joined; /* joined paths */
	size_t njoined;
	struct lookup by_parts; /* by the addresses of their two parts, which units share */
};

/* A string of another section, whose offset is read here. */
static const char *read_offset(struct dwarf_info *info, struct reader *reader, const char *section)
{
	const Elf_Data *data = section_data(info, section);
	uint64_t offset = read_fixed(reader, 4);

	if (data && data->d_buf && offset < data->d_size &&
	    !((const char *)data->d_buf)[data->d_size - 1])
		return (const char *)data->d_buf + offset;
	reader->is_bad = true;
	return "";
}

static void read_field(struct dwarf_info *info, struct reader *reader, uint64_t content,
		       uint64_t form, struct file_entry *ret)
{
	const uint8_t *checksum = NULL;
	const char *text = NULL;
	uint64_t number = 0;

	switch (form) {
	case DW_FORM_line_strp: text = read_offset(info, reader, ".debug_line_str"); break;
	case DW_FORM_strp: text = read_offset(info, reader, ".debug_str"); break;
	case DW_FORM_string: text = read_text(reader); break;
	case DW_FORM_udata: number = read_leb(reader); break;
	case DW_FORM_data1: number = read_fixed(reader, 1); break;
	case DW_FORM_data2: number = read_fixed(reader, 2); break;
	case DW_FORM_data16:
		checksum = reader->at;
		skip_bytes(reader, 16);
		break;
	default: reader->is_bad = true;
	}
	if (content == DW_LNCT_path && text)
		ret->path = text;
	else if (content == DW_LNCT_directory_index && !text)
		ret->directory = number;
	else if (content == DW_LNCT_MD5)
		ret->checksum = checksum;
}

static void add_entry(struct arena *arena, struct file_list *list, const struct file_entry *entry)
{
	if (list->count == list->size) {
		list->size = list->size ? 2 * list->size : 256;
		list->list = arena_grow(arena, list->list, list->count * sizeof(*list->list),
					list->size * sizeof(*list->list));
	}
	list->list[list->count++] = *entry;
}

static void read_list(struct dwarf_info *info, struct reader *reader, struct file_list *list)
{
	uint64_t formats[FORMATS_MAX][2], count;
	unsigned nformats = (unsigned)read_fixed(reader, 1);

	list->count = 0;
	reader->is_bad |= nformats > FORMATS_MAX;
	for (unsigned i = 0; i < nformats && !reader->is_bad; i++) {
		formats[i][0] = read_leb(reader);
		formats[i][1] = read_leb(reader);
	}
	count = read_leb(reader);
	for (uint64_t i = 0; i < count && !reader->is_bad; i++) {
		struct file_entry entry = {0};

		for (unsigned j = 0; j < nformats; j++)
			read_field(info, reader, formats[j][0], formats[j][1], &entry);
		reader->is_bad |= !entry.path || !budget_take(info, ENTRY_STEPS);
		add_entry(info->kept, list, &entry);
	}
}

static void read_table(struct dwarf_info *info, struct files *files, Dwarf_Off offset)
{
	struct line_table table;

	files->table = offset + 1;
	files->is_bad = !line_table_open(info, offset, &table);
	if (files->is_bad)
		return;
	read_list(info, &table.head, &files->directories);
	read_list(info, &table.head, &files->names);
	files->is_bad = table.head.is_bad;
}

static const char *join(struct arena *arena, struct files *files, const char *directory,
			const char *name)
{
	const char *parts[] = {directory, name};
	uint32_t hash = (uint32_t)bytes_hash(parts, sizeof(parts));
	const char *path;
	size_t at;

	if (name[0] == '/')
		return name;
	at = lookup_find(&files->by_parts, hash, i,
			 files->joined[i].directory == directory && files->joined[i].name == name);
	if (at != LOOKUP_NONE)
		return files->joined[at].path;
	path = arena_printf(arena, "%s/%s", directory, name);
	lookup_add(arena, &files->by_parts, hash, files->njoined);
	arena_append(arena, files->joined, files->njoined) = (struct joined){directory, name, path};
	return path;
}

const char *short_path(const char *path)
{
	return path && strnlen(path, PATH_MAX) < PATH_MAX ? path : NULL;
}

/* The files of the unit's table. Returns NULL when only libdw can read it. */
static struct files *unit_files(struct dwarf_info *info, Dwarf_Die *unit)
{
	struct files *files = info->files;
	Dwarf_Word table;

	if (files && files->unit == unit->cu)
		return files->is_bad ? NULL : files;
	if (!line_table_offset(info, unit, &table))
		return NULL;
	if (!files)
		files = info->files = arena_new(info->kept, struct files);
	if (files->table != table + 1)
		read_table(info, files, table);
	files->unit = unit->cu;
	return files->is_bad ? NULL : files;
}

static bool entry_path(struct dwarf_info *info, struct files *files, Dwarf_Word number,
		       const char **ret)
{
	const struct file_entry *entry;

	if (number >= files->names.count)
		return false;
	entry = &files->names.list[number];
	if (entry->directory >= files->directories.count)
		return false;
	*ret = short_path(join(info->kept, files, files->directories.list[entry->directory].path,
			       entry->path));
	return true;
}

bool file_name(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word number, const char **ret)
{
	struct files *files = unit_files(info, unit);

	return files && entry_path(info, files, number, ret);
}

const uint8_t *file_checksum(struct dwarf_info *info, Dwarf_Die *unit, const char *file)
{
	struct files *files = unit_files(info, unit);
	const char *path;

	for (size_t i = 0; files && i < files->names.count; i++)
		if (files->names.list[i].checksum && entry_path(info, files, i, &path) && path &&
		    !strcmp(path, file))
			return files->names.list[i].checksum;
	return NULL;
}
