// SPDX-License-Identifier: GPL-2.0-only
/* Functions with a nop of five bytes, in whose place a kernel puts a call while it has a uprobe. Some keep values
 * below the stack pointer meanwhile. Prints for each how many of its results were wrong. */
#include <stdio.h>

#define NOP ".byte 0x0f, 0x1f, 0x44, 0, 0\n"
/* The nop is behind `before`; each doubles its argument. */
#define ALL(X)                                                                                                      \
	X(kept, "mov %rdi, -8(%rsp)\n", "mov -8(%rsp), %rax\nadd %rdi, %rax\nret\n")                                 \
	X(framed, "push %rbp\nmov %rsp, %rbp\nmov %rdi, -8(%rbp)\n", "mov -8(%rbp), %rax\nadd %rdi, %rax\npop %rbp\nret\n") \
	X(pointed, "lea -24(%rsp), %rdx\nmov %rdi, 8(%rdx)\n", "mov 8(%rdx), %rax\nadd %rdi, %rax\nret\n")            \
	X(first, "endbr64\n", "mov %rdi, -8(%rsp)\nmov -8(%rsp), %rax\nadd %rdi, %rax\nret\n")                        \
	X(bare, "mov %rdi, %rax\n", "add %rdi, %rax\nret\n")                                                         \
	X(calls, "push %rbp\nmov %rsp, %rbp\nsub $16, %rsp\nmov %rdi, -8(%rbp)\n",                                    \
	  "call first\nmov -8(%rbp), %rdi\nleave\nlea (%rdi,%rdi), %rax\nret\n")

/* Keeps nothing there, but has a prefix at which the kernel takes no uprobe. */
asm(".type segment, @function\nsegment: mov %rdi, %rax\nnop_segment:\n.byte 0x2e, 0x0f, 0x1f, 0x40, 0\n"
    "add %rdi, %rax\nret\n.size segment, .-segment\n");

#define DEFINE(name, before, behind)                                                                                \
	asm(".type " #name ", @function\n" #name ":\n" before "nop_" #name ":\n" NOP behind                          \
	    ".size " #name ", .-" #name "\n");                                                                       \
	long name(long n);
ALL(DEFINE)

static void count(const char *name, long (*function)(long))
{
	int wrong = 0;

	for (long i = 0; i < 100; i++)
		wrong += function(i) != 2 * i;
	printf("%s %d\n", name, wrong);
}

int main(void)
{
#define COUNT(name, before, behind) count(#name, name);
	ALL(COUNT)
	return 0;
}
