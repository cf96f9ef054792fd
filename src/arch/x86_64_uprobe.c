// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the kernel takes no uprobe, or takes one and then executes something else: behind a VEX or
 * EVEX prefix it looks at the opcode as if it stood alone, so vpor (eb) is skipped like a jmp, and
 * the process crashes behind vcmpps (c2), since no ret is moved back from its copy. In the place of
 * a nop of five bytes it puts a call.
 */
#include <string.h>

#include "arch/x86_64.h"

/* The opcode of one byte, or behind the prefix. */
struct opcode {
	uint8_t byte;
	uint8_t next; /* the byte behind it; 0: there is none */
	bool is_vector;
	bool is_short;  /* an operand-size prefix stands before it */
};

/* good_insns_64 in arch/x86/kernel/uprobes.c, the same since 2015: a bit for each opcode. 0f
 * stands for all opcodes of two bytes. */
static bool is_taken(struct opcode opcode)
{
	static const uint32_t good[] = {
		0x3f3fbf3f, 0x7f7f7f7f, 0xffffffff, 0xffff0ff8,
		0xfbfffffb, 0xffffffff, 0xff8f0fff, 0xf3ed0b0f,
	};
	bool is_stack_segment = opcode.byte == 0x8e && (opcode.next >> 3 & 7) == 2;

	return good[opcode.byte / 32] >> (opcode.byte % 32) & 1 && !is_stack_segment;
}

/* Those that branch_setup_xol_ops() carries out itself. */
static bool is_branch_byte(uint8_t byte)
{
	return (byte >= 0x70 && byte <= 0x7f) || byte == 0xe8 || byte == 0xe9 || byte == 0xeb;
}

/* Those behind whose copy arch_uprobe_analyze_insn() has the instruction pointer, the return
 * address or the trap flag treated in another way. */
static bool is_special_byte(uint8_t byte)
{
	static const uint8_t special[] = {0x90, 0x9a, 0x9d, 0xc2, 0xc3, 0xca, 0xcb, 0xea, 0xff};

	return memchr(special, byte, sizeof(special));
}

/* 66 e8, and 66 0f 84: what linkers make of calls for thread-local variables. */
static bool is_short_branch(struct opcode opcode)
{
	return opcode.is_short && (is_branch_byte(opcode.byte) ||
				   (opcode.byte == 0x0f && opcode.next >> 4 == 8));
}

static struct opcode opcode_at(const cs_insn *insn, unsigned at)
{
	static const uint8_t lengths[] = {[0xc5 - 0x62] = 2, [0xc4 - 0x62] = 3, [0] = 4};
	struct opcode ret = {.is_short = memchr(insn->bytes, 0x66, at)};
	unsigned index = (unsigned)insn->bytes[at] - 0x62;
	unsigned length = index < sizeof(lengths) ? lengths[index] : 0;

	ret.is_vector = length;
	if (!length && insn->bytes[at] >> 4 == 4)
		length = 1;
	if (at + length < insn->size)
		ret.byte = insn->bytes[at + length];
	if (at + length + 1 < insn->size)
		ret.next = insn->bytes[at + length + 1];
	return ret;
}

static const char *refused_opcode(struct opcode opcode)
{
	if (!is_taken(opcode))
		return opcode.is_vector ?
		       "an AVX instruction at which the kernel takes no uprobe" :
		       "an instruction at which the kernel takes no uprobe";
	if (opcode.is_vector && (is_branch_byte(opcode.byte) || is_special_byte(opcode.byte)))
		return "an AVX instruction that the kernel would not execute at a uprobe, but take "
		       "for another";
	return !opcode.is_vector && is_short_branch(opcode) ?
	       "a jump or call with an operand-size prefix, at which the kernel takes no uprobe" :
	       NULL;
}

static const char *refused_prefix(const cs_insn *insn, uint8_t byte)
{
	if (byte == 0xf0)
		return "an instruction with a lock prefix, at which the kernel takes no uprobe";
	if (byte != 0x26 && byte != 0x2e && byte != 0x36 && byte != 0x3e)
		return NULL;
	return insn->id == X86_INS_JMP || insn->id == X86_INS_CALL ?
	       "an instruction with a notrack prefix, at which the kernel takes no uprobe" :
	       "an instruction with a segment prefix, at which the kernel takes no uprobe";
}

const char *x86_64_unprobed(const cs_insn *insn)
{
	static const uint8_t others[] = {0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3};
	const char *why;
	unsigned at = 0;

	for (; at < insn->size; at++) {
		why = refused_prefix(insn, insn->bytes[at]);
		if (why)
			return why;
		if (!memchr(others, insn->bytes[at], sizeof(others)))
			break;
	}
	return at < insn->size ? refused_opcode(opcode_at(insn, at)) : NULL;
}

static bool is_lea_of_itself(const cs_insn *insn)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0];
	const cs_x86_op *from = &insn->detail->x86.operands[1];

	return insn->id == X86_INS_LEA && to->size == 8 && from->mem.base == to->reg &&
	       !from->mem.disp &&
	       (from->mem.index == X86_REG_INVALID || from->mem.index == X86_REG_RIZ);
}

/* can_optimize() in arch/x86/kernel/uprobes.c, insn_is_nop() in arch/x86/kernel/alternative.c */
bool x86_64_becomes_call(const cs_insn *insn)
{
	enum { CALL_LENGTH = 5 };
	bool is_jump_to_next = insn->bytes[0] == 0xe9 && !memcmp(insn->bytes + 1, "\0\0\0", 4);

	return insn->size == CALL_LENGTH &&
	       (insn->id == X86_INS_NOP || is_jump_to_next || is_lea_of_itself(insn));
}
