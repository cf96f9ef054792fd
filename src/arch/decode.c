// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes of code in, lengths and jumps out: what is needed to know instruction boundaries and which
 * address leads to which. Capstone does the decoding.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "arch/internal.h"

struct decoder *decoder_open(const struct arch *arch)
{
	struct decoder *decoder;

	if (arch->machine != EM_X86_64)
		return NULL;
	decoder = calloc(1, sizeof(*decoder));
	if (!decoder || cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK) {
		free(decoder);
		return NULL;
	}
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	decoder->insn = cs_malloc(decoder->handle);
	return decoder;
}

void decoder_close(struct decoder *decoder)
{
	if (!decoder)
		return;
	cs_free(decoder->insn, 1);
	cs_close(&decoder->handle);
	free(decoder);
}

/* jmp *%rax, jmp *8(%rax), jmp *table(,%rax,8), jmp *slot(%rip) */
static void classify_indirect(const cs_x86_op *operand, struct insn *ret)
{
	if (operand->type == X86_OP_REG)
		ret->jump_register = dwarf_number(operand->reg);
	if (operand->type != X86_OP_MEM)
		return;
	ret->is_slot_jump = operand->mem.base == X86_REG_RIP;
	ret->is_table_jump = operand->mem.index != X86_REG_INVALID;
}

static bool is_register_sum(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	return insn->id == X86_INS_ADD && x86->op_count == 2 &&
	       x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_REG;
}

/* Calls come back: they fall through. ud2 does too (the kernel's WARN resumes behind it). */
static void classify(struct decoder *decoder, struct insn *ret)
{
	const cs_insn *insn = decoder->insn;
	const cs_x86_op *operand = &insn->detail->x86.operands[0];
	bool is_jump = cs_insn_group(decoder->handle, insn, CS_GRP_JUMP);

	ret->is_call = cs_insn_group(decoder->handle, insn, CS_GRP_CALL);
	ret->is_return = cs_insn_group(decoder->handle, insn, CS_GRP_RET);
	ret->is_padding = insn->id == X86_INS_NOP || insn->id == X86_INS_INT3 ||
			  (insn->size == 2 && insn->bytes[0] == 0x66 && insn->bytes[1] == 0x90);
	ret->jump_register = NO_REGISTER;
	ret->sum_register = is_register_sum(insn) ? dwarf_number(operand->reg) : NO_REGISTER;
	ret->falls_through = !cs_insn_group(decoder->handle, insn, CS_GRP_RET) &&
			     !cs_insn_group(decoder->handle, insn, CS_GRP_IRET) &&
			     insn->id != X86_INS_JMP && insn->id != X86_INS_LJMP &&
			     insn->id != X86_INS_HLT && insn->id != X86_INS_INT3;
	if (!is_jump)
		return;
	ret->is_branch = insn->detail->x86.op_count == 1 && operand->type == X86_OP_IMM;
	ret->is_indirect = !ret->is_branch;
	if (ret->is_branch)
		ret->target = (uint64_t)operand->imm;
	else
		classify_indirect(operand, ret);
}

void decoder_next(struct decoder *decoder, const uint8_t *code, size_t length, uint64_t address,
		  struct insn *ret)
{
	uint64_t at = address;

	*ret = (struct insn){0};
	if (!cs_disasm_iter(decoder->handle, &code, &length, &at, decoder->insn))
		return;
	ret->length = decoder->insn->size;
	classify(decoder, ret);
}
