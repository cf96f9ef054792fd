/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine without a vmlinux has all of it but its DWARF, in several places: these put it
 * together. */
#ifndef TARGET_STOCK_H
#define TARGET_STOCK_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ktrace/error.h"

/* unpack.c */
bool is_vmlinuz(const char *path);
/* *ret: the ELF file inside, to be freed. */
struct error *unpack_vmlinuz(struct arena *arena, const char *path, void **ret,
			     size_t *length) must_check;

/* A section of a file to be made. */
struct made_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	const void *data; /* NULL: it has no bytes */
	bool is_code;
};

struct made_symbol {
	const char *name;
	uint64_t address;
	bool is_function; /* or a marker, or data */
	bool is_global;
};

/* made.c: whole ELF files in memory, to be freed. */
/* Sections alone, in the order of their addresses. */
void *make_elf(const struct made_section *sections, unsigned count, size_t *length);
/* The file with a table of these symbols (sorted by address), in place of any it has. Returns NULL
 * when it isn't a sound ELF file. */
void *make_with_symbols(const void *file, size_t length, const struct made_symbol *symbols,
			size_t count, size_t *ret_length);
/* elf_image.c: an ELF file in memory. */
/* Its sections; NULL when it isn't a sound ELF file of 64 bits. */
const Elf64_Shdr *image_sections(const void *file, size_t length, unsigned *count);
/* Returns false when it has no section of that name. data: NULL where it has no bytes in the
 * file. */
bool find_section(const void *file, size_t length, const char *name, struct made_section *ret);

/* kept.c: a kernel that was put together, in the user's cache. cache: the directory, or NULL.
 * Returns false when it can't be kept. */
bool kept_put(const char *cache, const char *build_id, const void *data, size_t length);
struct target;
struct target_places;
/* Opens it, if it is there and the user's own. places: as for target_open_image(). */
struct error *kept_open(struct arena *arena, const char *cache, const char *build_id,
			const struct target_places *places, struct target **ret) must_check;

/* symbol_text.c: a kernel's symbols, from /proc/kallsyms or a System.map. */
struct kernel_names {
	struct made_symbol *list; /* by address */
	size_t count;
	uint64_t start; /* of the kernel's code: _stext; 0: addresses are hidden */
	uint64_t end;   /* _etext */
	uint64_t init_start, init_end; /* _sinittext, _einittext */
	uint64_t last; /* _end */
};
void read_kernel_names(struct arena *arena, const char *text, struct kernel_names *ret);
/* The same of a loaded module, from /proc/kallsyms. */
void read_module_names(struct arena *arena, const char *text, const char *module,
		       struct made_symbol **list, size_t *count);

#endif
