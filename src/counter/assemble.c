// SPDX-License-Identifier: GPL-2.0-only
/* Appends instructions to a program, with jumps to labels that are placed later. */
#include "counter/assemble.h"

void emit(struct code *code, struct bpf_insn insn)
{
	arena_append(code->arena, code->insns, code->count) = insn;
}

static void emit_plain(struct code *code, int op, int to, int from, int offset, int32_t number)
{
	emit(code, (struct bpf_insn){.code = (__u8)op,
				     .dst_reg = (__u8)(to & 15),
				     .src_reg = (__u8)(from & 15),
				     .off = (__s16)offset,
				     .imm = number});
}

unsigned new_label(struct code *code)
{
	arena_append(code->arena, code->labels, code->nlabels) = 0;
	return code->nlabels - 1;
}

void place(struct code *code, unsigned label)
{
	code->labels[label] = code->count;
}

void finish_jumps(struct code *code)
{
	for (unsigned i = 0; i < code->njumps; i++)
		code->insns[code->jumps[i].from].off =
			(__s16)(code->labels[code->jumps[i].label] - code->jumps[i].from - 1);
}

static void note_jump(struct code *code, unsigned label)
{
	arena_append(code->arena, code->jumps, code->njumps) = (struct jump){code->count, label};
}

void move(struct code *code, int to, int from)
{
	emit_plain(code, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

/* A 64-bit constant takes two instructions. */
static void set_wide(struct code *code, int to, int kind, uint32_t low, uint32_t high)
{
	emit_plain(code, BPF_LD | BPF_IMM | BPF_DW, to, kind, 0, (int32_t)low);
	emit_plain(code, 0, 0, 0, 0, (int32_t)high);
}

void set(struct code *code, int to, uint64_t number)
{
	if ((int64_t)number == (int32_t)number)
		emit_plain(code, BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, (int32_t)number);
	else
		set_wide(code, to, 0, (uint32_t)number, (uint32_t)(number >> 32));
}

void set_map(struct code *code, int to, int fd, bool is_value)
{
	set_wide(code, to, is_value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD, (uint32_t)fd, 0);
}

void alu(struct code *code, int op, int to, int from)
{
	emit_plain(code, BPF_ALU64 | op | BPF_X, to, from, 0, 0);
}

void alu_number(struct code *code, int op, int to, int32_t number)
{
	emit_plain(code, BPF_ALU64 | op | BPF_K, to, 0, 0, number);
}

void load(struct code *code, int size, int to, int base, int offset)
{
	emit_plain(code, BPF_LDX | BPF_MEM | size, to, base, offset, 0);
}

void store(struct code *code, int base, int offset, int from)
{
	emit_plain(code, BPF_STX | BPF_MEM | BPF_DW, base, from, offset, 0);
}

void call(struct code *code, int helper)
{
	emit_plain(code, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void go(struct code *code, unsigned label)
{
	note_jump(code, label);
	emit_plain(code, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void go_if(struct code *code, int op, int left, int right, unsigned label)
{
	note_jump(code, label);
	emit_plain(code, BPF_JMP | op | BPF_X, left, right, 0, 0);
}

void go_if_number(struct code *code, int op, int left, int32_t number, unsigned label)
{
	note_jump(code, label);
	emit_plain(code, BPF_JMP | op | BPF_K, left, 0, 0, number);
}

void add_to(struct code *code, int base, int offset, int from)
{
	if (code->is_atomic) { /* leaves in `from` what was there */
		emit_plain(code, BPF_STX | BPF_ATOMIC | BPF_DW, base, from, offset,
			   BPF_ADD | BPF_FETCH);
		return;
	}
	load(code, BPF_DW, BPF_REG_0, base, offset);
	alu(code, BPF_ADD, BPF_REG_0, from);
	store(code, base, offset, BPF_REG_0);
}

void extend(struct code *code, int reg, unsigned bits, bool is_signed)
{
	if (bits >= 64)
		return;
	if (bits == 32 && !is_signed) {
		emit_plain(code, BPF_ALU | BPF_MOV | BPF_X, reg, reg, 0, 0);
		return;
	}
	alu_number(code, BPF_LSH, reg, 64 - (int)bits);
	alu_number(code, is_signed ? BPF_ARSH : BPF_RSH, reg, 64 - (int)bits);
}
