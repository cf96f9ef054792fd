/* SPDX-License-Identifier: GPL-2.0-only */
/* How an address is written for the kernel: that of a probe, or of the object that a fetch
 * reads. */
#ifndef TARGET_PLACING_H
#define TARGET_PLACING_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* How kprobe_events names an address: a symbol with a unique name, and an offset from it. */
struct placement {
	const char *symbol;
	uint64_t offset; /* bytes; signed for data */
};
struct error *target_place(struct arena *arena, const struct target *target, uint64_t address,
			   const char *prefer, struct placement *ret) must_check;

/* How `@` in an argument names an object or a function: a symbol that the kernel finds by its name
 * alone, and an offset. Returns NULL with *ret set, or the reason why it has no such name. */
const char *target_place_data(struct arena *arena, const struct target *target, uint64_t address,
			      struct placement *ret);
/* "resume.1", "_stext+123", "lock-8". */
const char *placement_text(struct arena *arena, const struct placement *place);
/* The address of a live target's object in memory now. Returns NULL with *ret set, or the
 * reason. */
const char *target_running_address(struct arena *arena, const struct target *target,
				   uint64_t address, uint64_t *ret);
struct kallsyms;
struct ksym;
/* The inverse, of code: the file's address of what runs at `address`. symbol: the one of
 * /proc/kallsyms that the address is in. Returns false when the file doesn't have that symbol
 * there. */
bool target_code_address(struct arena *arena, const struct target *target,
			 const struct kallsyms *kallsyms, const struct ksym *symbol,
			 uint64_t address, uint64_t *ret);
/* The address of the symbol that a declaration means; 0 when there is none, or several. */
uint64_t target_symbol_address(const struct target *target, const char *name);
/* Lets a module's target open the kernel's when it needs the kernel's symbols, as
 * target_open_kernel() does. */
void target_allow_kernel(struct arena *arena, struct target *module, const char *path,
			 const char *cache, bool live);
/* The target that an address belongs to: the kernel if the address is the kernel's, or that of a
 * symbol that the module only uses; *address then becomes the kernel's own. Else the target
 * itself. */
const struct target *target_owner(const struct target *target, uint64_t *address);

/* A program's address as uprobe_events takes it. Errors: not in an executable segment of the
 * file. */
struct error *target_file_offset(struct arena *arena, const struct target *target, uint64_t address,
				 uint64_t *ret) must_check;

/* The inverse. Returns false when no code is at that offset. */
bool target_offset_address(const struct target *target, uint64_t offset, uint64_t *ret);

/* Whether an address in the target itself is a per-CPU variable's: an offset into each CPU's
 * area. */
bool target_is_percpu(const struct target *target, uint64_t address);
/* Whether the kernel's per-CPU addresses are moved with it when it boots: on x86 from Linux 6.15
 * on; before, they count from 0 (arch/x86/kernel/vmlinux.lds.S). */
bool target_percpu_moves(const struct target *kernel);
/* The offset of a module's own per-CPU variable in each CPU's area, which the module loader chose.
 * Returns NULL with *kernel and *offset set, or the reason. */
const char *target_module_percpu(const struct target *target, uint64_t address,
				 const struct target **kernel, uint64_t *offset);

/* The address as the file has it: in an ET_REL file, the offset in its section. */
uint64_t target_file_address(const struct target *target, uint64_t address);

#endif
