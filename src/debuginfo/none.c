// SPDX-License-Identifier: GPL-2.0-only
/*
 * The source of debug information for a file that has none: it knows no function, so that its
 * symbols alone can be probed, and whoever asks for more gets the reason.
 */
#include "base/error.h"
#include "debuginfo/debuginfo.h"

static void none_close(struct debuginfo *info)
{
	(void)info;
}

static struct error *none_instances(struct debuginfo *info, const char *name,
				    struct instance ***ret, unsigned *count)
{
	(void)info;
	(void)name;
	*ret = NULL;
	*count = 0;
	return NULL;
}

static struct error *none_at_lines(struct debuginfo *info, const char *file, unsigned first,
				   unsigned last, struct instance ***ret, unsigned *count, bool *known)
{
	(void)file;
	(void)first;
	(void)last;
	*ret = NULL;
	*count = 0;
	*known = false;
	return info->absent;
}

static struct error *none_function_at(struct debuginfo *info, uint64_t address,
				      struct instance ***ret, unsigned *count)
{
	(void)address;
	return none_instances(info, NULL, ret, count);
}

static struct error *none_functions(struct debuginfo *info, const char *glob,
				    void (*each)(void *cookie, const char *name, const char *linkage,
						 bool has_code, bool inlined), void *cookie)
{
	(void)info;
	(void)glob;
	(void)each;
	(void)cookie;
	return NULL;
}

static void none_answer_in(struct debuginfo *info, struct arena *arena)
{
	(void)info;
	(void)arena;
}

static struct error *none_constant(struct debuginfo *info, const char *name, uint64_t numbers[2],
				   unsigned *count)
{
	(void)info;
	(void)name;
	(void)numbers;
	*count = 0;
	return NULL;
}

/* The rest: what there is to say is why there is none. */
static struct error *none_rows(struct debuginfo *info, const struct instance *instance, struct row **ret,
			       unsigned *count)
{
	(void)instance;
	*ret = NULL;
	*count = 0;
	return info->absent;
}

static struct error *none_frame(struct debuginfo *info, const struct instance *instance,
				uint64_t address, struct frame *ret)
{
	(void)instance;
	(void)address;
	*ret = (struct frame){.reason = "there is no debug information"};
	return info->absent;
}

static struct error *none_variables(struct debuginfo *info, const struct instance *instance,
				    struct position at, bool externs, struct variable **ret,
				    unsigned *count)
{
	(void)instance;
	(void)at;
	(void)externs;
	*ret = NULL;
	*count = 0;
	return info->absent;
}

static struct error *none_variable(struct debuginfo *info, const struct instance *instance,
				   struct position at, const char *name, struct variable **ret)
{
	(void)instance;
	(void)at;
	(void)name;
	*ret = NULL;
	return info->absent;
}

static struct error *none_object(struct debuginfo *info, const struct instance *instance,
				 struct position at, uint64_t source, struct variable **ret)
{
	(void)source;
	return none_variable(info, instance, at, NULL, ret);
}

static struct error *none_global(struct debuginfo *info, const char *name, struct variable **ret)
{
	return none_variable(info, NULL, (struct position){0}, name, ret);
}

static struct error *none_type_named(struct debuginfo *info, const struct instance *instance,
				     const char *name, const struct type **ret)
{
	(void)instance;
	(void)name;
	*ret = NULL;
	return info->absent;
}

static struct error *none_member(struct debuginfo *info, const struct type *type, const char *name,
				 struct member **ret)
{
	(void)type;
	(void)name;
	*ret = NULL;
	return info->absent;
}

static struct error *none_members(struct debuginfo *info, const struct type *type, struct member **ret,
				  unsigned *count)
{
	*count = 0;
	return none_member(info, type, NULL, ret);
}

static struct error *none_enumerators(struct debuginfo *info, const struct type *type,
				      struct enumerator **ret, unsigned *count)
{
	(void)type;
	*ret = NULL;
	*count = 0;
	return info->absent;
}

static struct error *none_return_type(struct debuginfo *info, const struct function *function,
				      const struct type **ret)
{
	(void)function;
	*ret = NULL;
	return info->absent;
}

/* All of them: a caller calls what it needs, and asks nobody whether it is there. */
static const struct debuginfo_ops none_ops = {
	.name = "none",
	.close = none_close,
	.answer_in = none_answer_in,
	.instances = none_instances,
	.instances_at_lines = none_at_lines,
	.function_at = none_function_at,
	.rows = none_rows,
	.frame = none_frame,
	.variables = none_variables,
	.variable = none_variable,
	.object = none_object,
	.global = none_global,
	.type_named = none_type_named,
	.member = none_member,
	.members = none_members,
	.enumerators = none_enumerators,
	.constant = none_constant,
	.return_type = none_return_type,
	.functions = none_functions,
};

struct debuginfo *debuginfo_none(struct arena *arena, const struct target *target,
				 struct error *reason)
{
	struct debuginfo *info = arena_new(arena, struct debuginfo);

	info->ops = &none_ops;
	info->target = target;
	info->absent = reason;
	return info;
}
