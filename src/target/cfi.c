// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a row of call frame information: for each register, where the caller's is. Most rules are
 * the CFA and an offset, which are told apart here; the others stay libdw's expressions.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "pack/pack.h"
#include "target/cfi.h"

bool find_cfi_frame(const struct target *target, uint64_t address, Dwarf_Frame **ret)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(target->dwfl_module, &bias);

	if (cfi && !dwarf_cfi_addrframe(cfi, address - bias, ret))
		return true;
	cfi = dwfl_module_dwarf_cfi(target->dwfl_module, &bias);
	if (cfi && target->image && !pack_fill_frames(target->image, address - bias))
		return false;
	return cfi && !dwarf_cfi_addrframe(cfi, address - bias, ret);
}

static void read_cfa(struct row *row)
{
	Dwarf_Op *ops;

	if (dwarf_frame_cfa(row->frame, &ops, &row->ncfa))
		return;
	row->cfa = ops;
	if (row->ncfa != 1)
		return;
	row->is_simple_cfa =
		(ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) || ops->atom == DW_OP_bregx;
	row->cfa_register = ops->atom == DW_OP_bregx ? (unsigned)ops->number :
						       (unsigned)ops->atom - DW_OP_breg0;
	row->cfa_offset = (int64_t)(ops->atom == DW_OP_bregx ? ops->number2 : ops->number);
}

/* What libdw says by the form of the expression: libdw.h, dwarf_frame_register(). */
static void read_rule(struct row *row, unsigned number)
{
	struct rule *rule = &row->rules[number];
	Dwarf_Op *room = row->room[number], *ops;
	bool is_value, has_offset;

	if (dwarf_frame_register(row->frame, (int)number, room, &ops, &rule->nops))
		return;
	if (!rule->nops) {
		rule->kind = ops ? RULE_UNDEFINED : RULE_SAME;
		return;
	}
	rule->ops = ops;
	rule->kind = RULE_EXPRESSION;
	if (ops[0].atom != DW_OP_call_frame_cfa)
		return;
	has_offset = rule->nops > 1 && ops[1].atom == DW_OP_plus_uconst;
	is_value = ops[rule->nops - 1].atom == DW_OP_stack_value;
	if (rule->nops != 1u + has_offset + is_value)
		return;
	rule->offset = has_offset ? (int64_t)ops[1].number : 0;
	rule->kind = is_value ? RULE_IS_CFA : RULE_AT_CFA;
}

struct row *read_cfi_row(const struct target *target, uint64_t address)
{
	struct row *row = calloc(1, sizeof(*row));

	if (!row)
		return NULL;
	row->address = address;
	if (!find_cfi_frame(target, address, &row->frame)) {
		row->frame = NULL;
		return row;
	}
	if (dwarf_frame_info(row->frame, NULL, NULL, &row->is_signal) != RETURN_ADDRESS)
		return row;
	read_cfa(row);
	for (unsigned i = 0; i < STACK_REGISTERS; i++)
		read_rule(row, i);
	return row;
}
