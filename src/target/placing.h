/* SPDX-License-Identifier: GPL-2.0-only */
/* How the kernel is told of an address: a probe's place, or the object that a fetch reads. */
#ifndef TARGET_PLACING_H
#define TARGET_PLACING_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* How kprobe_events names an address: a symbol whose name is unique, and an offset from it. */
struct placement {
	const char *symbol;
	uint64_t offset; /* of data: signed */
};
struct error *target_place(struct arena *arena, const struct target *target, uint64_t address,
			   const char *prefer, struct placement *ret) must_check;

/* How `@` in an argument names an object or a function: a symbol that the kernel finds by its name
 * alone, and an offset. NULL: *ret is set; else the reason why there is none. */
const char *target_place_data(struct arena *arena, const struct target *target, uint64_t address,
			      struct placement *ret);
/* "resume.1", "_stext+123", "lock-8". */
const char *placement_text(struct arena *arena, const struct placement *place);
/* Where a live target's object is in memory now. NULL: *ret is set; else the reason. */
const char *target_running_address(struct arena *arena, const struct target *target,
				   uint64_t address, uint64_t *ret);
/* The address of the symbol that a declaration means; 0: none, or several. */
uint64_t target_symbol_address(const struct target *target, const char *name);
/* A module's target may open the kernel's when it must know of the kernel's symbols: by its path, or
 * (NULL) in the usual places. */
void target_allow_kernel(struct arena *arena, struct target *module, const char *path, bool live);
/* Whose address it is: of what a module only uses, *address becomes the kernel's own. */
const struct target *target_owner(const struct target *target, uint64_t *address);

/* A program's address as uprobe_events takes it. Errors: not in an executable segment of the file. */
struct error *target_file_offset(struct arena *arena, const struct target *target, uint64_t address,
				 uint64_t *ret) must_check;

/* The other way round. false: no code is there. */
bool target_offset_address(const struct target *target, uint64_t offset, uint64_t *ret);

/* Whether the address, of the target's own, is a per-CPU offset rather than an address. */
bool target_is_percpu(const struct target *target, uint64_t address);
/* Of a module's own per-CPU variable: its offset in each CPU's area, which the loader chose; a reason,
 * or NULL. */
const char *target_module_percpu(const struct target *target, uint64_t address,
				 const struct target **kernel, uint64_t *offset);

/* The address as the file itself has it: in an ET_REL file, the offset in its section. */
uint64_t target_file_address(const struct target *target, uint64_t address);

#endif
