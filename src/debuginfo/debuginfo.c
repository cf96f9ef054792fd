// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts questions to a source of debug information, and answers those that the source can't, so that
 * a caller just asks.
 *
 * The surprise: a source that knows no functions finds none, and that isn't an error; but about
 * what is inside a function (lines, variables, types) it answers with the error that says why it
 * can't know (info->absent).
 */
#include "debuginfo/debuginfo.h"

/* A question that the source can answer. */
#define ASK(info, question, ...) (begin(info), end(info, (info)->ops->question(info, __VA_ARGS__)))

static void begin(struct debuginfo *info)
{
	if (info->ops->begin)
		info->ops->begin(info);
}

static struct error *end(struct debuginfo *info, struct error *error)
{
	return info->ops->end ? info->ops->end(info, error) : error;
}

void debuginfo_close(struct debuginfo *info)
{
	if (info->ops->close)
		info->ops->close(info);
}

void debuginfo_answer_in(struct debuginfo *info, struct arena *arena)
{
	if (info->ops->answer_in)
		info->ops->answer_in(info, arena);
}

void debuginfo_expect(struct debuginfo *info, const char *const *names, unsigned count)
{
	if (info->ops->expect && count)
		info->ops->expect(info, names, count);
}

bool debuginfo_has_functions(const struct debuginfo *info)
{
	return info->ops->instances;
}

bool debuginfo_has_lines(const struct debuginfo *info)
{
	return info->ops->rows || !info->ops->instances;
}

struct error *debuginfo_instances(struct debuginfo *info, const char *name, struct instance ***ret,
				  unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->instances ? ASK(info, instances, name, ret, count) : NULL;
}

struct error *debuginfo_instances_at_lines(struct debuginfo *info, struct file_lines lines,
					   struct instance ***ret, unsigned *count,
					   bool *file_known)
{
	*ret = NULL;
	*count = 0;
	*file_known = false;
	return info->ops->instances_at_lines ?
		ASK(info, instances_at_lines, lines, ret, count, file_known) :
		info->absent;
}

struct error *debuginfo_function_at(struct debuginfo *info, uint64_t address,
				    struct instance ***ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->function_at ? ASK(info, function_at, address, ret, count) : NULL;
}

struct error *debuginfo_places(struct debuginfo *info, uint64_t address, struct code_place **ret,
			       unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->places ? ASK(info, places, address, ret, count) : NULL;
}

struct error *debuginfo_source_marks(struct debuginfo *info, const struct source_lines *lines,
				     struct source_marks *ret)
{
	*ret = (struct source_marks){0};
	return info->ops->source_marks ? ASK(info, source_marks, lines, ret) : NULL;
}

struct error *debuginfo_inner(struct debuginfo *info, const struct instance *instance,
			      struct instance ***ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->inner ? ASK(info, inner, instance, ret, count) : NULL;
}

struct error *debuginfo_functions(struct debuginfo *info, const char *glob,
				  void (*each)(void *cookie, const char *name, const char *linkage,
					       bool has_code, bool inlined), void *cookie)
{
	return info->ops->functions ? ASK(info, functions, glob, each, cookie) : NULL;
}

void debuginfo_source_files(struct debuginfo *info, void (*each)(void *cookie, const char *path),
			    void *cookie)
{
	if (info->ops->source_files)
		info->ops->source_files(info, each, cookie);
}

struct error *debuginfo_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
				 unsigned *count)
{
	*count = 0;
	return info->ops->constant ? ASK(info, constant, name, numbers, count) : NULL;
}

struct error *debuginfo_rows(struct debuginfo *info, const struct instance *instance,
			     struct row **ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->rows ? ASK(info, rows, instance, ret, count) : info->absent;
}

uint64_t debuginfo_row_before(struct debuginfo *info, const struct instance *instance,
			      uint64_t address)
{
	return info->ops->row_before ? info->ops->row_before(info, instance, address) : 0;
}

struct error *debuginfo_frame(struct debuginfo *info, const struct instance *instance,
			      uint64_t address, struct frame *ret)
{
	if (info->ops->frame)
		return ASK(info, frame, instance, address, ret);
	*ret = (struct frame){.reason = "there is no debug information"};
	return info->absent;
}

bool debuginfo_has_variables(struct debuginfo *info, const struct instance *instance)
{
	return !info->ops->has_variables || info->ops->has_variables(info, instance);
}

struct error *debuginfo_variables(struct debuginfo *info, const struct instance *instance,
				  struct position at, bool externs, struct variable **ret,
				  unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->variables ? ASK(info, variables, instance, at, externs, ret, count) :
				      info->absent;
}

struct error *debuginfo_variable(struct debuginfo *info, const struct instance *instance,
				 struct position at, const char *name, bool externs,
				 struct variable **ret)
{
	*ret = NULL;
	return info->ops->variable ? ASK(info, variable, instance, at, name, externs, ret) :
				     info->absent;
}

struct error *debuginfo_global(struct debuginfo *info, const char *name, struct variable **ret)
{
	*ret = NULL;
	return info->ops->global ? ASK(info, global, name, ret) : info->absent;
}

struct error *debuginfo_object(struct debuginfo *info, const struct instance *instance,
			       struct position at, uint64_t source, const struct type *pointed,
			       struct variable **ret)
{
	*ret = NULL;
	return info->ops->object ? ASK(info, object, instance, at, source, pointed, ret) :
				   info->absent;
}

struct error *debuginfo_type_named(struct debuginfo *info, const struct instance *instance,
				   const char *name, const struct type **ret)
{
	*ret = NULL;
	return info->ops->type_named ? ASK(info, type_named, instance, name, ret) : info->absent;
}

/* What BTF declares only, it defines nowhere. */
struct error *debuginfo_definition(struct debuginfo *info, const struct type *type,
				   const struct type **ret)
{
	*ret = type;
	return info->ops->definition ? ASK(info, definition, type, ret) : NULL;
}

struct error *debuginfo_member(struct debuginfo *info, const struct type *type, const char *name,
			       struct member **ret)
{
	*ret = NULL;
	return info->ops->member ? ASK(info, member, type, name, ret) : info->absent;
}

struct error *debuginfo_members(struct debuginfo *info, const struct type *type,
				struct member **ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->members ? ASK(info, members, type, ret, count) : info->absent;
}

/* C, which BTF describes, has no base classes. */
struct error *debuginfo_base(struct debuginfo *info, const struct type *type,
			     const struct type *base, bool *found, uint64_t *offset)
{
	*found = false;
	return info->ops->base ? ASK(info, base, type, base, found, offset) : NULL;
}

struct error *debuginfo_enumerators(struct debuginfo *info, const struct type *type,
				    struct enumerator **ret, unsigned *count)
{
	*ret = NULL;
	*count = 0;
	return info->ops->enumerators ? ASK(info, enumerators, type, ret, count) : info->absent;
}

struct error *debuginfo_return_type(struct debuginfo *info, const struct function *function,
				    const struct type **ret)
{
	*ret = NULL;
	return info->ops->return_type ? ASK(info, return_type, function, ret) : info->absent;
}

struct debuginfo *debuginfo_symbols(struct arena *arena, const struct target *target,
				    struct error *reason)
{
	static const struct debuginfo_ops symbols_ops = {.name = "symbols"};
	struct debuginfo *info = arena_new(arena, struct debuginfo);

	info->ops = &symbols_ops;
	info->target = target;
	info->absent = reason;
	return info;
}
