// SPDX-License-Identifier: GPL-2.0-only
/* x86-64's row of facts. */
#include <elf.h>

#include "arch/x86_64.h"

/* System V ABI AMD64, figure 3.36; names as in arch/x86/kernel/ptrace.c regoffset_table. DWARF's
 * order is not the encoding's: 1 is dx, 4 is si. 16 is the return address. */
static const char *const registers[] = {
	"ax", "dx", "cx", "bx", "si", "di", "bp", "sp",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"ip",
	[49] = "flags",
};

/* arch/x86/include/asm/ptrace.h struct pt_regs */
static const uint8_t saved_at[sizeof(registers) / sizeof(*registers)] = {
	80, 96, 88, 40, 104, 112, 32, 152,
	72, 64, 56, 48, 24, 16, 8, 0,
	128,
	[49] = 144,
};

static const uint8_t arguments[] = {5, 4, 1, 2, 8, 9};

static const struct arch_code code = {
	.arch = CS_ARCH_X86,
	.mode = CS_MODE_64,
	.classify = x86_64_classify,
	.effect = x86_64_effect,
	.jump_at = x86_64_jump_at,
};

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.machine = EM_X86_64,
	.nregisters = sizeof(registers) / sizeof(*registers),
	.registers = registers,
	.saved_at = saved_at,
	.narguments = sizeof(arguments),
	.arguments = arguments,
	.preserved = 1u << 3 | 1u << 6 | 1u << 7 | 0xfu << 12,
	.padding = "\x0f\x2e\x66\x90",
	.stack_register = 7,
	.return_register = 0,
	.frame_register = 6,
	.ip_register = 16,
	.first_float_register = 17,
	.nfloat_registers = 16,
	.float_register = "xmm",
	.has_x87 = true,
	.code = &code,
};
