# SPDX-License-Identifier: GPL-2.0-only
# What gcc 12 -O2 left of bc's bc_divide(), reduced to a loop: the list has `digits` in a slot of
# the stack from the instruction on that stores it there. Until then the slot has something else.
	.file	1 "." "unstored.s"
	.text
	.globl	work
	.type	work, @function
work:
	.loc	1 10 0
	pushq	%rbx
	subq	$16, %rsp
	movl	$1, %ebx
.Lhead:
	.loc	1 15 0
	leal	(%rbx,%rbx,4), %edx	/* digits = 5 * i; */
.Lmade:
	.loc	1 18 0
	cmpl	$1, %ebx
	jne	.Lcut
	movl	%edx, 8(%rsp)
.Lcut:
	leaq	text(%rip), %rdi
	xorl	%eax, %eax
.Lstore:
	.loc	1 26 0
	movl	%edx, 8(%rsp)	/* HERE */
.Lstored:
	movl	8(%rsp), %esi
	call	printf@PLT	/* printf("digits=%d\n", digits); */
	.loc	1 30 0
	addl	$1, %ebx
	cmpl	$5, %ebx
	jle	.Lhead
.Lend:
	.loc	1 35 0
	addq	$16, %rsp
	popq	%rbx
	ret
.Lbehind:
	.size	work, . - work
	.globl	main
	.type	main, @function
main:
	subq	$8, %rsp
	call	work
	xorl	%eax, %eax
	addq	$8, %rsp
	ret
	.size	main, . - main
	.section .rodata
text:
	.string	"digits=%d\n"
	.section .debug_loc, "", @progbits
.Llist:
	.quad	.Lmade - work, .Lcut - work
	.short	1
	.byte	0x51		# DW_OP_reg1
	.quad	.Lstore - work, .Lstored - work
	.short	2
	.byte	0x77, 8		# DW_OP_breg7 8
	.quad	0, 0
	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11	# DW_TAG_compile_unit
	.byte	1
	.uleb128 0x25, 8, 0x13, 5, 3, 8, 0x1b, 8, 0x10, 0x17, 0x11, 1, 0x12, 6, 0, 0
	.uleb128 2, 0x2e	# DW_TAG_subprogram
	.byte	1
	.uleb128 3, 8, 0x3a, 0xb, 0x3b, 0xb, 0x11, 1, 0x12, 6, 0x40, 0x18, 0x3f, 0x19, 0, 0
	.uleb128 3, 0x34	# DW_TAG_variable
	.byte	0
	.uleb128 3, 8, 0x3a, 0xb, 0x3b, 0xb, 0x49, 0x13, 2, 0x17, 0, 0
	.uleb128 4, 0x24	# DW_TAG_base_type
	.byte	0
	.uleb128 3, 8, 0xb, 0xb, 0x3e, 0xb, 0, 0
	.byte	0
	.section .debug_info, "", @progbits
.Linfo:
	.long	.Linfo_end - .Lversion
.Lversion:
	.short	4
	.long	.debug_abbrev
	.byte	8
	.uleb128 1
	.string	"GNU C17 12.2.0 -O2 -g"
	.short	12		# DW_LANG_C99
	.string	"unstored.s"
	.string	"."
	.long	.debug_line
	.quad	work
	.long	.Lbehind - work
	.uleb128 2
	.string	"work"
	.byte	1, 10
	.quad	work
	.long	.Lbehind - work
	.uleb128 1
	.byte	0x57		# DW_OP_reg7
	.uleb128 3
	.string	"digits"
	.byte	1, 14
	.long	.Lint - .Linfo
	.long	.Llist
	.byte	0
.Lint:
	.uleb128 4
	.string	"int"
	.byte	4, 5
	.byte	0
.Linfo_end:
	.section .note.GNU-stack, "", @progbits
