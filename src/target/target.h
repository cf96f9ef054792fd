/* SPDX-License-Identifier: GPL-2.0-only */
/* The public interface of target/: files, symbols, and how the kernel wants an address written. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* Where debug information is looked for that isn't in the file itself. NULL: in the usual
 * directories. */
struct target_places {
	/* debuginfod is asked for what isn't installed, if $DEBUGINFOD_URLS is set */
	bool may_fetch;
	bool is_pack_named; /* the pack must be the target's */
	const char *const *packs; /* packs, and directories of them */
	unsigned npacks;
};
/* The kernel's vmlinux: `path`, or (NULL) the first of the usual places whose build-id is the
 * running kernel's, or what debuginfod gives, or one put together from what each machine has,
 * without DWARF. cache: the directory where that is kept, or NULL. Errors: ERROR_NO_DEBUGINFO, with
 * both build-ids where they differ. */
struct error *target_open_kernel(struct arena *arena, const char *path, const char *cache,
				 const struct target_places *places,
				 struct target **ret) must_check;

/* The running kernel's vmlinux from the usual places alone: it isn't fetched, and put together only
 * for a pack. */
struct error *target_open_installed_kernel(struct arena *arena, const char *cache,
					   const struct target_places *places,
					   struct target **ret) must_check;

/* A module by file (has a '/' or ends in .ko, .ko.debug, .ko.xz, .ko.gz, .ko.zst) or by name; a
 * name is searched for under the release in the path of `vmlinux`, if it has one, else the running
 * kernel's. */
struct error *target_open_module(struct arena *arena, const char *name, const char *vmlinux,
				 const struct target_places *places,
				 struct target **ret) must_check;
/* Whether the running kernel has a module of that name, either loaded or only as a file. */
enum module_state {
	MODULE_NONE,
	MODULE_BUILT_IN, /* its code is the kernel's own */
	MODULE_THERE,
};
enum module_state target_module_state(struct arena *arena, const char *name);

/* A program or shared library: by path, or by a name that is searched for in $PATH, then among
 * libraries ("libc.so.6", "libc"). The target's path has symbolic links resolved. */
struct error *target_open_program(struct arena *arena, const char *name,
				  const struct target_places *places,
				  struct target **ret) must_check;
struct Elf;
/* The ELF file that has its debug information, unrelocated: the target's own, or a separate one. It
 * lives as long as the target does, or the process. */
struct error *target_debug_elf(struct arena *arena, struct target *target,
			       struct Elf **ret) must_check;
void target_close(struct target *target);
/* Lifts the memory bound within which a program's file is read, which damaged files hit. Call it
 * before anything else is done: tracing, or opening another program. */
void target_unbound(const struct target *target);

/* The build-id of the running kernel, or of a loaded module; NULL when it isn't known. */
const char *target_running_id(struct arena *arena, const char *module);
/* Returns ERROR_NO_DEBUGINFO, naming both build-ids, when the target isn't what runs here. A module
 * that isn't loaded, a kernel without /sys/kernel/notes, and any program pass. */
struct error *target_check_running(struct arena *arena, const struct target *target) must_check;

/* Fetches a source file, or (NULL) the debug information, if the target may. Returns a file
 * descriptor, or -1. */
int target_fetch(struct target *target, const char *source);

/* The file's section of BTF; NULL when it has none. */
const void *target_btf(const struct target *target, size_t *length);
/* The kernel that a module belongs to. Returns NULL when it isn't available. */
const struct target *target_kernel(const struct target *module);

/* The function (or else any) symbol that contains the address; NULL when none does. Among several
 * at one address, the one called `prefer`, else a global one. */
const struct symbol *target_symbol_at(const struct target *target, uint64_t address,
				      const char *prefer);
/* The functions' symbols that begin at `start` and contain the address; in the arena. */
const struct symbol *const *target_functions_from(struct arena *arena, const struct target *target,
						  uint64_t address, uint64_t start,
						  unsigned *count);
/* The first symbol of that name, or NULL; *count: how many there are. */
const struct symbol *target_symbol_named(const struct target *target, const char *name,
					 unsigned *count);
/* Announces names that will be asked for, to be searched for together. */
void target_expect_symbols(const struct target *target, const char *const *names, size_t count);
/* The same for addresses. */
void target_expect_places(const struct target *target, const uint64_t *addresses, unsigned count);
/* Keeps the symbols usable after the target is closed. */
void target_keep_symbols(struct target *target);
/* Returns ERROR_SYSTEM when the file has changed since it was opened. */
struct error *target_check_unchanged(struct arena *arena, const struct target *target) must_check;
/* Symbols by address: all of them if name is NULL or a glob, else at least those of that name. */
const struct symbol *target_symbols(const struct target *target, const char *name, size_t *count);

/* Whether a program calls a function of that name in a library. *library: which, "libc.so.6"; NULL:
 * it doesn't say. */
bool target_imports(const struct target *target, const char *name, const char **library);

/* The default version of a library's symbol, which its bare name means; NULL when it has none. */
const char *target_default_version(const struct target *target, const char *name);
#endif
