// SPDX-License-Identifier: GPL-2.0-only
/* Has Go's note. As in Go, a panic that was recovered goes on in a part of the function to which no
 * code jumps. */
#include <stdio.h>

long saved(long n);

__asm__(".section .note.go.buildid, \"a\", @note\n"
	"	.long 4, 4, 4\n"
	"	.asciz \"Go\"\n"
	"	.byte 0\n"
	"	.ascii \"abcd\"\n"
	"	.text\n"
	"	.type panics, @function\n"
	"panics:\n"
	"	.cfi_startproc\n"
	"	test $1, %dil\n"
	"	jz 1f\n"
	"	lea recovered(%rip), %rax\n"
	"	add $8, %rsp\n"
	"	jmp *%rax\n"
	"1:	lea (%rdi, %rdi), %rax\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size panics, . - panics\n"
	"	.globl saved\n"
	"	.type saved, @function\n"
	"saved:\n"
	"	.cfi_startproc\n"
	"	sub $8, %rsp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	call panics\n"
	"	add $8, %rsp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"recovered:\n"
	"	.cfi_def_cfa_offset 16\n"
	"	mov $-1, %rax\n"
	"	add $8, %rsp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size saved, . - saved\n");

__attribute__((noinline)) long sum(long n, long id)
{
	long result = saved(n) + id;

	printf("saved %ld\n", result - id);
	return result;
}

int main(void)
{
	for (long i = 1; i < 7; i++)
		sum(i, 10 * i);
	return 0;
}
