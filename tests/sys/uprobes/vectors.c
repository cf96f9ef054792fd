// SPDX-License-Identifier: GPL-2.0-only
/* Functions that begin with one instruction each, most of them AVX, and print what it computed: the kernel takes
 * some of them for others when it has a uprobe there. */
#include <stdio.h>
#include <string.h>

unsigned char left[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
unsigned char right[16] = {1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15};
unsigned char result[16];

#define ALL(X)                                                                                     \
	X(shuffle, "vpshufd $0x1b, %xmm0, %xmm2")                                                  \
	X(either, "vpor %xmm0, %xmm1, %xmm2")                                                      \
	X(equal, "vpcmpeqb %xmm0, %xmm1, %xmm2")                                                   \
	X(compare, "vcmpps $1, %xmm0, %xmm1, %xmm2")                                               \
	X(exclusive, "vpxor %xmm0, %xmm1, %xmm2")                                                  \
	X(move, "vmovdqa %xmm1, %xmm2")                                                            \
	X(bytes, "vpsubsb %xmm0, %xmm1, %xmm2")                                                    \
	X(words, "vpsubsw %xmm0, %xmm1, %xmm2")                                                    \
	X(shift, "vpsrld $3, %xmm0, %xmm2")                                                        \
	X(across, "vhaddps %xmm0, %xmm1, %xmm2")                                                   \
	X(upper, "vzeroupper")                                                                     \
	X(sum, "vaddps %xmm0, %xmm1, %xmm2")                                                       \
	X(most, "vpmaxub %xmm0, %xmm1, %xmm2")                                                     \
	X(both, "vpand %xmm0, %xmm1, %xmm2")                                                       \
	X(added, "vpaddd %xmm0, %xmm1, %xmm2")                                                     \
	X(near, "vaddps right(%rip), %xmm1, %xmm2")                                                \
	X(old, "por %xmm1, %xmm2")                                                                 \
	X(prefixed, ".byte 0x66, 0x66, 0x48; call plain")                                              \
	X(address, "lea right(%rip), %rax")

#define DEFINE(name, insn)                                                                         \
	asm(".globl op_" #name "\n.type op_" #name ", @function\nop_" #name ":\n" insn             \
	    "\nvmovups %xmm2, result(%rip)\nret\n.size op_" #name ", .-op_" #name "\n");           \
	void op_##name(void);

asm(".type plain, @function\nplain: ret\n.size plain, .-plain\n");
ALL(DEFINE)

static void show(const char *name, void (*op)(void))
{
	memset(result, 0, sizeof(result));
	asm volatile("vmovups left(%%rip), %%xmm0\nvmovups right(%%rip), %%xmm1\n"
		     "vmovups left(%%rip), %%xmm2\nsub $128, %%rsp\ncall *%0\nadd $128, %%rsp"
		     : : "r"(op) : "xmm0", "xmm1", "xmm2", "rax", "memory");
	printf("%s", name);
	for (unsigned i = 0; i < sizeof(result); i++)
		printf(" %02x", result[i]);
	printf("\n");
}

int main(void)
{
#define SHOW(name, insn) show(#name, op_##name);
	ALL(SHOW)
	return 0;
}
