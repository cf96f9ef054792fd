/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of target/. */
#ifndef TARGET_INTERNAL_H
#define TARGET_INTERNAL_H

#include "target/target.h"

struct error *target_open_file(struct arena *arena, enum target_kind kind, const char *path,
			       struct target **ret) must_check;

/* The kernel that a module belongs to, opened when it is first needed. */
struct kernel_side {
	struct arena *arena;
	const char *path;
	bool live;
	bool is_tried;
	struct target *target; /* NULL: not to be had */
};
const struct target *kernel_of(const struct target *module);
/* program.c: what only .dynsym has, and the versions of names. Room for dynamic_count() more symbols is
 * there; the symbols are unsorted. */
size_t dynamic_count(const struct target *target);
void read_dynamic(struct arena *arena, struct target *target);
/* A symbol of .symtab whose name holds a version: of the default one, the base name. */
const char *plain_version(struct arena *arena, const char *name);

/* order.c: by address, then by name. */
void sort_symbols(struct target *target);
/* .symtab and .dynsym have many symbols in common: one of two in a row that are alike goes. */
void drop_twins(struct target *target);

/* How many symbols lie at or below the address; they are sorted. */
size_t symbols_upto(const struct target *target, uint64_t address);

/* Makes target->names; what it needs later is in the arena too. */
void open_names(struct arena *arena, struct target *target);

/* The build-id of the notes in a file as sysfs shows them, in hex; NULL: none. */
const char *notes_build_id(struct arena *arena, const char *path);

/* A section's bytes in the file; NULL: there is none, or none of its bytes. */
const void *section_bytes(const struct target *target, const char *name, size_t *length);

#endif
