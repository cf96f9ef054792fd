/* SPDX-License-Identifier: GPL-2.0-only */
/* The door of target/: files, symbols, and how the kernel wants a place written. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* The kernel's vmlinux: `path`, or (NULL) the first of the usual places whose build-id is the
 * running kernel's. Errors: ERROR_NO_DEBUGINFO, with both build-ids where they differ. */
struct error *target_open_kernel(struct arena *arena, const char *path,
				 struct target **ret) must_check;

/* A module by file (has a '/' or ends in .ko, .ko.xz, .ko.gz, .ko.zst) or by name; a name is looked
 * for under the release of `vmlinux` where that path ends in one, else the running kernel's. */
struct error *target_open_module(struct arena *arena, const char *name, const char *vmlinux,
				 struct target **ret) must_check;
/* Whether the running kernel has a module of that name, be it loaded or only a file. */
enum module_state {
	MODULE_NONE,
	MODULE_BUILT_IN, /* its code is the kernel's own */
	MODULE_THERE,
};
enum module_state target_module_state(struct arena *arena, const char *name);

/* A program or shared library: by path, or by a name that is looked for in $PATH, then as a library
 * ("libc.so.6", "libc"). The target's path is the real one. */
struct error *target_open_program(struct arena *arena, const char *name,
				  struct target **ret) must_check;
void target_close(struct target *target);
/* A program's file is read within a bound of memory, which damaged ones meet; whatever else is to be done, a
 * trace or another program, is done without. */
void target_unbound(const struct target *target);

/* ERROR_NO_DEBUGINFO, both ids named, where the target is not what runs here. A module that isn't
 * loaded, or a kernel without /sys/kernel/notes, passes; so does a program. */
struct error *target_check_running(struct arena *arena, const struct target *target) must_check;

/* The function (or, failing that, any) symbol that address lies in; NULL: none. Of several at one
 * address, the one called `prefer`, else a global one. */
const struct symbol *target_symbol_at(const struct target *target, uint64_t address,
				      const char *prefer);
/* The first symbol of that name, and how many there are. */
const struct symbol *target_symbol_named(const struct target *target, const char *name,
					 unsigned *count);
/* Names that will be asked for, to be looked for together. */
void target_expect_symbols(const struct target *target, const char *const *names, size_t count);
/* The same of addresses. */
void target_expect_places(const struct target *target, const uint64_t *addresses, unsigned count);
/* They can be asked for when the target is closed. */
void target_keep_symbols(struct target *target);
/* ERROR_SYSTEM where the file isn't as it was when it was opened. */
struct error *target_check_unchanged(struct arena *arena, const struct target *target) must_check;
/* Symbols by address: of NULL or a glob all, of a name at least those that have it. */
const struct symbol *target_symbols(const struct target *target, const char *name, size_t *count);

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

/* unwind.c: what call frame information says of an instruction of a program's. */
enum stack_state {
	STACK_UNKNOWN,   /* nothing */
	STACK_BARE,      /* only the return address is above the caller's frame */
	STACK_FRAMED,    /* there is more */
	STACK_OUTERMOST, /* there is no return address: nobody called this */
};
enum stack_state target_stack_state(const struct target *target, uint64_t address);
/* parts.c: the code around an address that has call frame information of its own. */
bool target_part_at(struct target *target, uint64_t address, struct code_part *ret);
/* What in the file walks stacks, in words: "C++ exceptions". NULL: nothing that can be told. */
const char *target_stack_walker(const struct target *target);
/* Whether exceptions may be caught in it: such code is jumped to from nowhere seen. */
bool target_has_handlers(const struct target *target);
/* The other way round. false: no code is there. */
bool target_offset_address(const struct target *target, uint64_t offset, uint64_t *ret);
/* The version of a library's symbol that its name alone means; NULL: it has none. */
const char *target_default_version(const struct target *target, const char *name);
/* Whether the address is in an executable section. */
bool target_is_code(const struct target *target, uint64_t address);

/* Whether the address, of the target's own, is a per-CPU offset rather than an address. */
bool target_is_percpu(const struct target *target, uint64_t address);
/* Of a module's own per-CPU variable: its offset in each CPU's area, which the loader chose; a reason,
 * or NULL. */
const char *target_module_percpu(const struct target *target, uint64_t address,
				 const struct target **kernel, uint64_t *offset);
/* Whether code there is freed after start-up (.init.text). */
bool target_is_init(const struct target *target, uint64_t address);
/* Jumps from [start, end) that the code does not show: static branches, exception fix-ups. Read when
 * first asked for. */
const struct edge *target_edges(struct target *target, struct arena *arena, uint64_t start,
				uint64_t end, size_t *count);
/* The address as the file itself has it: in an ET_REL file, the offset in its section. */
uint64_t target_file_address(const struct target *target, uint64_t address);
/* The bytes of the section at an address, up to its end; NULL: not in the file. */
const uint8_t *target_bytes(const struct target *target, uint64_t address, size_t *length);

#endif
