// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts a loaded module together if its file isn't available: its BTF from /sys/kernel/btf, its
 * symbols from /proc/kallsyms, its sections from /sys/module. There is no code in it.
 *
 * The surprise: nothing tells how long a section is. It ends on the page of its last symbol, or
 * where the next one begins: other modules may lie between two of them.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/kallsyms.h"
#include "target/internal.h"
#include "target/stock.h"

#define BTF_MAX ((size_t)64 << 20)
#define PAGE    4096u

struct loaded {
	struct arena *arena;
	const char *name;
	struct made_symbol *symbols; /* by address */
	size_t nsymbols;
	struct made_section *sections; /* the same */
	unsigned nsections;
};

static int by_address(const void *a, const void *b)
{
	const struct made_section *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

static bool is_code(const char *section)
{
	return strstr(section, ".text") != NULL;
}

/* Where a section lies; 0 when the kernel doesn't say. */
static uint64_t section_address(const struct loaded *loaded, const char *section)
{
	char *text;

	if (file_read(loaded->arena,
		      arena_printf(loaded->arena, "/sys/module/%s/sections/%s", loaded->name,
				   section),
		      64, &text))
		return 0;
	return strtoull(text, NULL, 16);
}

/* Whether it holds code or data: symbols of other sections (notes, tables) are never asked for. */
static bool is_wanted(const char *section)
{
	static const char *const starts[] = {".text", ".init.text", ".exit.text", ".noinstr.text",
					     ".data", ".rodata",    ".bss",	  ".ref.text"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(section, starts[i], strlen(starts[i])) && !strstr(section, "percpu"))
			return true;
	return false;
}

static void read_sections(struct loaded *loaded)
{
	DIR *directory =
		opendir(arena_printf(loaded->arena, "/sys/module/%s/sections", loaded->name));
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		struct made_section section = {.is_code = is_code(entry->d_name)};

		if (!is_wanted(entry->d_name))
			continue;
		section.address = section_address(loaded, entry->d_name);
		section.name = arena_strdup(loaded->arena, entry->d_name);
		if (section.address)
			arena_append(loaded->arena, loaded->sections, loaded->nsections) = section;
	}
	if (directory)
		closedir(directory);
	if (loaded->nsections)
		qsort(loaded->sections, loaded->nsections, sizeof(*loaded->sections), by_address);
}

static void bound_sections(struct loaded *loaded)
{
	for (unsigned i = 0; i < loaded->nsections; i++) {
		struct made_section *section = &loaded->sections[i];
		uint64_t next = i + 1 < loaded->nsections ? section[1].address : UINT64_MAX,
			 last = section->address;

		for (size_t j = 0; j < loaded->nsymbols && loaded->symbols[j].address < next; j++)
			if (loaded->symbols[j].address > last)
				last = loaded->symbols[j].address;
		last = (last | (PAGE - 1)) + 1;
		section->size = (last < next ? last : next) - section->address;
	}
}

static void *make(const struct loaded *loaded, size_t *length)
{
	struct made_section *sections =
		arena_array(loaded->arena, struct made_section, loaded->nsections + 1);
	struct made_section *btf = &sections[loaded->nsections];
	void *bare, *whole;

	memcpy(sections, loaded->sections, loaded->nsections * sizeof(*sections));
	btf->name = ".BTF";
	btf->data = file_read_sized(loaded->arena,
				    arena_printf(loaded->arena, "/sys/kernel/btf/%s", loaded->name),
				    BTF_MAX, &btf->size);
	if (!btf->data)
		return NULL;
	bare = make_elf(sections, loaded->nsections + 1, length);
	whole = make_with_symbols(bare, *length, loaded->symbols, loaded->nsymbols, length);
	free(bare);
	return whole;
}

struct error *target_open_loaded(struct arena *arena, const char *name, struct target **ret)
{
	struct loaded loaded = {.arena = arena, .name = name};
	const char *shown = arena_printf(arena, "/sys/kernel/btf/%s", name),
		   *text = kallsyms_read(arena);
	struct error *error;
	size_t length;
	void *file;

	read_module_names(arena, text ? text : "", name, &loaded.symbols, &loaded.nsymbols);
	read_sections(&loaded);
	bound_sections(&loaded);
	file = loaded.nsymbols && loaded.nsections ? make(&loaded, &length) : NULL;
	if (!file)
		return error_new(arena, ERROR_NO_DEBUGINFO,
				 "the module '%s' isn't loaded, or has no BTF", name);
	error = target_open_memory(arena, TARGET_MODULE,
				   &(struct memory_file){shown, file, length}, NULL, ret);
	free(file);
	if (error)
		return error;
	(*ret)->module = name;
	(*ret)->build_id = target_running_id(arena, name);
	return NULL;
}
