// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where parameters are when a function begins: System V ABI AMD64, 3.2.3, as far as one register
 * carries one parameter.
 *
 * The surprise: what a function returns counts too. A large struct is written to where a pointer
 * says that takes the first register, and all parameters move by one.
 */
#include "debuginfo/btf/convention.h"

#include "expr/expr.h"

#define MEMBERS_DEPTH 8

static bool is_number(const struct type *type)
{
	return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
	       type->kind == TYPE_ENUM || type->kind == TYPE_POINTER;
}

static bool is_record(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Whether it is made of nothing but whole numbers, each at a multiple of its size: what isn't
 * aligned goes by memory, and floating point by other registers. */
static bool is_of_integers(struct btf_info *info, const struct type *type, uint64_t offset,
			   unsigned depth)
{
	const struct btf_type *record = is_record(type) ? btf_definition(info, type) : NULL;
	bool is_plain = depth < MEMBERS_DEPTH;

	if (type->kind == TYPE_ARRAY)
		return is_plain && is_of_integers(info, type->target, offset, depth + 1);
	if (!record)
		return is_number(type) && type->size && offset % type->size == 0;
	for (unsigned i = 0; is_plain && i < btf_vlen(record); i++)
		is_plain = btf_member_bitfield_size(record, i) ||
			   is_of_integers(info, btf_type(info, btf_members(record)[i].type),
					  offset + btf_member_bit_offset(record, i) / 8, depth + 1);
	return is_plain;
}

static bool is_in_register(struct btf_info *info, const struct type *type)
{
	return type->size && type->size <= 8 &&
	       (is_number(type) || (is_record(type) && is_of_integers(info, type, 0, 0)));
}

/* Goes by memory, or by registers of its own. */
static bool takes_none(const struct type *type)
{
	return type->kind == TYPE_FLOAT || (is_record(type) && type->size > 16);
}

void convention_begin(struct convention *convention, const struct type *returned, const char *doubt)
{
	convention->doubt = doubt;
	if (doubt || !is_record(returned))
		return;
	if (returned->size > 16)
		convention->used = 1;
	else if (!is_of_integers(convention->info, returned, 0, 0))
		convention->doubt = arena_printf(convention->info->arena,
						 "it isn't known how a '%s' is returned, "
						 "and so where the parameters are",
						 returned->name);
}

static const char *refusal(const struct convention *convention, const struct variable *parameter)
{
	struct arena *arena = convention->info->arena;
	unsigned registers = convention->info->base.arch->narguments;

	if (convention->doubt)
		return convention->doubt;
	if (convention->blocker)
		return arena_printf(
			arena, "where it is depends on how '%s' before it is passed, a whole '%s'",
			convention->blocker->name ?: "?", convention->blocker->type->name);
	if (!is_in_register(convention->info, parameter->type))
		return arena_printf(arena, "it is a whole '%s', which no one register carries",
				    parameter->type->name);
	if (convention->used >= registers)
		return arena_printf(arena,
				    "it is on the stack: registers carry the first %u parameters",
				    registers);
	return NULL;
}

void convention_place(struct convention *convention, struct variable *parameter)
{
	struct btf_info *info = convention->info;
	const char *reason = refusal(convention, parameter);

	if (reason)
		parameter->loc = (struct loc){.kind = LOC_REFUSED, .reason = reason};
	else
		parameter->loc = (struct loc){
			.kind = LOC_VALUE,
			.expr = expr_leaf(info->arena, EXPR_REG,
					  info->base.arch->arguments[convention->used]),
		};
	if (takes_none(parameter->type))
		return;
	if (!convention->blocker && !is_in_register(info, parameter->type))
		convention->blocker = parameter;
	convention->used++;
}
