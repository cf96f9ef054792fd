// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells where a register that debug information names for all of a variable's scope may hold
 * something else, and whether a unit describes variables at all.
 *
 * The surprise: the same words are true of a parameter that nothing changes, but not where gcc
 * followed no variables (-fno-var-tracking, as for a kernel with reduced debug information). There
 * the calling convention tells where a parameter is at the function's entry, and nothing tells
 * where it is later.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/questions.h"
#include "expr/expr.h"
#include "ktrace/arch.h"

static bool is_whole_scope(Dwarf_Attribute *location)
{
	return dwarf_whatform(location) == DW_FORM_exprloc ||
	       dwarf_whatform(location) == DW_FORM_block1;
}

/* How many registers it consists of; 0 if it has another part. */
static unsigned registers(const struct described *described)
{
	unsigned count = 0;

	for (size_t i = 0; i < described->count; i++) {
		unsigned atom = described->ops[i].atom;

		if (atom == DW_OP_regx || (atom >= DW_OP_reg0 && atom <= DW_OP_reg31))
			count++;
		else if (atom != DW_OP_piece)
			return 0;
	}
	return count;
}

/* Whether it is one number in several registers. Those that gcc follows have a list; of the others
 * it names the registers that they are in for some of the code. Structs it follows. */
static bool is_split_number(const struct type *type, unsigned nregisters)
{
	return nregisters > 1 && type->kind != TYPE_STRUCT && type->kind != TYPE_UNION &&
	       (type->kind != TYPE_ARRAY || type->is_complex);
}

static bool follows_variables(Dwarf_Die *unit)
{
	static const char option[] = " -fno-var-tracking";

	for (const char *at = producer_of(unit); (at = strstr(at, option)); at += strlen(option))
		if (at[strlen(option)] == ' ' || !at[strlen(option)])
			return false;
	return true;
}

/* System V ABI AMD64, 3.2.3. */
static bool takes_one_register(const struct type *type)
{
	return type->size <= 8 &&
	       (type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
		type->kind == TYPE_ENUM || type->kind == TYPE_POINTER);
}

/* The register in which the calling convention passes the parameter of the function, out of line;
 * -1: it isn't known. All parameters before it take a register each, and so does what is returned,
 * if anything. A function with an abstract origin may be a clone (.isra), whose parameters are
 * others. */
static int passed_in(struct dwarf_info *info, Dwarf_Die *function, Dwarf_Die *parameter)
{
	const struct arch *arch = info->base.arch;
	const struct type *returned = dwarf_type_of(info, function);
	unsigned before = 0;
	Dwarf_Die each;

	if (!arch || dwarf_hasattr(function, DW_AT_abstract_origin) ||
	    (returned->kind != TYPE_VOID && !takes_one_register(returned)) ||
	    die_child(info, function, &each))
		return -1;
	do {
		if (dwarf_tag(&each) != DW_TAG_formal_parameter)
			continue;
		if (before == arch->narguments || !takes_one_register(dwarf_type_of(info, &each)))
			return -1;
		if (dwarf_dieoffset(&each) == dwarf_dieoffset(parameter))
			return arch->arguments[before];
		before++;
	} while (!die_sibling(info, &each, &each));
	return -1;
}

/* Whether the function has no arguments at all. */
bool has_no_arguments(struct dwarf_info *info, Dwarf_Die *function)
{
	const struct type *returned = dwarf_type_of(info, function);
	Dwarf_Die each;

	if (returned->kind != TYPE_VOID && !takes_one_register(returned))
		return false; /* where to put it may be one */
	if (die_child(info, function, &each))
		return true;
	do {
		int tag = dwarf_tag(&each);

		if (tag == DW_TAG_formal_parameter || tag == DW_TAG_unspecified_parameters)
			return false;
	} while (!die_sibling(info, &each, &each));
	return true;
}

static bool refuse(struct loc *ret, const char *reason)
{
	*ret = (struct loc){.kind = LOC_REFUSED, .reason = reason};
	return true;
}

bool untold_register(struct dwarf_info *info, const struct instance *instance, Dwarf_Die *die,
		     const struct described *described, struct position at, struct loc *ret)
{
	int tag = dwarf_tag(die), passed = -1;
	unsigned nregisters = registers(described);
	Dwarf_Die unit, function;

	/* the register of a global is the source's choice */
	if (!nregisters || !is_whole_scope(described->attribute) ||
	    !dwarf_diecu(die, &unit, NULL, NULL) || !optimising_gcc(&unit))
		return false;
	if (is_split_number(dwarf_type_of(info, die), nregisters))
		return refuse(ret, "debug information names the same registers for all of its "
				   "scope, where other things are in them as well");
	if (nregisters > 1)
		return false;
	if (tag == DW_TAG_variable)
		return refuse(
			ret,
			"debug information names one register for all of its scope, where other "
			"things are in it as well");
	if (tag != DW_TAG_formal_parameter || follows_variables(&unit))
		return false;
	if (!instance->inlined && at.address == instance->entry &&
	    die_at(info, instance->source, &function))
		passed = passed_in(info, &function, die);
	if (passed < 0)
		return refuse(ret, "the compiler followed no variables (-fno-var-tracking), so "
				   "that debug information names one register for all of its "
				   "scope, where other things are in it as well");
	*ret = (struct loc){.kind = LOC_VALUE,
			    .expr = expr_leaf(info->arena, EXPR_REG, (uint64_t)passed)};
	return true;
}

/* Whether there is a variable at file scope, or one of a function that isn't inlined. */
static bool tells_variables(struct dwarf_info *info, Dwarf_Die *parent, bool is_unit)
{
	Dwarf_Die die;

	if (die_child(info, parent, &die))
		return false;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			/* with -g1 gcc names the globals, without their types */
			if (dwarf_hasattr_integrate(&die, DW_AT_type))
				return true;
			break;
		case DW_TAG_formal_parameter:
		case DW_TAG_base_type:
		case DW_TAG_imported_unit:
		case DW_TAG_namespace:
		case DW_TAG_module:
			return true;
		case DW_TAG_subprogram:
			if (is_unit && tells_variables(info, &die, false))
				return true;
			break;
		default:
			break;
		}
	} while (!die_sibling(info, &die, &die));
	return false;
}

bool dwarf_has_variables(struct debuginfo *base, const struct instance *instance)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die die, unit;

	return !die_at(info, instance->outer_source, &die) ||
	       !dwarf_diecu(&die, &unit, NULL, NULL) || tells_variables(info, &unit, true);
}
