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

/* The version of a library's symbol that its name alone means; NULL: it has none. */
const char *target_default_version(const struct target *target, const char *name);
#endif
