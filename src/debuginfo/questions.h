/* SPDX-License-Identifier: GPL-2.0-only */
/* How DWARF answers struct debuginfo_ops: one function for each question. */
#ifndef DEBUGINFO_QUESTIONS_H
#define DEBUGINFO_QUESTIONS_H

#include "debuginfo/debuginfo.h"

/* search/names.c */
void dwarf_expect(struct debuginfo *info, const char *const *names, unsigned count);

/* dwarf_func.c */
struct error *dwarf_instances(struct debuginfo *info, const char *name, struct instance ***ret,
			      unsigned *count) must_check;

/* dwarf_func_list.c */
struct error *dwarf_functions(struct debuginfo *info, const char *glob,
			      void (*each)(void *cookie, const char *name, const char *linkage,
					   bool has_code, bool inlined), void *cookie) must_check;

void dwarf_source_files(struct debuginfo *info, void (*each)(void *cookie, const char *path),
			void *cookie);

/* dwarf_func_at.c */
struct error *dwarf_function_at(struct debuginfo *info, uint64_t address, struct instance ***ret,
				unsigned *count) must_check;

/* dwarf_source.c */
struct error *dwarf_source_marks(struct debuginfo *info, const struct source_lines *lines,
				 struct source_marks *ret) must_check;

/* dwarf_copies.c */
struct error *dwarf_inner(struct debuginfo *base, const struct instance *instance,
			  struct instance ***ret, unsigned *count) must_check;

/* dwarf_places.c */
struct error *dwarf_places(struct debuginfo *base, uint64_t address, struct code_place **ret,
			   unsigned *count) must_check;

/* dwarf_at_lines.c */
struct error *dwarf_instances_at_lines(struct debuginfo *info, struct file_lines lines,
				       struct instance ***ret, unsigned *count,
				       bool *file_known) must_check;

/* dwarf_line.c */
struct error *dwarf_rows(struct debuginfo *info, const struct instance *instance, struct row **ret,
			 unsigned *count) must_check;
uint64_t dwarf_row_before(struct debuginfo *info, const struct instance *instance,
			  uint64_t address);

/* dwarf_untold.c */
bool dwarf_has_variables(struct debuginfo *info, const struct instance *instance);

/* dwarf_var.c */
struct error *dwarf_variables(struct debuginfo *info, const struct instance *instance,
			      struct position at, bool externs, struct variable **ret,
			      unsigned *count) must_check;
struct error *dwarf_variable(struct debuginfo *info, const struct instance *instance,
			     struct position at, const char *name, bool externs,
			     struct variable **ret) must_check;
struct error *dwarf_global(struct debuginfo *info, const char *name,
			   struct variable **ret) must_check;
struct error *dwarf_object(struct debuginfo *info, const struct instance *instance,
			   struct position at, uint64_t source, const struct type *pointed,
			   struct variable **ret) must_check;

/* dwarf_type.c */
struct error *dwarf_return_type(struct debuginfo *info, const struct function *function,
				const struct type **ret) must_check;

/* dwarf_type_name.c */
struct error *dwarf_type_named(struct debuginfo *info, const struct instance *instance,
			       const char *name, const struct type **ret) must_check;

struct error *dwarf_definition(struct debuginfo *info, const struct type *type,
			       const struct type **ret) must_check;

/* dwarf_base.c */
struct error *dwarf_base(struct debuginfo *info, const struct type *type, const struct type *base,
			 bool *found, uint64_t *offset) must_check;
struct error *dwarf_member(struct debuginfo *info, const struct type *type, const char *name,
			   struct member **ret) must_check;
/* dwarf_member.c */
struct error *dwarf_members(struct debuginfo *info, const struct type *type, struct member **ret,
			    unsigned *count) must_check;

/* dwarf_enum.c */
struct error *dwarf_enumerators(struct debuginfo *info, const struct type *type,
				struct enumerator **ret, unsigned *count) must_check;
struct error *dwarf_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
			     unsigned *count) must_check;

/* dwarf_frame.c */
struct error *dwarf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			  struct frame *ret) must_check;

#endif
