/* SPDX-License-Identifier: GPL-2.0-only */
/* The public interface of debuginfo/. */
#ifndef DEBUGINFO_DEBUGINFO_H
#define DEBUGINFO_DEBUGINFO_H

#include "base/arena.h"
#include "ktrace/arch.h"
#include "ktrace/debuginfo.h"

/* The DWARF of a target, its separate debug file included. The target must outlive it. Errors:
 * ERROR_NO_DEBUGINFO. */
/* cache: the directory in which earlier runs left what they found, created if needed; or NULL.
 * names: functions that will be asked for; together they cost little more than one, and the search
 * for them runs in the background. */
struct error *dwarf_open(struct arena *arena, const struct target *target, const char *cache,
			 const char *const *names, unsigned nnames,
			 struct debuginfo **ret) must_check;

/* What the kernel's BTF is read from. All of it must outlive the source. */
struct btf_input {
	const void *data; /* as in /sys/kernel/btf/vmlinux */
	size_t length;
	const void *kernel; /* of a module: its kernel's; else NULL */
	size_t kernel_length;
	const struct symbol *symbols; /* of the target, by address: BTF has no addresses */
	size_t nsymbols;
	const struct arch *arch; /* which registers carry parameters */
};

/* The BTF of a kernel or a module: functions with their parameters at the entry, return values and
 * types. absent: what to say of the rest (lines, locals). Errors: ERROR_NO_DEBUGINFO. */
struct error *btf_open(struct arena *arena, const struct target *target,
		       const struct btf_input *input, struct error *absent,
		       struct debuginfo **ret) must_check;

/* A source that knows only the target's symbols; reason: why, its `absent`. */
struct debuginfo *debuginfo_symbols(struct arena *arena, const struct target *target,
				    struct error *reason);

/* The questions of struct debuginfo_ops. For a source that can't answer, instances, function_at,
 * places, inner, functions, source_files and constant find nothing; all others return
 * info->absent, an error. */
void debuginfo_close(struct debuginfo *info);
/* dwarf_scope.c: "bar" of "Foo<a::b>::bar", a part of the same text. */
const char *last_component(const char *name);
void debuginfo_answer_in(struct debuginfo *info, struct arena *arena);
void debuginfo_expect(struct debuginfo *info, const char *const *names, unsigned count);
struct error *debuginfo_instances(struct debuginfo *info, const char *name, struct instance ***ret,
				  unsigned *count) must_check;
struct error *debuginfo_instances_at_lines(struct debuginfo *info, struct file_lines lines,
					   struct instance ***ret, unsigned *count,
					   bool *file_known) must_check;
struct error *debuginfo_function_at(struct debuginfo *info, uint64_t address,
				    struct instance ***ret, unsigned *count) must_check;
struct error *debuginfo_places(struct debuginfo *info, uint64_t address, struct code_place **ret,
			       unsigned *count) must_check;
struct error *debuginfo_source_marks(struct debuginfo *info, const struct source_lines *lines,
				     struct source_marks *ret) must_check;
struct error *debuginfo_inner(struct debuginfo *info, const struct instance *instance,
			      struct instance ***ret, unsigned *count) must_check;
struct error *debuginfo_rows(struct debuginfo *info, const struct instance *instance,
			     struct row **ret, unsigned *count) must_check;
uint64_t debuginfo_row_before(struct debuginfo *info, const struct instance *instance,
			      uint64_t address);
struct error *debuginfo_frame(struct debuginfo *info, const struct instance *instance,
			      uint64_t address, struct frame *ret) must_check;
struct error *debuginfo_variables(struct debuginfo *info, const struct instance *instance,
				  struct position at, bool externs, struct variable **ret,
				  unsigned *count) must_check;
/* What to say of a unit that describes no variables. */
#define NO_VARIABLES "debug information describes no variables of its file at all: it is " \
		     "assembler, or built with -g1 or the like instead of -g"
bool debuginfo_has_variables(struct debuginfo *info, const struct instance *instance);
struct error *debuginfo_variable(struct debuginfo *info, const struct instance *instance,
				 struct position at, const char *name, bool externs,
				 struct variable **ret) must_check;
struct error *debuginfo_global(struct debuginfo *info, const char *name,
			       struct variable **ret) must_check;
struct error *debuginfo_object(struct debuginfo *info, const struct instance *instance,
			       struct position at, uint64_t source, const struct type *pointed,
			       struct variable **ret) must_check;
struct error *debuginfo_type_named(struct debuginfo *info, const struct instance *instance,
				   const char *name, const struct type **ret) must_check;
struct error *debuginfo_definition(struct debuginfo *info, const struct type *type,
				   const struct type **ret) must_check;
struct error *debuginfo_member(struct debuginfo *info, const struct type *type, const char *name,
			       struct member **ret) must_check;
struct error *debuginfo_members(struct debuginfo *info, const struct type *type,
				struct member **ret, unsigned *count) must_check;
struct error *debuginfo_base(struct debuginfo *info, const struct type *type,
			     const struct type *base, bool *found, uint64_t *offset) must_check;
struct error *debuginfo_enumerators(struct debuginfo *info, const struct type *type,
				    struct enumerator **ret, unsigned *count) must_check;
struct error *debuginfo_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
				 unsigned *count) must_check;
struct error *debuginfo_return_type(struct debuginfo *info, const struct function *function,
				    const struct type **ret) must_check;
struct error *debuginfo_functions(struct debuginfo *info, const char *glob,
				  void (*each)(void *cookie, const char *name, const char *linkage,
					       bool has_code, bool inlined),
				  void *cookie) must_check;
void debuginfo_source_files(struct debuginfo *info, void (*each)(void *cookie, const char *path),
			    void *cookie);
/* Returns false when only symbols are known; info->absent says why. */
bool debuginfo_has_functions(const struct debuginfo *info);

/* Returns false when functions are known, but not their lines; info->absent says why. */
bool debuginfo_has_lines(const struct debuginfo *info);

/* "net/core/dev.c" matches "/build/x/net/core/dev.c": whole path components from the end. */
bool file_matches(const char *path, const char *wanted);
/* directory: what a relative path is relative to. */
bool same_file(const char *directory, const char *path, const char *other_directory,
	       const char *other);

#endif
