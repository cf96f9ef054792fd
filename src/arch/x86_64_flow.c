// SPDX-License-Identifier: GPL-2.0-only
/* Where control goes from an x86-64 instruction. */
#include <string.h>

#include "arch/x86_64.h"

/* Where the pointer is of jmp *slot(%rip) or call *slot(%rip); 0: it isn't at a fixed address. */
static uint64_t slot_of(const cs_insn *insn, const cs_x86_op *operand)
{
	return operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP ?
		       insn->address + insn->size + (uint64_t)operand->mem.disp :
		       0;
}

/* jmp *%rax, jmp *8(%rax), jmp *table(,%rax,8), jmp *slot(%rip) */
static void classify_indirect(const cs_insn *insn, const cs_x86_op *operand, struct insn *ret)
{
	if (operand->type == X86_OP_REG)
		ret->jump_register = x86_64_dwarf_number(operand->reg);
	if (operand->type != X86_OP_MEM)
		return;
	ret->is_slot_jump = operand->mem.base == X86_REG_RIP;
	ret->slot = slot_of(insn, operand);
	ret->is_table_jump = operand->mem.index != X86_REG_INVALID;
}

/* Few names get past the first two characters, which saves most of the calls. */
static bool begins_with(const char *name, const char *beginning)
{
	return name[0] == beginning[0] && name[1] == beginning[1] &&
	       !strncmp(name, beginning, strlen(beginning));
}

/* Moves are none: a struct is copied by them, and made of two numbers by punpckldq and punpcklqdq.
 * Nor is what makes a zero or the amount of a floating-point number. */
static bool is_vector(const cs_insn *insn)
{
	static const char *const beginnings[] = {
		"padd",	 "psub",  "pcmp", "pmin",   "pmax",    "pmul",	   "pmadd",    "pmov",
		"pshuf", "psll",  "psrl", "psra",   "pack",    "punpckh",  "punpcklb", "punpcklw",
		"addps", "addpd", "subps", "subpd", "mulps",   "mulpd",    "pblend",
	};
	const char *name = insn->mnemonic + (insn->mnemonic[0] == 'v');

	for (unsigned i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (begins_with(name, beginnings[i]))
			return true;
	return false;
}

static bool is_repeated(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_STOSB:
	case X86_INS_STOSD:
	case X86_INS_STOSQ:
	case X86_INS_MOVSB:
	case X86_INS_MOVSQ:
		return insn->detail->x86.prefix[0] == X86_PREFIX_REP;
	case X86_INS_MOVSD: /* also of a floating-point register */
		return insn->detail->x86.prefix[0] == X86_PREFIX_REP &&
		       insn->detail->x86.opcode[0] == 0xa5;
	default:
		return false;
	}
}

/* What compilers make of an `if` without a branch. */
static bool is_choice(const cs_insn *insn)
{
	return begins_with(insn->mnemonic, "cmov") || begins_with(insn->mnemonic, "set") ||
	       insn->id == X86_INS_ADC || insn->id == X86_INS_SBB;
}

static bool is_register_sum(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	return insn->id == X86_INS_ADD && x86->op_count == 2 &&
	       x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_REG;
}

/* Calls return, so they fall through. So does ud2 (the kernel's WARN resumes behind it). */
void x86_64_classify(csh handle, const cs_insn *insn, struct insn *ret)
{
	const cs_x86_op *operand = &insn->detail->x86.operands[0];
	bool is_jump = cs_insn_group(handle, insn, CS_GRP_JUMP);

	ret->is_call = cs_insn_group(handle, insn, CS_GRP_CALL);
	ret->is_return = cs_insn_group(handle, insn, CS_GRP_RET);
	ret->is_padding = insn->id == X86_INS_NOP || insn->id == X86_INS_INT3 ||
			  (insn->size == 2 && insn->bytes[0] == 0x66 && insn->bytes[1] == 0x90);
	ret->is_trap = insn->id == X86_INS_UD2;
	ret->is_vector = is_vector(insn);
	ret->is_repeated = is_repeated(insn);
	ret->is_choice = is_choice(insn);
	ret->unprobed = x86_64_unprobed(insn);
	ret->becomes_call = x86_64_becomes_call(insn);
	if (ret->is_call && insn->detail->x86.op_count == 1 && operand->type == X86_OP_IMM)
		ret->callee = (uint64_t)operand->imm;
	if (ret->is_call)
		ret->slot = slot_of(insn, operand);
	if (is_register_sum(insn))
		ret->sum_register = x86_64_dwarf_number(operand->reg);
	ret->falls_through = !cs_insn_group(handle, insn, CS_GRP_RET) &&
			     !cs_insn_group(handle, insn, CS_GRP_IRET) &&
			     insn->id != X86_INS_JMP && insn->id != X86_INS_LJMP &&
			     insn->id != X86_INS_HLT && insn->id != X86_INS_INT3;
	if (!is_jump)
		return;
	ret->is_branch = insn->detail->x86.op_count == 1 && operand->type == X86_OP_IMM;
	ret->is_indirect = !ret->is_branch;
	if (ret->is_branch)
		ret->target = (uint64_t)operand->imm;
	else
		classify_indirect(insn, operand, ret);
}

/* jcc, jmp, loop, jrcxz with a distance of one byte; jmp, jcc, xbegin with one of four. */
bool x86_64_jump_at(const uint8_t *code, size_t length, uint64_t address, uint64_t *target)
{
	unsigned opcode = 1;
	int32_t distance;

	if ((code[0] & 0xf0) == 0x70 || code[0] == 0xeb || (code[0] & 0xfc) == 0xe0) {
		if (length < 2)
			return false;
		*target = address + 2 + (uint64_t)(int64_t)(int8_t)code[1];
		return true;
	}
	if (length > 1 && ((code[0] == 0x0f && (code[1] & 0xf0) == 0x80) ||
			   (code[0] == 0xc7 && code[1] == 0xf8)))
		opcode = 2;
	else if (code[0] != 0xe9)
		return false;
	if (length < opcode + sizeof(distance))
		return false;
	memcpy(&distance, code + opcode, sizeof(distance));
	*target = address + opcode + sizeof(distance) + (uint64_t)(int64_t)distance;
	return true;
}
