// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the program of a unit's line table (DWARF 5, 6.2.5). Tables before DWARF 5, and those of
 * machines that bundle instructions, are left to libdw.
 */
#include "debuginfo/die.h"
#include "debuginfo/section_bytes.h"

bool line_table_offset(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return !is_alt(info, unit->cu) && !split_tag(unit->cu) &&
	       dwarf_attr(unit, DW_AT_stmt_list, &attribute) && !dwarf_formudata(&attribute, ret);
}

bool line_table_open(struct dwarf_info *info, Dwarf_Word offset, struct line_table *ret)
{
	const Elf_Data *data = section_data(info, ".debug_line");
	struct reader *head = &ret->head;
	uint64_t length;

	*ret = (struct line_table){0};
	if (!data || !data->d_buf || offset >= data->d_size)
		return false;
	head->at = (const uint8_t *)data->d_buf + offset;
	head->end = (const uint8_t *)data->d_buf + data->d_size;
	length = read_fixed(head, 4);
	if (length > (size_t)(head->end - head->at)) /* or 64 bits wide */
		return false;
	head->end = head->at + length;
	if (read_fixed(head, 2) != 5)
		return false;
	skip_bytes(head, 2); /* sizes of addresses and of segments */
	length = read_fixed(head, 4);
	ret->program = *head;
	skip_bytes(&ret->program, length);
	ret->step = (uint8_t)read_fixed(head, 1);
	head->is_bad |= read_fixed(head, 1) != 1; /* operations that an instruction can have */
	ret->is_stmt = read_fixed(head, 1);
	ret->base = (int8_t)read_fixed(head, 1);
	ret->range = (uint8_t)read_fixed(head, 1);
	ret->nopcodes = (uint8_t)read_fixed(head, 1);
	ret->operands = head->at;
	head->is_bad |= !ret->range || !ret->nopcodes || ret->program.is_bad;
	skip_bytes(head, ret->nopcodes - 1u);
	return !head->is_bad;
}

static void begin_sequence(struct line_table *table)
{
	unsigned number = table->row.number;

	table->row = (struct line_row){
		.file = 1, .line = 1, .is_stmt = table->is_stmt, .number = number};
}

static void run_extended(struct line_table *table)
{
	struct reader *program = &table->program;
	uint64_t length = read_leb(program);
	struct reader operands = *program;

	skip_bytes(program, length);
	operands.end = program->at;
	switch (read_fixed(&operands, 1)) {
	case DW_LNE_end_sequence:
		table->row.is_end = true;
		break;
	case DW_LNE_set_address:
		table->row.address = read_fixed(&operands, length == 5 ? 4 : 8);
		program->is_bad |= operands.is_bad;
	}
}

/* Runs an operation that makes no row by itself. */
static void run(struct line_table *table, uint8_t opcode)
{
	struct reader *program = &table->program;
	struct line_row *row = &table->row;
	uint64_t column;

	switch (opcode) {
	case DW_LNS_advance_pc:
		row->address += read_leb(program) * table->step;
		return;
	case DW_LNS_advance_line:
		row->line += (unsigned)read_sleb(program);
		return;
	case DW_LNS_set_file:
		row->file = (unsigned)read_leb(program);
		return;
	case DW_LNS_set_column:
		column = read_leb(program);
		row->column = column > UINT16_MAX ? 0 : (uint16_t)column;
		return;
	case DW_LNS_negate_stmt:
		row->is_stmt = !row->is_stmt;
		return;
	case DW_LNS_const_add_pc:
		row->address += (uint64_t)((255 - table->nopcodes) / table->range) * table->step;
		return;
	case DW_LNS_fixed_advance_pc:
		row->address += read_fixed(program, 2);
		return;
	}
	for (unsigned i = 0; i < table->operands[opcode - 1]; i++)
		read_leb(program);
}

/* An operation that advances both the address and the line, and makes a row. */
static void run_special(struct line_table *table, unsigned advance)
{
	table->row.address += (uint64_t)(advance / table->range) * table->step;
	table->row.line += (unsigned)(table->base + (int)(advance % table->range));
}

bool next_row(struct line_table *table)
{
	struct reader *program = &table->program;

	if (table->row.is_end || !table->is_begun)
		begin_sequence(table);
	table->row.number += table->is_begun;
	table->is_begun = true;
	while (program->at < program->end && !program->is_bad) {
		uint8_t opcode = *program->at++;

		if (opcode >= table->nopcodes)
			run_special(table, opcode - table->nopcodes);
		else if (!opcode)
			run_extended(table);
		else if (opcode != DW_LNS_copy)
			run(table, opcode);
		if (opcode >= table->nopcodes || opcode == DW_LNS_copy || table->row.is_end)
			return !program->is_bad;
	}
	return false;
}
