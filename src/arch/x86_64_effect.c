// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an x86-64 instruction does to stack and registers: enough to follow a function's prologue,
 * which stores the arguments on the stack. What isn't understood counts as a change.
 */
#include "arch/x86_64.h"

/* All widths of one register, by DWARF number. */
static const uint16_t widths[16][5] = {
	{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
	{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
	{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
	{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
	{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
	{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
	{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
	{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
	{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},
	{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
	{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B},
	{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
	{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B},
	{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
	{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B},
	{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B},
};

enum { BP = 6, SP = 7, XMM0 = 17 };

int x86_64_dwarf_number(unsigned reg)
{
	for (int number = 0; number < 16; number++)
		for (unsigned i = 0; i < 5; i++)
			if (widths[number][i] && widths[number][i] == reg)
				return number;
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
		return XMM0 + (int)(reg - X86_REG_XMM0);
	if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15)
		return XMM0 + (int)(reg - X86_REG_YMM0);
	return NO_REGISTER;
}

static uint64_t bit(int number)
{
	return number == NO_REGISTER ? 0 : (uint64_t)1 << number;
}

static uint64_t mask_of(const cs_regs registers, unsigned count)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < count; i++)
		mask |= bit(x86_64_dwarf_number(registers[i]));
	return mask;
}

/* `xor %eax, %eax` is how compilers write 0: what is in the register doesn't matter. */
static bool is_zeroing(const cs_insn *insn)
{
	const cs_x86_op *operands = insn->detail->x86.operands;

	return (insn->id == X86_INS_XOR || insn->id == X86_INS_SUB) &&
	       operands[0].type == X86_OP_REG && operands[1].type == X86_OP_REG &&
	       operands[0].reg == operands[1].reg;
}

static void find_written(csh handle, const cs_insn *insn, struct effect *ret)
{
	cs_regs read, written;
	uint8_t nread, nwritten;

	ret->written = ret->updated = ret->read = ~(uint64_t)0;
	if (cs_regs_access(handle, insn, read, &nread, written, &nwritten))
		return;
	ret->written = mask_of(written, nwritten);
	ret->read = is_zeroing(insn) ? 0 : mask_of(read, nread);
	ret->updated = ret->written & ret->read;
}

static bool is_register(const cs_x86_op *operand, int number)
{
	return operand->type == X86_OP_REG && x86_64_dwarf_number(operand->reg) == number;
}

static bool is_plain_memory(const cs_x86_op *operand)
{
	return operand->type == X86_OP_MEM && operand->mem.index == X86_REG_INVALID &&
	       operand->mem.segment == X86_REG_INVALID;
}

static void stack_moves(struct effect *ret, int64_t value)
{
	ret->stack = STACK_MOVED;
	ret->value = value;
}

static void stack_effect(const cs_insn *insn, const cs_x86_op *to, const cs_x86_op *from,
			 struct effect *ret)
{
	bool is_immediate = from->type == X86_OP_IMM;

	ret->stack = ret->written & bit(SP) ? STACK_LOST : STACK_UNFRAMED;
	if (insn->id == X86_INS_PUSH && to->size == 8)
		stack_moves(ret, -8);
	else if (insn->id == X86_INS_POP && to->size == 8 && !is_register(to, SP)) {
		stack_moves(ret, 8);
		ret->stack = is_register(to, BP) ? STACK_RESTORED : STACK_MOVED;
	}
	else if (insn->id == X86_INS_SUB && is_register(to, SP) && is_immediate)
		stack_moves(ret, -from->imm);
	else if (insn->id == X86_INS_ADD && is_register(to, SP) && is_immediate)
		stack_moves(ret, from->imm);
	else if (insn->id == X86_INS_LEA && is_plain_memory(from) &&
		 x86_64_dwarf_number(from->mem.base) == SP && is_register(to, SP))
		stack_moves(ret, from->mem.disp);
	else if (insn->id == X86_INS_MOV && is_register(to, BP) && is_register(from, SP))
		ret->stack = STACK_FRAME;
	else if (insn->id == X86_INS_LEA && is_plain_memory(from) &&
		 x86_64_dwarf_number(from->mem.base) == SP && is_register(to, BP)) {
		ret->stack = STACK_FRAME;
		ret->value = from->mem.disp;
	}
}

static bool is_copy(unsigned id)
{
	switch (id) {
	case X86_INS_MOV:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
	case X86_INS_MOVSS:
	case X86_INS_MOVSD:
	case X86_INS_MOVAPS:
	case X86_INS_MOVAPD:
	case X86_INS_MOVUPS:
	case X86_INS_MOVUPD:
	case X86_INS_MOVDQA:
	case X86_INS_MOVDQU:
	case X86_INS_MOVQ:
	case X86_INS_MOVD:
	case X86_INS_VMOVSS:
	case X86_INS_VMOVSD:
	case X86_INS_VMOVAPS:
	case X86_INS_VMOVAPD:
	case X86_INS_VMOVUPS:
	case X86_INS_VMOVUPD:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQU:
	case X86_INS_VMOVQ:
	case X86_INS_VMOVD:
		return true;
	default:
		return false;
	}
}

/* Memory of the program or the thread: not a slot of the stack. */
static bool is_static(const x86_op_mem *memory)
{
	return memory->base == X86_REG_RIP || memory->segment == X86_REG_FS ||
	       memory->segment == X86_REG_GS ||
	       (memory->base == X86_REG_INVALID && memory->index == X86_REG_INVALID);
}

/* Where the static is that the code names; a thread's, or a CPU's, has no address. */
static uint64_t static_address(const cs_insn *insn, const x86_op_mem *memory)
{
	if (memory->segment != X86_REG_INVALID || !is_static(memory))
		return 0;
	return (uint64_t)memory->disp +
	       (memory->base == X86_REG_RIP ? insn->address + insn->size : 0);
}

static void store_effect(const cs_insn *insn, const cs_x86_op *to, const cs_x86_op *from,
			 struct effect *ret)
{
	if (insn->id == X86_INS_PUSH && to->type == X86_OP_REG && to->size == 8) {
		ret->store_size = 8;
		ret->store_base = SP;
		ret->store_offset = -8;
		ret->store_register = x86_64_dwarf_number(to->reg);
	}
	/* for some copies capstone doesn't say that they write */
	if (to->type != X86_OP_MEM || !(to->access & CS_AC_WRITE || is_copy(insn->id)))
		return;
	ret->store_updates = to->access & CS_AC_READ;
	if (is_copy(insn->id) && from->type == X86_OP_REG)
		ret->put_register = x86_64_dwarf_number(from->reg);
	if (is_static(&to->mem) || is_plain_memory(to))
		ret->store_register = ret->put_register;
	if (is_static(&to->mem)) {
		ret->static_size = ret->static_at ? to->size : 0;
		return;
	}
	ret->store_size = to->size;
	if (!is_plain_memory(to))
		return; /* anywhere */
	ret->store_base = x86_64_dwarf_number(to->mem.base);
	ret->store_offset = to->mem.disp;
}

/* Those for which capstone doesn't say that they only write to memory. */
static bool is_store(unsigned id)
{
	switch (id) {
	case X86_INS_FST:
	case X86_INS_FSTP:
	case X86_INS_FIST:
	case X86_INS_FISTP:
	case X86_INS_FISTTP:
	case X86_INS_MOVHPS:
	case X86_INS_MOVLPS:
	case X86_INS_MOVHPD:
	case X86_INS_MOVLPD:
		return true;
	default:
		return is_copy(id);
	}
}

/* What isn't known to be a store alone counts as read. A long nop names memory, but leaves it
 * alone. */
static void memory_effect(const cs_insn *insn, struct effect *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (unsigned i = 0; i < x86->op_count && insn->id != X86_INS_NOP; i++) {
		const cs_x86_op *operand = &x86->operands[i];
		bool is_written = !i && (operand->access == CS_AC_WRITE || is_store(insn->id));

		if (operand->type != X86_OP_MEM)
			continue;
		ret->memory = insn->id == X86_INS_LEA ? MEMORY_ADDRESS :
			      is_written ? MEMORY_WRITTEN : MEMORY_READ;
		ret->memory_base = is_static(&operand->mem) ?
					   NO_REGISTER :
					   x86_64_dwarf_number(operand->mem.base);
		ret->static_at = static_address(insn, &operand->mem);
		ret->is_indexed = operand->mem.index != X86_REG_INVALID;
		ret->memory_index = x86_64_dwarf_number(operand->mem.index);
		ret->memory_scale = (unsigned)operand->mem.scale;
		ret->memory_offset = operand->mem.disp;
		ret->memory_size = operand->size;
		return;
	}
}

/* `add $2, %rax`, `lea 2(%rax), %rcx`, `add $2, (%rax)` */
static void sum_effect(const cs_insn *insn, const cs_x86_op *to, const cs_x86_op *from,
		       struct effect *ret)
{
	bool is_immediate = from->type == X86_OP_IMM;
	int sum_of = to->type == X86_OP_REG ? x86_64_dwarf_number(to->reg) : NO_REGISTER;

	if (insn->id == X86_INS_LEA && is_plain_memory(from)) {
		ret->sum_of = x86_64_dwarf_number(from->mem.base);
		ret->summand = from->mem.disp;
	} else if ((insn->id == X86_INS_ADD || insn->id == X86_INS_SUB) && is_immediate) {
		ret->sum_of = sum_of;
		ret->summand = insn->id == X86_INS_ADD ? from->imm : -from->imm;
	} else if (insn->id == X86_INS_INC || insn->id == X86_INS_DEC) {
		ret->sum_of = sum_of;
		ret->summand = insn->id == X86_INS_INC ? 1 : -1;
	}
}

static void constant_effect(const cs_insn *insn, const cs_x86_op *to, const cs_x86_op *from,
			    struct effect *ret)
{
	bool is_move = is_copy(insn->id) && from->type == X86_OP_IMM;

	if (is_move && to->type == X86_OP_MEM) {
		ret->stores_constant = true;
		ret->constant = from->imm;
	}
	if (to->type != X86_OP_REG || to->size < 4 || !(is_move || is_zeroing(insn)))
		return;
	ret->constant_to = x86_64_dwarf_number(to->reg);
	ret->constant = is_move ? from->imm : 0;
}

/* clang's `and $1, %al` on a bool argument doesn't change its value. */
static bool is_bool_mask(const cs_insn *insn, const cs_x86_op *from)
{
	return insn->id == X86_INS_AND && from->type == X86_OP_IMM && from->imm == 1;
}

void x86_64_effect(csh handle, const cs_insn *insn, struct effect *ret)
{
	static const cs_x86_op none;
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *to = x86->op_count > 0 ? &x86->operands[0] : &none;
	const cs_x86_op *from = x86->op_count > 1 ? &x86->operands[1] : &none;

	if (!is_bool_mask(insn, from))
		find_written(handle, insn, ret);
	if (ret->written & (bit(SP) | bit(BP)))
		stack_effect(insn, to, from, ret);
	memory_effect(insn, ret);
	store_effect(insn, to, from, ret);
	sum_effect(insn, to, from, ret);
	constant_effect(insn, to, from, ret);
	if (cs_insn_group(handle, insn, X86_GRP_CMOV) && from->type == X86_OP_REG)
		ret->choice_of = x86_64_dwarf_number(from->reg);
	ret->makes_address = to->type == X86_OP_REG && to->size == 8;
	if (is_copy(insn->id) && to->type == X86_OP_REG && from->type == X86_OP_REG) {
		ret->copy_from = x86_64_dwarf_number(from->reg);
		ret->copy_to = x86_64_dwarf_number(to->reg);
	}
	if (is_copy(insn->id) && to->type == X86_OP_REG && is_plain_memory(from)) {
		ret->copy_to = x86_64_dwarf_number(to->reg);
		ret->load_size = from->size;
		ret->load_base = x86_64_dwarf_number(from->mem.base);
		ret->load_offset = from->mem.disp;
	}
}
