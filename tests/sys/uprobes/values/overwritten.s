# SPDX-License-Identifier: GPL-2.0-only
# What clang 14 left of GNU patch's another_hunk(), reduced to a loop: `from` is in r15, but the
# list has it in r12 where that has just got an address.
	.file	1 "." "overwritten.s"
	.text
	.globl	work
	.type	work, @function
work:
	.loc	1 10 0
	pushq	%r15
	pushq	%r12
	subq	$8, %rsp
	movl	$1, %r15d
.Lhead:
	.loc	1 16 0
	leaq	1(%r15), %rsi	/* printf("from=%ld\n", from + 1); */
	leaq	text(%rip), %rdi
	xorl	%eax, %eax
	call	printf@PLT
	.loc	1 21 0
	addq	$1, %r15	/* from++; */
	leaq	mark(%rip), %r12
.Lset:
	.loc	1 25 0
	movq	%r15, (%r12)	/* HERE */
	.loc	1 27 0
	cmpq	$5, %r15
	jle	.Lhead
.Lend:
	.loc	1 31 0
	addq	$8, %rsp
	popq	%r12
	popq	%r15
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
	.string	"from=%ld\n"
	.local	mark
	.comm	mark, 8, 8
	.section .debug_loc, "", @progbits
.Llist:
	.quad	.Lhead - work, .Lset - work
	.short	1
	.byte	0x5f		# DW_OP_reg15
	.quad	.Lset - work, .Lend - work
	.short	1
	.byte	0x5c		# DW_OP_reg12
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
	.string	"clang version 14.0.6"
	.short	12		# DW_LANG_C99
	.string	"overwritten.s"
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
	.string	"from"
	.byte	1, 14
	.long	.Llong - .Linfo
	.long	.Llist
	.byte	0
.Llong:
	.uleb128 4
	.string	"long"
	.byte	8, 5
	.byte	0
.Linfo_end:
	.section .note.GNU-stack, "", @progbits
