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

/* The rest is only asked about functions and types that a source has given. */
static const struct debuginfo_ops none_ops = {
	.name = "none",
	.close = none_close,
	.answer_in = none_answer_in,
	.instances = none_instances,
	.instances_at_lines = none_at_lines,
	.function_at = none_function_at,
	.functions = none_functions,
	.constant = none_constant,
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
