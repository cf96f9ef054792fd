// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a frame's caller by call frame information. libdw reads it and says for each address, and each
 * register, where the caller's is: an expression, which is kept, as the same few addresses come again
 * and again. libdwfl's own unwinder isn't used: where nothing is said it follows frame pointers all the
 * same, and it wants a handle for each process, where many run one file.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "target/frames.h"
#include "target/internal.h"

enum { FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16, WORD = 8 };

#define ROWS_MAX  4096u /* addresses; then all are forgotten */
#define DEPTH_MAX 32     /* numbers on an expression's stack */

/* A register's place in the caller: most are the CFA and an offset. */
enum rule_kind {
	RULE_UNDEFINED,
	RULE_SAME,
	RULE_AT_CFA,     /* in memory at the CFA + offset */
	RULE_IS_CFA,     /* the CFA + offset */
	RULE_EXPRESSION,
};

struct rule {
	enum rule_kind kind;
	int64_t offset;
	const Dwarf_Op *ops; /* libdw's, or the row's */
	size_t nops;
};

struct row {
	uint64_t address;
	Dwarf_Frame *frame; /* NULL: nothing is said */
	bool is_signal;
	bool is_simple_cfa; /* cfa_register + cfa_offset */
	unsigned cfa_register;
	int64_t cfa_offset;
	const Dwarf_Op *cfa;
	size_t ncfa;
	struct rule rules[STACK_REGISTERS];
	Dwarf_Op room[STACK_REGISTERS][3];
};

struct frames {
	const struct target *target;
	struct row **rows; /* open addressing */
	unsigned count;
};

struct machine {
	const struct frame_state *state;
	const struct stack_memory *memory;
	uint64_t from;
	uint64_t cfa;
	uint64_t stack[DEPTH_MAX];
	unsigned depth;
	bool lacks_memory;
};

struct frames *frames_new(struct arena *arena, const struct target *target)
{
	struct frames *frames = arena_new(arena, struct frames);

	frames->target = target;
	frames->rows = calloc(2 * ROWS_MAX, sizeof(struct row *));
	return frames;
}

bool frames_address(const struct frames *frames, uint64_t offset, uint64_t *ret)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(frames->target->dwfl_module, &bias);
	size_t count;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
		    offset < header.p_offset || offset - header.p_offset >= header.p_filesz)
			continue;
		*ret = offset - header.p_offset + header.p_vaddr + bias;
		return true;
	}
	return false;
}

static void forget(struct frames *frames)
{
	for (unsigned i = 0; frames->rows && i < 2 * ROWS_MAX; i++) {
		if (frames->rows[i])
			free(frames->rows[i]->frame);
		free(frames->rows[i]);
		frames->rows[i] = NULL;
	}
	frames->count = 0;
}

void frames_free(struct frames *frames)
{
	forget(frames);
	free(frames->rows);
	frames->rows = NULL;
}

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
		return get_register(machine, op->atom - DW_OP_breg0, &number) && push(machine, number + op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return get_register(machine, op->number, &number) && push(machine, number + op->number2);
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
static bool run(struct machine *machine, const Dwarf_Op *ops, size_t count, uint64_t *ret, bool *is_value)
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

static void read_cfa(struct row *row)
{
	Dwarf_Op *ops;

	if (dwarf_frame_cfa(row->frame, &ops, &row->ncfa))
		return;
	row->cfa = ops;
	if (row->ncfa != 1)
		return;
	row->is_simple_cfa = (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) || ops->atom == DW_OP_bregx;
	row->cfa_register = ops->atom == DW_OP_bregx ? (unsigned)ops->number : (unsigned)ops->atom - DW_OP_breg0;
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

static struct row *read_row(const struct frames *frames, uint64_t address)
{
	struct row *row = calloc(1, sizeof(*row));
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(frames->target->dwfl_module, &bias);

	if (!row)
		return NULL;
	row->address = address;
	if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &row->frame)) {
		row->frame = NULL;
		cfi = dwfl_module_dwarf_cfi(frames->target->dwfl_module, &bias);
		if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &row->frame))
			row->frame = NULL;
	}
	if (!row->frame || dwarf_frame_info(row->frame, NULL, NULL, &row->is_signal) != RETURN_ADDRESS)
		return row;
	read_cfa(row);
	for (unsigned i = 0; i < STACK_REGISTERS; i++)
		read_rule(row, i);
	return row;
}

/* What is said of an address of the file; NULL: out of memory. */
static const struct row *find_row(struct frames *frames, uint64_t address)
{
	unsigned at = number_hash(address);
	struct row *row;

	if (!frames->rows)
		return NULL;
	while ((row = frames->rows[at % (2 * ROWS_MAX)]) && row->address != address)
		at++;
	if (row)
		return row;
	if (frames->count == ROWS_MAX) {
		forget(frames);
		at = number_hash(address);
	}
	row = read_row(frames, address);
	if (row) {
		frames->rows[at % (2 * ROWS_MAX)] = row;
		frames->count++;
	}
	return row;
}

static bool find_cfa(struct machine *machine, const struct row *row)
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

/* A register of the caller's. Returns false when it isn't known. */
static bool restore(struct machine *machine, const struct rule *rule, unsigned number, uint64_t *ret)
{
	bool is_value;

	switch (rule->kind) {
	case RULE_UNDEFINED: return false;
	case RULE_SAME: return get_register(machine, number, ret);
	case RULE_AT_CFA: return load(machine, machine->cfa + (uint64_t)rule->offset, WORD, ret);
	case RULE_IS_CFA: *ret = machine->cfa + (uint64_t)rule->offset; return true;
	case RULE_EXPRESSION: break;
	}
	return run(machine, rule->ops, rule->nops, ret, &is_value) && (is_value || load(machine, *ret, WORD, ret));
}

enum frame_step frames_step(struct frames *frames, uint64_t bias, const struct stack_memory *memory, uint64_t from,
		      struct frame_state *state)
{
	uint64_t address = state->registers[RETURN_ADDRESS] - bias - !state->is_exact;
	const struct row *row = find_row(frames, address);
	struct machine machine = {.state = state, .memory = memory, .from = from};
	struct frame_state next = {0};

	if (!row || !row->frame || !row->ncfa)
		return STEP_NO_RULE;
	if (row->rules[RETURN_ADDRESS].kind == RULE_UNDEFINED)
		return STEP_OUTERMOST;
	if (!find_cfa(&machine, row) || !restore(&machine, &row->rules[RETURN_ADDRESS], RETURN_ADDRESS,
						 &next.registers[RETURN_ADDRESS]))
		return machine.lacks_memory ? STEP_NO_MEMORY : STEP_NO_RULE;
	next.known = 1u << RETURN_ADDRESS;
	for (unsigned i = 0; i < RETURN_ADDRESS; i++)
		if (restore(&machine, &row->rules[i], i, &next.registers[i]))
			next.known |= 1u << i;
	if (row->rules[STACK_POINTER].kind == RULE_UNDEFINED || row->rules[STACK_POINTER].kind == RULE_SAME) {
		next.registers[STACK_POINTER] = machine.cfa;
		next.known |= 1u << STACK_POINTER;
	}
	next.cfa = machine.cfa;
	next.is_exact = row->is_signal;
	*state = next;
	return STEP_CALLER;
}

bool frames_has_pointer(struct frames *frames, uint64_t address)
{
	const struct row *row = find_row(frames, address);

	return row && row->frame && row->is_simple_cfa && row->cfa_register == FRAME_POINTER &&
	       row->cfa_offset == 2 * WORD && row->rules[FRAME_POINTER].kind == RULE_AT_CFA &&
	       row->rules[FRAME_POINTER].offset == -2 * WORD;
}
