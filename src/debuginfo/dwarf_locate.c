// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what a variable is at a position: a constant, or what its location says there. A location
 * that can't be read is refused, and one that says nothing there is absent.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "expr/expr.h"

static void constant_location(struct dwarf_info *info, Dwarf_Attribute *attribute, struct loc *ret)
{
	Dwarf_Word value = 0;
	Dwarf_Block block;

	if (!dwarf_formblock(attribute, &block)) {
		if (block.length > sizeof(value)) {
			ret->kind = LOC_REFUSED;
			ret->reason = "a constant of more than 8 bytes";
			return;
		}
		memcpy(&value, block.data, block.length);
	} else if (dwarf_whatform(attribute) == DW_FORM_sdata ||
		   dwarf_whatform(attribute) == DW_FORM_implicit_const) {
		Dwarf_Sword is_signed = 0;

		dwarf_formsdata(attribute, &is_signed);
		value = (Dwarf_Word)is_signed;
	} else if (dwarf_formudata(attribute, &value)) {
		ret->kind = LOC_REFUSED;
		ret->reason = "a constant that isn't a number";
		return;
	}
	ret->kind = LOC_VALUE;
	ret->expr = expr_const(info->arena, value);
}

void dwarf_locate(struct dwarf_info *info, const struct instance *instance, Dwarf_Die *die,
		  struct position at, struct variable *ret)
{
	struct described described;
	Dwarf_Attribute attribute;
	Dwarf_Die frame;
	int found;

	ret->loc = (struct loc){.kind = LOC_ABSENT, .reason = "it was optimised out"};
	if (dwarf_attr_integrate(die, DW_AT_const_value, &attribute)) {
		constant_location(info, &attribute, &ret->loc);
		return;
	}
	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
	    (instance && !die_at(info, instance->outer_source, &frame)))
		return;
	found = dwarf_ops_at(info, die, &attribute, at, &described);
	ret->holds = described.holds;
	ret->holds_view = described.holds_view;
	ret->is_uniform = described.is_uniform;
	ret->parts = described.parts;
	if (found > 0 && instance &&
	    untold_register(info, instance, die, &described, at, &ret->loc))
		return;
	if (found > 0) {
		dwarf_evaluate(info, &described, instance ? &frame : NULL, at.address, &ret->loc);
		ret->is_home = instance && !described.holds.end && ret->loc.kind == LOC_MEMORY &&
			       leaves_out_stores(&frame);
		leave_out_unsure_widths(info, instance ? &frame : die, ret->type, &ret->loc);
		return;
	}
	ret->loc.kind = found ? LOC_REFUSED : LOC_ABSENT;
	ret->loc.reason = described.reason;
}
