// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a DWARF expression that refer to the enclosing function: its canonical frame
 * address, its frame base, and values at its entry.
 *
 * The surprise: clang's frame base is a register that holds it between prologue and epilogue only.
 */
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "debuginfo/die.h"
#include "debuginfo/die_walk.h"
#include "debuginfo/machine.h"
#include "debuginfo/questions.h"
#include "debuginfo/section_bytes.h"
#include "expr/expr.h"
#include "pack/pack.h"

#define FRAME_STEPS  4096
#define FRAME_MAX    ((size_t)64 << 10) /* bytes: no processor has that many registers */
#define FRAME_GROWTH (64 << 10)         /* kilobytes */

/* Peak memory of the process so far, in kilobytes. */
static long peak_memory(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_maxrss;
}

/* libdw allocates all registers up to the highest that has a rule, whatever its number, and every
 * remembered state: gigabytes in a damaged file. A table that made it do so isn't asked again.
 * *is_first: no other table was asked before. */
static bool find_frame(struct dwarf_info *info, uint64_t pc, Dwarf_Frame **frame, bool *is_first)
{
	if (info->base.target->image &&
	    !pack_fill_frames(info->base.target->image, pc - info->bias))
		info->is_pack_damaged = true;
	for (unsigned i = 0; i < 2; i++) {
		long peak = peak_memory();
		Dwarf_CFI *alone = i || !info->cfi[0] ? NULL : one_frame(info, pc - info->bias),
			  *cfi = alone ?: info->cfi[i];
		bool found = cfi && budget_take(info, FRAME_STEPS) &&
			     !dwarf_cfi_addrframe(cfi, pc - info->bias, frame);
		bool is_sound = peak_memory() - peak <= FRAME_GROWTH &&
				(!found || malloc_usable_size(*frame) <= FRAME_MAX);

		*is_first = !i || !info->cfi[0];
		if (found && is_sound)
			return true;
		if (found)
			free(*frame);
		if (!is_sound)
			info->cfi[i] = NULL;
	}
	return false;
}

/* Whether the row says where a register of the caller's is, other than the CFA's own and the return
 * address. */
static bool saves_registers(Dwarf_Frame *frame, uint64_t cfa, int return_address)
{
	Dwarf_Op memory[3], *ops;
	size_t count;

	for (int reg = 0; reg < return_address; reg++)
		if ((uint64_t)reg != cfa &&
		    !dwarf_frame_register(frame, reg, memory, &ops, &count) && count)
			return true;
	return false;
}

/* libdw says that a row begins where the state began that DW_CFA_restore_state has brought back,
 * before rows that are others. So the row is known from pc on. */
static bool read_row(struct dwarf_info *info, Dwarf_Frame *frame, uint64_t pc, struct cfa_row *row)
{
	Dwarf_Addr stop;
	bool signal, is_far;
	int return_address = dwarf_frame_info(frame, NULL, &stop, &signal);
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || count != 1 || return_address < 0 ||
	    (ops[0].atom != DW_OP_bregx &&
	     (ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31)))
		return false;
	is_far = ops[0].atom == DW_OP_bregx;
	row->start = pc;
	row->end = stop + info->bias;
	row->op = ops[0];
	row->reg = is_far ? ops[0].number : (uint64_t)(ops[0].atom - DW_OP_breg0);
	row->offset = (int64_t)(is_far ? ops[0].number2 : ops[0].number);
	row->has_saved = saves_registers(frame, row->reg, return_address);
	return true;
}

/* Returns false where the CFA isn't a register and an offset. Each variable of a line asks for the
 * line's row, and libdw runs a function's instructions from the start each time. */
static bool cfa_row(struct dwarf_info *info, uint64_t pc, struct cfa_row *row)
{
	Dwarf_Frame *frame;
	bool found, is_first;

	for (unsigned i = 0; i < CFA_ROWS_KEPT; i++)
		if (pc >= info->cfa_rows[i].start && pc < info->cfa_rows[i].end) {
			*row = info->cfa_rows[i];
			return true;
		}
	if (!find_frame(info, pc, &frame, &is_first))
		return false;
	found = read_row(info, frame, pc, row);
	free(frame);
	/* the other table may know a part of the row's addresses, and is asked first */
	if (found && is_first)
		info->cfa_rows[info->ncfa_rows++ % CFA_ROWS_KEPT] = *row;
	return found;
}

/* The canonical frame address at pc, from the call frame information. */
void frame_address(struct machine *m)
{
	Dwarf_Frame *frame;
	struct cfa_row row;
	bool is_first;
	Dwarf_Op *ops;
	struct slot cfa;
	size_t count;

	if (cfa_row(m->info, m->pc, &row)) {
		cfa = machine_run_inner(m, &row.op, 1);
		push_typed(m, cfa.expr, cfa.bits, cfa.is_signed);
		return;
	}
	if (!find_frame(m->info, m->pc, &frame, &is_first)) {
		machine_refuse(m, "DW_OP_call_frame_cfa without call frame information");
		return;
	}
	if (dwarf_frame_cfa(frame, &ops, &count) || !count) {
		machine_refuse(m, "DW_OP_call_frame_cfa without a rule");
	} else {
		cfa = machine_run_inner(m, ops, count);
		push_typed(m, cfa.expr, cfa.bits, cfa.is_signed);
	}
	free(frame);
}

/* The entry of the enclosing function; 0 when unknown. */
static uint64_t frame_entry(struct machine *m)
{
	uint64_t entry;

	return m->frame && dwarf_die_entry(m->info, m->frame, &entry) ? entry : 0;
}

/* Whether it is a register that carries arguments, of a function that has none: gcc means the entry
 * of the function that it inlined. */
static bool is_of_other_function(struct machine *m, const Dwarf_Op *ops, size_t count)
{
	Dwarf_Die unit;

	return count == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31 &&
	       dwarf_diecu(m->frame, &unit, NULL, NULL) && optimising_gcc(&unit) &&
	       has_no_arguments(m->info, m->frame);
}

/* DW_OP_entry_value: the value that an expression or register had at the entry. */
void entry_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attribute, *outer = m->attribute;
	uint64_t pc = m->pc;
	struct slot value;
	Dwarf_Op *ops;
	size_t count;

	m->pc = frame_entry(m);
	if (!m->pc || dwarf_getlocation_attr(outer, op, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &count)) {
		machine_refuse_op(m, op->atom);
		return;
	}
	if (is_of_other_function(m, ops, count)) {
		machine_refuse(m, "it is said to be what an argument was, and the function here "
				  "has none");
		return;
	}
	m->attribute = &attribute;
	value = machine_run_inner(m, ops, count);
	m->attribute = outer;
	if (m->pc != pc)
		value.expr = expr_unary(m->info->arena, EXPR_ENTRY, value.expr);
	m->pc = pc;
	push_typed(m, value.expr, value.bits, value.is_signed);
}

/*
 * The CFA's offset from a register while the frame is set up, or 0. clang says where it saved the
 * caller's registers in the row that ends the prologue. Without such a row the prologue is one
 * step. The largest offset would be another: a call's arguments are pushed beyond the frame.
 */
static int64_t whole_frame(struct machine *m, uint64_t wanted)
{
	struct whole_frame *known = &m->info->whole_frame;
	Dwarf_Addr base, start, stop;
	int64_t entry = 0, step = 0, saved = 0;
	ptrdiff_t range = 0;
	struct cfa_row row;

	/* each variable of the function asks */
	if (known->function == m->frame->addr && known->reg == wanted)
		return known->offset;
	while (!saved && (range = dwarf_ranges(m->frame, range, &base, &start, &stop)) > 0)
		for (uint64_t pc = start + m->info->bias; !saved && pc < stop + m->info->bias;
		     pc = row.end) {
			if (!cfa_row(m->info, pc, &row) || row.end <= pc)
				break;
			if (row.reg != wanted)
				continue;
			entry = entry ?: row.offset;
			if (!step && row.offset > entry)
				step = row.offset;
			if (row.has_saved)
				saved = row.offset;
		}
	*known = (struct whole_frame){m->frame->addr, wanted, saved ?: step ?: entry};
	return known->offset;
}

/* clang names a register as the frame base, which holds it between prologue and epilogue only;
 * before and after that, and between a call's pushes, an offset from it leads elsewhere. */
static bool frame_is_set_up(struct machine *m, const Dwarf_Op *op)
{
	struct cfa_row row;
	uint64_t wanted;

	if (op->atom < DW_OP_reg0 || op->atom > DW_OP_reg31)
		return true;
	wanted = op->atom - DW_OP_reg0;
	if (!cfa_row(m->info, m->pc, &row))
		return !m->info->cfi[0] && !m->info->cfi[1];
	return row.reg == wanted && row.offset == whole_frame(m, wanted);
}

/* Go writes DWARF 4's expressions as DWARF 3's blocks, which libdw refuses. Where the length is one
 * byte of either the two are the same. */
static void read_as_expression(Dwarf_Attribute *attribute)
{
	Dwarf_Block block;

	if (dwarf_whatform(attribute) == DW_FORM_block1 && !dwarf_formblock(attribute, &block) &&
	    block.length < 0x80)
		attribute->form = DW_FORM_exprloc;
}

/* DW_OP_fbreg: the enclosing function's frame base, plus an offset. */
void frame_base(struct machine *m, int64_t offset)
{
	Dwarf_Attribute attribute, *outer = m->attribute;
	struct slot base;
	Dwarf_Op *ops;
	size_t count;

	bool has_base = m->frame && !m->in_frame_base &&
			dwarf_attr_integrate(m->frame, DW_AT_frame_base, &attribute);

	if (has_base)
		read_as_expression(&attribute);
	if (!has_base || !location_is_short(m->info, &attribute) ||
	    dwarf_getlocation_addr(&attribute, m->pc - m->info->bias, &ops, &count, 1) != 1) {
		machine_refuse(m, "DW_OP_fbreg without a frame base");
		return;
	}
	if (count == 1 && !frame_is_set_up(m, &ops[0])) {
		machine_refuse(m, "its stack frame isn't set up at this address");
		return;
	}
	m->attribute = &attribute;
	m->in_frame_base = true;
	base = machine_run_inner(m, ops, count);
	m->in_frame_base = false;
	m->attribute = outer;
	push_generic(m, expr_offset(m->info->arena, base.expr, offset));
}

/* Returns NULL with *reason set when there is no call frame information. */
static const struct expr *frame_at(struct dwarf_info *info, uint64_t pc, const char **reason)
{
	struct machine *m = arena_new(info->arena, struct machine);
	struct slot cfa;

	*m = (struct machine){.info = info, .pc = pc, .end = LOC_MEMORY};
	frame_address(m);
	if (!m->reason)
		cfa = pop_slot(m);
	*reason = m->reason ? "there is no call frame information to tell one call from another" :
			      NULL;
	return m->reason ? NULL : cfa.expr;
}

struct error *dwarf_frame(struct debuginfo *base, const struct instance *instance, uint64_t address,
			  struct frame *ret)
{
	struct dwarf_info *info = dwarf_info(base);
	Dwarf_Die outer;

	*ret = (struct frame){0};
	if (!die_at(info, instance->outer_source, &outer))
		return dwarf_error(info, "function");
	if (!dwarf_die_entry(info, &outer, &ret->entry)) {
		ret->reason = "the function has no entry";
		return NULL;
	}
	ret->cfa = frame_at(info, address, &ret->reason);
	if (!ret->reason)
		ret->entry_cfa = frame_at(info, ret->entry, &ret->reason);
	return NULL;
}
