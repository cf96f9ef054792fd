// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function's parameters at its entry, where the calling convention has put them, and what it
 * returns.
 *
 * The surprise: one parameter that needs more than a register (a struct by value) leaves it open where
 * all behind it are, so none of these has a value.
 */
#include <string.h>

#include "debuginfo/btf/btf.h"
#include "expr/expr.h"

/* Hands out argument registers in the order of the parameters. */
struct convention {
	struct btf_info *info;
	const char *doubt;   /* why no parameter has a value; or NULL */
	const struct variable *blocker; /* one before that has no single register; or NULL */
	unsigned used;       /* registers so far */
};

static bool is_in_register(const struct type *type)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_BOOL:
	case TYPE_CHAR:
	case TYPE_ENUM:
	case TYPE_POINTER: return type->size && type->size <= 8;
	default: return false;
	}
}

static const char *refusal(struct convention *convention, const struct variable *variable)
{
	struct btf_info *info = convention->info;

	if (convention->doubt)
		return convention->doubt;
	if (convention->blocker)
		return arena_printf(info->arena, "where it is depends on '%s' before it, a '%s' by value",
				    convention->blocker->name ?: "one", convention->blocker->type->name);
	if (!is_in_register(variable->type))
		return arena_printf(info->arena, "it is a whole '%s' by value: no one register has it",
				    variable->type->name);
	if (convention->used >= info->input.arch->narguments)
		return arena_printf(info->arena, "it is on the stack: the registers carry the first %u parameters",
				    info->input.arch->narguments);
	return NULL;
}

/* The low bytes of a register; what is above them is anything. */
static void place_parameter(struct convention *convention, struct variable *variable)
{
	const struct arch *arch = convention->info->input.arch;
	const char *reason = refusal(convention, variable);

	if (reason)
		variable->loc = (struct loc){.kind = LOC_REFUSED, .reason = reason};
	else
		variable->loc = (struct loc){
			.kind = LOC_VALUE,
			.expr = expr_leaf(convention->info->arena, EXPR_REG, arch->arguments[convention->used]),
		};
	if (!is_in_register(variable->type) && variable->type->kind != TYPE_FLOAT && !convention->blocker)
		convention->blocker = variable;
	convention->used++;
}

struct error *btf_variables(struct debuginfo *base, const struct instance *instance, struct position at,
			    bool externs, struct variable **ret, unsigned *count)
{
	struct btf_info *info = btf_info(base);
	const struct btf_place *place = btf_place_of(instance->source);
	uint32_t prototype = info->functions[place->function].prototype;
	const struct btf_type *type = prototype ? btf__type_by_id(info->btf, prototype) : NULL;
	struct convention convention = {.info = info, .doubt = btf_doubt(info, place)};

	(void)externs;
	if (!convention.doubt && at.address != instance->entry)
		convention.doubt = "BTF tells of parameters only where a function begins";
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
		place_parameter(&convention, variable);
		*count += !!name;
	}
	return NULL;
}

/* Why nothing at all is known of the function's parameters. */
static struct error *undescribed(struct btf_info *info, const struct btf_place *place)
{
	const char *name = info->functions[place->function].name;

	return error_hint(info->arena, error_new(
		info->arena, ERROR_NO_VALUE, "BTF doesn't describe '%s': its only code is a clone, '%s'", name,
		place->symbol->name), "record registers: %s %%%s", place->symbol->name,
		info->input.arch->registers[info->input.arch->arguments[0]]);
}

struct error *btf_variable(struct debuginfo *base, const struct instance *instance, struct position at,
			   const char *name, struct variable **ret)
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
	if (!error && !*ret)
		error = btf_global(base, name, ret);
	return error || *ret || info->functions[place->function].prototype ? error : undescribed(info, place);
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
		return error_new(info->arena, ERROR_AMBIGUOUS, "'%s' is the name of %u variables, and BTF doesn't "
				 "tell which of them is meant here", name, count);
	return NULL;
}

struct error *btf_return_type(struct debuginfo *base, const struct function *function,
			      const struct type **ret)
{
	struct btf_info *info = btf_info(base);
	const struct btf_place *place = btf_place_of(function->source);
	const char *doubt = btf_doubt(info, place);

	if (doubt)
		return error_hint(info->arena, error_new(info->arena, ERROR_NO_VALUE, "what '%s' returns isn't "
				  "known: %s", function->name, doubt), "the register alone: $retval:x64");
	*ret = btf_type(info, btf__type_by_id(info->btf, info->functions[place->function].prototype)->type);
	return NULL;
}

#define RETURN_ADDRESS 8 /* bytes: all that a call has pushed when the function begins */

struct error *btf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			struct frame *ret)
{
	struct btf_info *info = btf_info(base);

	*ret = (struct frame){.entry = instance->entry};
	ret->entry_cfa = expr_offset(info->arena,
				     expr_leaf(info->arena, EXPR_REG, info->input.arch->stack_register),
				     RETURN_ADDRESS);
	ret->cfa = ret->entry_cfa;
	if (address != instance->entry)
		ret->reason = "BTF knows a call's frame only where the function begins";
	return NULL;
}
