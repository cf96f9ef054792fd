// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes the CFA and the caller's registers by the rules of a row, over the registers of a frame
 * and what was recorded of its stack. An operation or a register that isn't known ends it, as does
 * memory that was not recorded.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>

#include "target/cfi.h"

static bool load(struct machine *machine, uint64_t address, unsigned size, uint64_t *ret)
{
	uint64_t offset = address - machine->from;

	*ret = 0;
	if (offset >= machine->memory->length || machine->memory->length - offset < size) {
		machine->lacks_memory = true;
		return false;
	}
	memcpy(ret, machine->memory->bytes + offset, size);
	return true;
}

static bool get_register(const struct machine *machine, uint64_t number, uint64_t *ret)
{
	if (number >= STACK_REGISTERS || !(machine->state->known >> number & 1))
		return false;
	*ret = machine->state->registers[number];
	return true;
}

static bool push(struct machine *machine, uint64_t number)
{
	if (machine->depth == DEPTH_MAX)
		return false;
	machine->stack[machine->depth++] = number;
	return true;
}

static bool binary(struct machine *machine, unsigned atom)
{
	uint64_t *a, b;

	if (machine->depth < 2)
		return false;
	b = machine->stack[--machine->depth];
	a = &machine->stack[machine->depth - 1];
	switch (atom) {
	case DW_OP_plus: *a += b; return true;
	case DW_OP_minus: *a -= b; return true;
	case DW_OP_mul: *a *= b; return true;
	case DW_OP_and: *a &= b; return true;
	case DW_OP_or: *a |= b; return true;
	case DW_OP_xor: *a ^= b; return true;
	case DW_OP_shl: *a = b < 64 ? *a << b : 0; return true;
	case DW_OP_shr: *a = b < 64 ? *a >> b : 0; return true;
	case DW_OP_eq: *a = *a == b; return true;
	case DW_OP_ne: *a = *a != b; return true;
	case DW_OP_ge: *a = (int64_t)*a >= (int64_t)b; return true;
	case DW_OP_gt: *a = (int64_t)*a > (int64_t)b; return true;
	case DW_OP_le: *a = (int64_t)*a <= (int64_t)b; return true;
	case DW_OP_lt: *a = (int64_t)*a < (int64_t)b; return true;
	default: return false;
	}
}

/* Runs one operation. Returns false for what isn't known here. */
static bool run_op(struct machine *machine, const Dwarf_Op *op)
{
	uint64_t number;

	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(machine, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return get_register(machine, op->atom - DW_OP_breg0, &number) &&
		       push(machine, number + op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return get_register(machine, op->number, &number) &&
		       push(machine, number + op->number2);
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return push(machine, op->number);
	case DW_OP_call_frame_cfa: return push(machine, machine->cfa);
	case DW_OP_dup:
		return machine->depth && push(machine, machine->stack[machine->depth - 1]);
	case DW_OP_drop: return machine->depth && machine->depth--;
	case DW_OP_plus_uconst:
		if (!machine->depth)
			return false;
		machine->stack[machine->depth - 1] += op->number;
		return true;
	case DW_OP_deref:
		return machine->depth && load(machine, machine->stack[machine->depth - 1], WORD,
					      &machine->stack[machine->depth - 1]);
	case DW_OP_nop: return true;
	default: return binary(machine, op->atom);
	}
}

/* *is_value: the result is the number itself, not where it is. */
static bool run(struct machine *machine, const Dwarf_Op *ops, size_t count, uint64_t *ret,
		bool *is_value)
{
	machine->depth = 0;
	*is_value = false;
	for (size_t i = 0; i < count; i++) {
		if (ops[i].atom == DW_OP_stack_value) {
			*is_value = true;
			break;
		}
		if (!run_op(machine, &ops[i]))
			return false;
	}
	if (!machine->depth)
		return false;
	*ret = machine->stack[machine->depth - 1];
	return true;
}

bool machine_find_cfa(struct machine *machine, const struct row *row)
{
	bool is_value;

	if (row->is_simple_cfa) {
		if (!get_register(machine, row->cfa_register, &machine->cfa))
			return false;
		machine->cfa += (uint64_t)row->cfa_offset;
		return true;
	}
	return row->ncfa && run(machine, row->cfa, row->ncfa, &machine->cfa, &is_value);
}

bool machine_restore(struct machine *machine, const struct rule *rule, unsigned number,
		     uint64_t *ret)
{
	bool is_value;

	switch (rule->kind) {
	case RULE_UNDEFINED: return false;
	case RULE_SAME: return get_register(machine, number, ret);
	case RULE_AT_CFA: return load(machine, machine->cfa + (uint64_t)rule->offset, WORD, ret);
	case RULE_IS_CFA: *ret = machine->cfa + (uint64_t)rule->offset; return true;
	case RULE_EXPRESSION: break;
	}
	return run(machine, rule->ops, rule->nops, ret, &is_value) &&
	       (is_value || load(machine, *ret, WORD, ret));
}
