# Two copies of one function, the second inlined into the first, that end at the same address, where the function's
# last line begins: as recursive inlining leaves them. The debug information is written by hand.
	.text
.Ltext:
	.file 1 "/src" "copies.c"
	.globl _start
	.type _start, @function
_start:
	.loc 1 20 1 is_stmt 1
	nop
.Lfirst:
	.loc 1 11 1 is_stmt 1
	nop
.Lsecond:
	.loc 1 11 1 is_stmt 1
	nop
	.loc 1 12 1 is_stmt 1
	nop
	.globl behind
behind:
	.loc 1 13 1 is_stmt 1
	nop
	.loc 1 21 1 is_stmt 1
	ret
.Lend:
	.size _start, .-_start

	.section .debug_abbrev, "", @progbits
.Labbrev:
	.uleb128 1; .uleb128 0x11; .byte 1	# compile unit: name, low_pc, high_pc, stmt_list, language
	.uleb128 0x03; .uleb128 0x08; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07
	.uleb128 0x10; .uleb128 0x17; .uleb128 0x13; .uleb128 0x0b; .byte 0, 0
	.uleb128 2; .uleb128 0x24; .byte 0	# base type: name, size, encoding
	.uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .uleb128 0x3e; .uleb128 0x0b; .byte 0, 0
	.uleb128 3; .uleb128 0x2e; .byte 1	# abstract function: name, file, line, inline
	.uleb128 0x03; .uleb128 0x08; .uleb128 0x3a; .uleb128 0x0b; .uleb128 0x3b; .uleb128 0x0b
	.uleb128 0x20; .uleb128 0x0b; .byte 0, 0
	.uleb128 4; .uleb128 0x05; .byte 0	# its parameter: name, type
	.uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .byte 0, 0
	.uleb128 5; .uleb128 0x2e; .byte 1	# function: name, file, line, low_pc, high_pc
	.uleb128 0x03; .uleb128 0x08; .uleb128 0x3a; .uleb128 0x0b; .uleb128 0x3b; .uleb128 0x0b
	.uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0, 0
	.uleb128 6; .uleb128 0x1d; .byte 1	# copy: abstract_origin, low_pc, high_pc, call_line
	.uleb128 0x31; .uleb128 0x13; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07
	.uleb128 0x59; .uleb128 0x0b; .byte 0, 0
	.uleb128 7; .uleb128 0x05; .byte 0	# a copy's parameter: abstract_origin, const_value
	.uleb128 0x31; .uleb128 0x13; .uleb128 0x1c; .uleb128 0x0b; .byte 0, 0
	.byte 0

	.section .debug_info, "", @progbits
.Linfo:
	.long .Linfo_end - .Lversion
.Lversion:
	.short 5
	.byte 1, 8
	.long .Labbrev
	.uleb128 1; .asciz "copies.c"; .quad .Ltext; .quad .Lend - .Ltext; .long .Lline; .byte 12
.Lint:	.uleb128 2; .asciz "int"; .byte 4, 5
.Lshrink: .uleb128 3; .asciz "shrink"; .byte 1, 10, 1
.Lparam: .uleb128 4; .asciz "n"; .long .Lint - .Linfo
	.byte 0
	.uleb128 5; .asciz "_start"; .byte 1, 20; .quad _start; .quad .Lend - _start
	.uleb128 6; .long .Lshrink - .Linfo; .quad .Lfirst; .quad behind - .Lfirst; .byte 20
	.uleb128 7; .long .Lparam - .Linfo; .byte 1
	.uleb128 6; .long .Lshrink - .Linfo; .quad .Lsecond; .quad behind - .Lsecond; .byte 11
	.uleb128 7; .long .Lparam - .Linfo; .byte 2
	.byte 0, 0, 0, 0
.Linfo_end:
	.section .debug_line, "", @progbits
.Lline:
	.section .note.GNU-stack, "", @progbits
