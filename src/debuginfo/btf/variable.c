// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function's parameters at its entry, what it returns, and the few variables that BTF has.
 *
 * The surprise: nothing but the entry is known. A return's parameters are those of the entry, too
 * (resolve/entry.c).
 */
#include <string.h>

#include "debuginfo/btf/btf.h"
#include "debuginfo/btf/convention.h"
#include "expr/expr.h"

struct error *btf_variables(struct debuginfo *base, const struct instance *instance,
			    struct position at, bool externs, struct variable **ret,
			    unsigned *count)
{
	struct btf_info *info = btf_info(base);
	const struct btf_place *place = btf_place_of(instance->source);
	uint32_t prototype = info->functions[place->function].prototype;
	const struct btf_type *type = prototype ? btf__type_by_id(info->btf, prototype) : NULL;
	struct convention convention = {.info = info};
	const char *doubt = btf_doubt(info, place);

	(void)externs;
	if (!doubt && at.address != instance->entry)
		doubt = "BTF tells of parameters only where a function begins";
	if (type)
		convention_begin(&convention, btf_type(info, type->type), doubt);
	*count = 0;
	*ret = arena_array(info->arena, struct variable, type ? btf_vlen(type) + 1u : 1);
	for (unsigned i = 0; type && i < btf_vlen(type) && btf_params(type)[i].type; i++) {
		const char *name = btf_name(info, btf_params(type)[i].name_off);
		struct variable *variable = &(*ret)[*count];

		*variable = (struct variable){
			.name = name,
			.scope = SCOPE_PARAMETER,
			.type = btf_type(info, btf_params(type)[i].type),
		};
		convention_place(&convention, variable);
		*count += !!name;
	}
	return NULL;
}

/* Why a name may well be a parameter's, though it isn't known as one; NULL: the parameters are
 * known. */
static struct error *undescribed(struct btf_info *info, const struct btf_place *place)
{
	const char *name = info->functions[place->function].name, *doubt = btf_doubt(info, place);

	if (info->functions[place->function].prototype)
		return doubt ? error_hint(
				       info->arena,
				       error_new(info->arena, ERROR_NO_VALUE, "%s", doubt),
				       "record registers: '%s %%%s'", name,
				       info->base.arch->registers[info->input.arch->arguments[0]]) :
			       NULL;
	return error_hint(info->arena,
			  error_new(info->arena, ERROR_NO_VALUE,
				    "BTF doesn't describe '%s': its only code is a clone, '%s'",
				    name, place->symbol->name),
			  "record registers: %s %%%s", place->symbol->name,
			  info->base.arch->registers[info->input.arch->arguments[0]]);
}

struct error *btf_variable(struct debuginfo *base, const struct instance *instance,
			   struct position at, const char *name, bool externs,
			   struct variable **ret)
{
	struct btf_info *info = btf_info(base);
	const struct btf_place *place = btf_place_of(instance->source);
	struct variable *list;
	unsigned count;
	struct error *error = btf_variables(base, instance, at, false, &list, &count);

	*ret = NULL;
	for (unsigned i = 0; !error && i < count; i++)
		if (!strcmp(list[i].name, name))
			*ret = &list[i];
	if (!error && !*ret && externs)
		error = btf_global(base, name, ret);
	return error || *ret ? error : undescribed(info, place);
}

/* BTF has the per-CPU variables alone; the symbol of the same name tells where one is. */
struct error *btf_global(struct debuginfo *base, const char *name, struct variable **ret)
{
	struct btf_info *info = btf_info(base);
	unsigned count = 0;

	*ret = NULL;
	for (uint32_t id = info->own; id < info->end; id++) {
		const struct btf_type *type = btf__type_by_id(info->btf, id);

		if (!btf_is_var(type) || strcmp(btf_name(info, type->name_off) ?: "", name) != 0)
			continue;
		count++;
		*ret = arena_new(info->arena, struct variable);
		**ret = (struct variable){
			.name = arena_strdup(info->arena, name),
			.scope = SCOPE_GLOBAL,
			.type = btf_type(info, type->type),
			.loc = {.kind = LOC_ABSENT},
			.is_declared = true,
		};
	}
	if (count > 1)
		return error_new(info->arena, ERROR_AMBIGUOUS,
				 "'%s' is the name of %u variables, and BTF doesn't "
				 "tell which of them is meant here",
				 name, count);
	return NULL;
}

struct error *btf_return_type(struct debuginfo *base, const struct function *function,
			      const struct type **ret)
{
	struct btf_info *info = btf_info(base);
	const struct btf_place *place = btf_place_of(function->source);
	const char *doubt = btf_doubt(info, place);

	if (doubt)
		return error_hint(info->arena,
				  error_new(info->arena, ERROR_NO_VALUE,
					    "what '%s' returns isn't known: %s",
					    function->name, doubt),
				  "the register alone: $retval:x64");
	*ret = btf_type(
		info, btf__type_by_id(info->btf, info->functions[place->function].prototype)->type);
	return NULL;
}

#define RETURN_ADDRESS 8 /* bytes: all that a call has pushed when the function begins */

struct error *btf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			struct frame *ret)
{
	struct btf_info *info = btf_info(base);

	*ret = (struct frame){.entry = instance->entry};
	ret->entry_cfa = expr_offset(
		info->arena, expr_leaf(info->arena, EXPR_REG, info->base.arch->stack_register),
		RETURN_ADDRESS);
	ret->cfa = ret->entry_cfa;
	if (address != instance->entry)
		ret->reason = "BTF knows a call's frame only where the function begins";
	return NULL;
}
