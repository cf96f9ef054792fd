// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluates a DWARF expression at a pc to a struct loc: runs it on a stack of symbolic values
 * (DWARF 5, section 2.5). An operation that can't be run refuses the whole expression, by the
 * operation's name; a partial answer is never given.
 *
 * The surprise: an expression that ends without DW_OP_stack_value has computed an *address*.
 */
#include <string.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/machine.h"
#include "debuginfo/section_bytes.h"
#include "expr/expr.h"

#define STEP_BUDGET OPERATIONS_MAX /* including those of nested expressions */
#define OP_STEPS    16

/* Runs an expression inside another one, on a stack of its own, and returns its value, already
 * popped. */
struct slot machine_run_inner(struct machine *m, const Dwarf_Op *ops, size_t count)
{
	struct slot ret = {expr_const(m->info->arena, 0), 0, false};
	enum loc_kind end = m->end;
	unsigned floor = m->floor;

	m->floor = m->depth;
	m->nesting++;
	machine_run(m, ops, count, 0);
	m->nesting--;
	if (m->end != LOC_MEMORY && m->end != LOC_VALUE)
		machine_refuse(m, "a DWARF expression inside another one that isn't a value");
	if (!m->reason)
		ret = pop_slot(m);
	m->depth = m->floor;
	m->floor = floor;
	m->end = end;
	m->done = false;
	return ret;
}

static void push_address(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address = op->number;
	Dwarf_Word constant;

	if (op->atom != DW_OP_addr &&
	    (dwarf_getlocation_attr(m->attribute, op, &attribute) ||
	     (dwarf_formaddr(&attribute, &address) && dwarf_formudata(&attribute, &constant)))) {
		machine_refuse_op(m, op->atom);
		return;
	}
	if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		push_constant(m, dwarf_formudata(&attribute, &constant) ? address : constant);
	else
		push_generic(m, expr_leaf(m->info->arena, EXPR_STATIC, address + m->info->bias));
}

/* DW_OP_implicit_value: the value's bytes stand in the expression. */
static void implicit_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (dwarf_getlocation_implicit_value(m->attribute, op, &block) || block.length > 8) {
		machine_refuse(m, "a DW_OP_implicit_value of more than 8 bytes");
		return;
	}
	memcpy(&value, block.data, block.length);
	push_constant(m, value);
	m->end = LOC_VALUE;
	m->done = true;
}

/* The pointee isn't in memory: its value is that of another variable. */
static void implicit_pointer(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Die die;

	m->target = op->number | split_tag(m->attribute->cu) |
		    (is_alt(m->info, m->attribute->cu) ? HANDLE_ALT : 0);
	if (!handle_die(m->info, m->target, &die)) {
		machine_refuse_op(m, op->atom);
		return;
	}
	m->offset = (int64_t)op->number2;
	m->end = LOC_IMPLICIT;
	m->done = true;
	push_constant(m, 0);
}

/* Runs the operations that name a location rather than push a value: they stand alone. */
static bool whole_location(struct machine *m, const Dwarf_Op *op, size_t count)
{
	uint8_t atom = op->atom;

	if ((atom >= DW_OP_reg0 && atom <= DW_OP_reg31) || atom == DW_OP_regx) {
		push_register(m, atom == DW_OP_regx ? op->number : (uint64_t)atom - DW_OP_reg0, 0);
		m->end = LOC_VALUE;
		m->done = true;
		if (count > 1 && op[1].atom != DW_OP_piece && op[1].atom != DW_OP_bit_piece)
			machine_refuse(m, "a register location with further operations");
		return true;
	}
	if (atom == DW_OP_implicit_value) {
		implicit_value(m, op);
		return true;
	}
	if (atom == DW_OP_implicit_pointer || atom == DW_OP_GNU_implicit_pointer) {
		implicit_pointer(m, op);
		return true;
	}
	if (atom == DW_OP_stack_value) {
		m->end = LOC_VALUE;
		m->done = true;
		return true;
	}
	return false;
}

static void step(struct machine *m, const Dwarf_Op *op)
{
	uint8_t atom = op->atom;

	if (binary_op(atom) != EXPR_CONST) {
		binary_operation(m, binary_op(atom));
		return;
	}
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
		push_constant(m, atom - DW_OP_lit0);
		return;
	}
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		push_register(m, atom - DW_OP_breg0, (int64_t)op->number);
		return;
	}
	switch (atom) {
	case DW_OP_bregx: push_register(m, op->number, (int64_t)op->number2); break;
	case DW_OP_fbreg: frame_base(m, (int64_t)op->number); break;
	case DW_OP_call_frame_cfa: frame_address(m); break;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value: entry_value(m, op); break;
	case DW_OP_addr:
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index: push_address(m, op); break;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts: push_constant(m, op->number); break;
	case DW_OP_dup:
	case DW_OP_drop:
	case DW_OP_over:
	case DW_OP_pick:
	case DW_OP_swap:
	case DW_OP_rot: shuffle_stack(m, op); break;
	case DW_OP_deref: load_memory(m, 8); break;
	case DW_OP_deref_size: load_memory(m, (unsigned)op->number); break;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type: typed_load(m, (unsigned)op->number, op->number2); break;
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type: typed_register(m, op->number, op->number2); break;
	case DW_OP_const_type:
	case DW_OP_GNU_const_type: typed_constant(m, op); break;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret: typed_convert(m, op->number); break;
	case DW_OP_plus_uconst:
		push_constant(m, op->number);
		binary_operation(m, EXPR_ADD);
		break;
	case DW_OP_abs: unary_operation(m, EXPR_ABS); break;
	case DW_OP_neg: unary_operation(m, EXPR_NEG); break;
	case DW_OP_not: unary_operation(m, EXPR_NOT); break;
	case DW_OP_nop: break;
	default: machine_refuse_op(m, atom);
	}
}

#define PIECE_MAX 4096 /* bytes */

/* The location that the operations so far describe becomes the next bytes of the object. */
static void piece(struct machine *m, const Dwarf_Op *op)
{
	uint64_t bits = op->atom == DW_OP_piece ? op->number * 8 : op->number;
	struct piece *new;

	if (m->nesting) {
		machine_refuse(m, "a DWARF expression inside another one that isn't a value");
		return;
	}
	if (bits % 8 || bits > PIECE_MAX * 8 || op->number > PIECE_MAX * 8 ||
	    (op->atom == DW_OP_bit_piece && op->number2)) {
		machine_refuse(m, "a DW_OP_bit_piece that isn't whole bytes");
		return;
	}
	new = &arena_append(m->info->arena, m->pieces, m->npieces);
	*new = (struct piece){.size = (uint32_t)(bits / 8)};
	if (m->depth) {
		new->in_memory = m->end == LOC_MEMORY;
		new->expr = m->end == LOC_IMPLICIT ? NULL : pop_slot(m).expr;
	}
	m->target = 0;
	m->offset = 0;
	m->depth = 0;
	m->done = false;
	m->end = LOC_PIECES;
}

void machine_run(struct machine *m, const Dwarf_Op *ops, size_t count, size_t first)
{
	for (size_t i = first; i < count && !m->reason;) {
		uint8_t atom = ops[i].atom;

		if (m->steps++ >= STEP_BUDGET || !budget_take(m->info, OP_STEPS)) {
			machine_refuse(m, "a DWARF expression of over 1000 operations");
			return;
		}
		if (atom == DW_OP_bra || atom == DW_OP_skip) {
			if (!branch(m, ops, count, &i))
				return;
			continue;
		}
		if (atom == DW_OP_piece || atom == DW_OP_bit_piece) {
			piece(m, &ops[i++]);
			continue;
		}
		if (m->done) { /* only DW_OP_piece may follow the end of a location */
			machine_refuse_op(m, atom);
			return;
		}
		if (m->end == LOC_PIECES)
			m->end = LOC_MEMORY;
		if (!whole_location(m, &ops[i], count - i))
			step(m, &ops[i]);
		i++;
	}
}

static void finish(struct machine *m, struct loc *ret)
{
	struct slot top = {0};

	if (m->npieces && (m->depth || m->end != LOC_PIECES))
		machine_refuse(m, "a location that goes on behind its last DW_OP_piece");
	if (!m->reason && !m->npieces)
		top = pop_slot(m);
	if (m->reason) {
		ret->kind = LOC_REFUSED;
		ret->reason = m->reason;
		return;
	}
	*ret = (struct loc){
		.kind = m->end,
		.expr = top.expr,
		.pieces = m->pieces,
		.npieces = m->npieces,
		.target = m->target,
		.offset = m->offset,
	};
}

void dwarf_evaluate(struct dwarf_info *info, const struct described *described, Dwarf_Die *frame,
		    uint64_t pc, struct loc *ret)
{
	struct machine m = {
		.info = info,
		.attribute = described->attribute,
		.frame = frame,
		.pc = pc,
		.end = LOC_MEMORY,
	};
	machine_run(&m, described->ops, described->count, 0);
	finish(&m, ret);
}
