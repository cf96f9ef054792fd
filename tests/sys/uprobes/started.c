// SPDX-License-Identifier: GPL-2.0-only
/* A start of its own without call frame information, as musl's: nothing called it, and what lies where
 * a return address would is argc, the program's status. */
__attribute__((noinline)) static long plus(long n)
{
	__asm__ volatile("");
	return n + 40;
}

__attribute__((noreturn)) void begin(long *stack)
{
	__asm__ volatile("syscall" : : "a"(231L), "D"(plus(*stack)));
	__builtin_unreachable();
}

__asm__("	.globl _start\n"
	"	.type _start, @function\n"
	"_start:\n"
	"	mov %rsp, %rdi\n"
	"	jmp begin\n"
	"	.size _start, . - _start\n");
