// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the program of a unit's line table (DWARF 5, 6.2.5) for the addresses of its rows alone. libdw would
 * read and keep the whole table of each unit that it is asked of: 160 MB for the parameters of a kernel's
 * functions. Tables before DWARF 5, and those of machines that bundle instructions, are left to libdw.
 */
#include "base/search.h"
#include "debuginfo/bytes.h"
#include "debuginfo/die.h"

bool line_table_offset(struct dwarf_info *info, Dwarf_Die *unit, Dwarf_Word *ret)
{
	Dwarf_Attribute attribute;

	return !is_alt(info, unit->cu) && !split_tag(unit->cu) && dwarf_attr(unit, DW_AT_stmt_list, &attribute) &&
	       !dwarf_formudata(&attribute, ret);
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
	skip_bytes(head, 2); /* whether a row is a statement, and the first line's distance */
	ret->range = (uint8_t)read_fixed(head, 1);
	ret->nopcodes = (uint8_t)read_fixed(head, 1);
	ret->operands = head->at;
	head->is_bad |= !ret->range || !ret->nopcodes || ret->program.is_bad;
	skip_bytes(head, ret->nopcodes - 1u);
	return !head->is_bad;
}

/* Returns true where the operation ends a sequence, which makes a row. */
static bool run_extended(struct reader *program, Dwarf_Addr *address)
{
	uint64_t length = read_leb(program);
	struct reader operands = *program;

	skip_bytes(program, length);
	operands.end = program->at;
	switch (read_fixed(&operands, 1)) {
	case DW_LNE_end_sequence:
		return true;
	case DW_LNE_set_address:
		*address = read_fixed(&operands, length == 5 ? 4 : 8);
		program->is_bad |= operands.is_bad;
	}
	return false;
}

/* Runs one operation. Returns true where it makes a row, at *address. */
static bool run(struct line_table *table, uint8_t opcode, Dwarf_Addr *address)
{
	if (opcode >= table->nopcodes) {
		*address += (uint64_t)((opcode - table->nopcodes) / table->range) * table->step;
		return true;
	}
	switch (opcode) {
	case DW_LNS_copy:
		return true;
	case DW_LNS_advance_pc:
		*address += read_leb(&table->program) * table->step;
		return false;
	case DW_LNS_const_add_pc:
		*address += (uint64_t)((255 - table->nopcodes) / table->range) * table->step;
		return false;
	case DW_LNS_fixed_advance_pc:
		*address += read_fixed(&table->program, 2);
		return false;
	}
	for (unsigned i = 0; i < table->operands[opcode - 1]; i++)
		read_leb(&table->program);
	return false;
}

bool next_row(struct line_table *table, Dwarf_Addr *ret)
{
	struct reader *program = &table->program;

	if (table->is_ended)
		table->address = 0;
	table->is_ended = false;
	while (program->at < program->end && !program->is_bad) {
		uint8_t opcode = *program->at++;

		table->is_ended = !opcode && run_extended(program, &table->address);
		if (table->is_ended || (opcode && run(table, opcode, &table->address))) {
			*ret = table->address;
			return true;
		}
	}
	return false;
}

/* The same by libdw. */
static bool row_follows_by_libdw(Dwarf_Die *unit, Dwarf_Addr from, Dwarf_Addr address)
{
	Dwarf_Lines *lines;
	Dwarf_Addr at = 0;
	size_t count, first;

	if (dwarf_getsrclines(unit, &lines, &count))
		return false;
	first = partition_point(count, i, !dwarf_lineaddr(dwarf_onesrcline(lines, i), &at) && at < from);
	return first < count && !dwarf_lineaddr(dwarf_onesrcline(lines, first), &at) && at == address;
}

bool row_follows(struct dwarf_info *info, Dwarf_CU *of, Dwarf_Addr from, Dwarf_Addr address)
{
	struct line_table table;
	Dwarf_Addr at, first = UINT64_MAX;
	Dwarf_Word offset;
	Dwarf_Die unit;

	if (!dwarf_cu_die(of, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	if (!line_table_offset(info, &unit, &offset) || !line_table_open(info, offset, &table))
		return row_follows_by_libdw(&unit, from, address);
	if (!budget_take(info, (uint64_t)(table.program.end - table.program.at)))
		return false;
	while (first >= address && next_row(&table, &at))
		if (at >= from && at < first)
			first = at;
	return first == address && !table.program.is_bad;
}
