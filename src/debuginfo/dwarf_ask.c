// SPDX-License-Identifier: GPL-2.0-only
/*
 * The questions that DWARF answers. Each begins with a budget of its own; where that was spent, the
 * answer is an error, whatever was found.
 */
#include "debuginfo/die.h"
#include "debuginfo/questions.h"

#define QUESTION(name, parameters, ...) \
	static struct error *ask_##name parameters \
	{ \
		budget_begin(dwarf_info(info)); \
		return budget_end(dwarf_info(info), dwarf_##name(__VA_ARGS__)); \
	}

QUESTION(instances, (struct debuginfo *info, const char *name, struct instance ***ret, unsigned *count),
	 info, name, ret, count)
QUESTION(instances_at_lines, (struct debuginfo *info, const char *file, unsigned first, unsigned last,
			      struct instance ***ret, unsigned *count, bool *file_known),
	 info, file, first, last, ret, count, file_known)
QUESTION(function_at, (struct debuginfo *info, uint64_t address, struct instance ***ret, unsigned *count),
	 info, address, ret, count)
QUESTION(places, (struct debuginfo *info, uint64_t address, struct code_place **ret, unsigned *count),
	 info, address, ret, count)
QUESTION(inner, (struct debuginfo *info, const struct instance *instance, struct instance ***ret, unsigned *count),
	 info, instance, ret, count)
QUESTION(rows, (struct debuginfo *info, const struct instance *instance, struct row **ret, unsigned *count),
	 info, instance, ret, count)
QUESTION(frame, (struct debuginfo *info, const struct instance *instance, uint64_t address,
		 struct frame *ret),
	 info, instance, address, ret)
QUESTION(variables, (struct debuginfo *info, const struct instance *instance, struct position at,
		     bool externs, struct variable **ret, unsigned *count),
	 info, instance, at, externs, ret, count)
QUESTION(variable, (struct debuginfo *info, const struct instance *instance, struct position at,
		    const char *name, struct variable **ret),
	 info, instance, at, name, ret)
QUESTION(object, (struct debuginfo *info, const struct instance *instance, struct position at,
		  uint64_t source, struct variable **ret),
	 info, instance, at, source, ret)
QUESTION(global, (struct debuginfo *info, const char *name, struct variable **ret), info, name, ret)
QUESTION(type_named, (struct debuginfo *info, const struct instance *instance, const char *name,
		      const struct type **ret),
	 info, instance, name, ret)
QUESTION(member, (struct debuginfo *info, const struct type *type, const char *name, struct member **ret),
	 info, type, name, ret)
QUESTION(members, (struct debuginfo *info, const struct type *type, struct member **ret, unsigned *count),
	 info, type, ret, count)
QUESTION(enumerators, (struct debuginfo *info, const struct type *type, struct enumerator **ret,
		       unsigned *count),
	 info, type, ret, count)
QUESTION(constant, (struct debuginfo *info, const char *name, uint64_t numbers[2], unsigned *count),
	 info, name, numbers, count)
QUESTION(return_type, (struct debuginfo *info, const struct function *function, const struct type **ret),
	 info, function, ret)
QUESTION(functions, (struct debuginfo *info, const char *glob,
		     void (*each)(void *cookie, const char *name, const char *linkage, bool has_code,
				  bool inlined), void *cookie),
	 info, glob, each, cookie)

const struct debuginfo_ops dwarf_ops = {
	.name = "dwarf",
	.close = dwarf_close,
	.answer_in = dwarf_answer_in,
	.expect = dwarf_expect,
	.instances = ask_instances,
	.instances_at_lines = ask_instances_at_lines,
	.function_at = ask_function_at,
	.places = ask_places,
	.inner = ask_inner,
	.rows = ask_rows,
	.frame = ask_frame,
	.variables = ask_variables,
	.variable = ask_variable,
	.object = ask_object,
	.global = ask_global,
	.type_named = ask_type_named,
	.member = ask_member,
	.members = ask_members,
	.enumerators = ask_enumerators,
	.constant = ask_constant,
	.return_type = ask_return_type,
	.functions = ask_functions,
};
