/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of target/. */
#ifndef TARGET_INTERNAL_H
#define TARGET_INTERNAL_H

#include <limits.h>

#include <elfutils/libdwfl.h>

#include "target/target.h"

struct error *target_open_file(struct arena *arena, enum target_kind kind, const char *path,
			       const struct target_places *places, struct target **ret) must_check;

/* kind.c: opens a file that the user named. Returns ERROR_NOT_FOUND when it isn't of that kind,
 * with the option for what it is. */
struct error *target_open_named(struct arena *arena, enum target_kind kind, const char *path,
				const struct target_places *places, struct target **ret) must_check;
/* program.c: the target's file, owned by target->dwfl. */
Elf *main_elf(const struct target *target);

/* stock.c: the running kernel, put together from what each machine has. cache: where it is kept, or
 * NULL. */
struct error *target_open_stock(struct arena *arena, const char *release, const char *cache,
				const struct target_places *places, struct target **ret) must_check;

/* The same of an image that was named: symbols come from the System.map beside it where it isn't
 * the running kernel's. */
struct error *target_open_image(struct arena *arena, const char *path, const char *cache,
				const struct target_places *places, struct target **ret) must_check;

/* A target that was put together without code: a pack of its build isn't used, which is the reason
 * why there is no DWARF (pack_error). why: why there is no code. */
void target_without_code(struct target *target, const struct target_places *places,
			 const char *why);
/* An ELF file in memory. */
struct memory_file {
	const char *shown; /* as which path */
	const void *data;
	size_t length;
};
struct error *target_open_memory(struct arena *arena, enum target_kind kind,
				 const struct memory_file *file, const struct target_places *places,
				 struct target **ret) must_check;
/* loaded.c: a module that is loaded, by its BTF. Errors: ERROR_NO_DEBUGINFO. */
struct error *target_open_loaded(struct arena *arena, const char *name,
				 struct target **ret) must_check;

/* The kernel that a module belongs to, opened when first needed. */
struct kernel_side {
	struct arena *arena;
	const char *path;
	const char *cache;
	bool live;
	bool is_tried;
	struct target *target; /* NULL: unavailable */
};

/* packed.c: whether the sizes that its compressed sections claim are possible for such a file. */
bool can_unpack(Elf *elf);
/* Whether its debug information is compressed as libelf can't unpack it. */
bool has_packed_debug(Elf *elf);
/* How much memory reading the file may need, in bytes. */
uint64_t memory_for(enum target_kind kind, const char *path);
/* Returns fd, with the bound on memory raised for the file; or closes it and returns -1. */
int if_unpackable(int fd);
/* Like dwfl_standard_find_debuginfo(), but skips files that can't be unpacked, and asks no
 * server. */
int find_unpackable(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		    const char *path, const char *link, GElf_Word checksum, char **found);

/* The build-id in a notes file of sysfs, in hex; NULL when it has none. */
const char *notes_build_id(struct arena *arena, const char *path);
/* The same in the bytes of notes. */
const char *build_id_in(struct arena *arena, const void *notes, size_t length);

/* Index and name of the section that an address is in; 0 and "" when in none. */
size_t section_of(const struct target *target, uint64_t address, const char **name);
/* A section's bytes in the file; NULL when it has no such section, or no bytes of it. */
const void *section_bytes(const struct target *target, const char *name, size_t *length);

/* find.c: what uname(2) says; "" when it fails. */
const char *running_release(struct arena *arena);
/* If the user named a pack, BTF is no substitute: returns the pack's error, and closes the target.
 */
struct error *without_pack(const struct target_places *places, struct target *target);

#endif
