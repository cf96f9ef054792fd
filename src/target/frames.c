// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a frame's caller by call frame information. What libdw says of an address is kept, as the
 * same few addresses come again and again.
 *
 * The surprise: libdwfl's own unwinder isn't used. Where nothing is said it follows frame pointers
 * all the same, and it wants a handle for each process, where many run one file.
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "base/hash.h"
#include "target/cfi.h"

#define ROWS_MAX 4096u /* addresses; then all are forgotten */

struct frames {
	const struct target *target;
	struct row **rows; /* open addressing */
	unsigned count;
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

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X) || offset < header.p_offset ||
		    offset - header.p_offset >= header.p_filesz)
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
	row = read_cfi_row(frames->target, address);
	if (row) {
		frames->rows[at % (2 * ROWS_MAX)] = row;
		frames->count++;
	}
	return row;
}

enum frame_step frames_step(struct frames *frames, uint64_t bias, const struct stack_memory *memory,
			    uint64_t from, struct frame_state *state)
{
	uint64_t address = state->registers[RETURN_ADDRESS] - bias - !state->is_exact;
	const struct row *row = find_row(frames, address);
	struct machine machine = {.state = state, .memory = memory, .from = from};
	struct frame_state next = {0};

	if (!row || !row->frame || !row->ncfa)
		return STEP_NO_RULE;
	if (row->rules[RETURN_ADDRESS].kind == RULE_UNDEFINED)
		return STEP_OUTERMOST;
	if (!machine_find_cfa(&machine, row) ||
	    !machine_restore(&machine, &row->rules[RETURN_ADDRESS], RETURN_ADDRESS,
			     &next.registers[RETURN_ADDRESS]))
		return machine.lacks_memory ? STEP_NO_MEMORY : STEP_NO_RULE;
	next.known = 1u << RETURN_ADDRESS;
	for (unsigned i = 0; i < RETURN_ADDRESS; i++)
		if (machine_restore(&machine, &row->rules[i], i, &next.registers[i]))
			next.known |= 1u << i;
	if (row->rules[STACK_POINTER].kind == RULE_UNDEFINED ||
	    row->rules[STACK_POINTER].kind == RULE_SAME) {
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
