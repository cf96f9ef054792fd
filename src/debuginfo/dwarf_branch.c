// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs DW_OP_bra and DW_OP_skip: where they lead, and both ways where the condition isn't known.
 *
 * The surprise: libdw tells where each operation begins, but not where the last one ends.
 */
#include "expr/expr.h"
#include "debuginfo/machine.h"

/* Length of an operand as a LEB128 number in its shortest form, in bytes. */
static unsigned leb_length(uint64_t value, bool is_signed)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll((is_signed && (int64_t)value < 0 ? ~value :
							value) | 1);

	return (bits + (is_signed && value && ~value) + 6) / 7;
}

/* Length of an operation in bytes; 0 when unknown. */
static unsigned op_length(const Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return 1 + leb_length(op->number, true);
	switch (atom) {
	case DW_OP_fbreg:
	case DW_OP_consts: return 1 + leb_length(op->number, true);
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_piece: return 1 + leb_length(op->number, false);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size: return 2;
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip: return 3;
	case DW_OP_const4u:
	case DW_OP_const4s: return 5;
	case DW_OP_const8u:
	case DW_OP_const8s: return 9;
	default:
		return binary_op(atom) != EXPR_CONST || atom == DW_OP_stack_value ||
		       atom == DW_OP_deref || (atom >= DW_OP_dup && atom <= DW_OP_over) ||
		       atom == DW_OP_swap || atom == DW_OP_rot || atom == DW_OP_abs ||
		       atom == DW_OP_neg || atom == DW_OP_not || atom == DW_OP_nop ||
		       (atom >= DW_OP_lit0 && atom <= DW_OP_lit31);
	}
}

/* Where a branch leads: the index of an operation, or count for the end. Returns false when it
 * leads into the middle of one. */
static bool branch_target(const Dwarf_Op *ops, size_t count, size_t index, size_t *ret)
{
	/* both operations take three bytes */
	uint64_t to = ops[index].offset + 3 + (uint64_t)(int64_t)(int16_t)ops[index].number;
	unsigned last = op_length(&ops[count - 1]);

	for (*ret = 0; *ret < count; ++*ret)
		if (ops[*ret].offset == to)
			return true;
	return last && to == ops[count - 1].offset + last;
}

/* Runs both ways to the end; the value is one or the other, by the condition. */
static void both_ways(struct machine *m, const Dwarf_Op *ops, size_t count, size_t there,
		      size_t here)
{
	struct arena *arena = m->info->arena;
	const struct expr *condition = pop_slot(m).expr;
	struct machine *other = arena_new(arena, struct machine);
	struct slot *mine, *its;

	*other = *m;
	machine_run(other, ops, count, there);
	m->steps = other->steps;
	machine_run(m, ops, count, here);
	if (other->reason)
		machine_refuse(m, other->reason);
	if (m->npieces || other->npieces) {
		machine_refuse(m, "DW_OP_bra in a location in pieces (DW_OP_piece)");
		return;
	}
	if (m->reason || m->end != other->end || m->depth == m->floor ||
	    other->depth == other->floor || m->end == LOC_IMPLICIT) {
		machine_refuse(m, "DW_OP_bra between locations of different kinds");
		return;
	}
	mine = &m->stack[m->depth - 1];
	its = &other->stack[other->depth - 1];
	if (expr_equal(mine->expr, its->expr) && !expr_may_fail(condition))
		return;
	mine->expr = expr_if(arena, condition, its->expr, mine->expr);
	check_size(m, mine->expr);
}

/* Sets *index to where execution goes on. Returns false when the condition is unknown: then both
 * ways were run to the end. */
bool branch(struct machine *m, const Dwarf_Op *ops, size_t count, size_t *index)
{
	size_t there, here = *index + 1;

	if (!branch_target(ops, count, *index, &there)) {
		machine_refuse(m, "a DWARF branch into the middle of an operation");
		return true;
	}
	if (ops[*index].atom == DW_OP_skip) {
		*index = there;
		return true;
	}
	if (m->depth > m->floor && m->stack[m->depth - 1].expr->op == EXPR_CONST) {
		*index = pop_slot(m).expr->value ? there : here;
		return true;
	}
	both_ways(m, ops, count, there, here);
	return false;
}
