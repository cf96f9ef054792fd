/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stack as a value: the addresses of its frames, innermost first, 8 bytes each. All but an exact
 * one are return addresses: the call is just before them.
 */
#ifndef KTRACE_STACK_H
#define KTRACE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Where a stack's addresses come from. */
enum stack_kind {
	STACK_NONE,
	STACK_KERNEL,   /* the kernel's own record, behind the event's on the same CPU */
	STACK_POINTERS, /* user space: the same, as frame pointers lead */
	STACK_MEMORY,   /* user space: unwound from registers and memory in the event's record */
};

#define STACK_DEPTH_MAX 512u /* frames */

/* In an address of user space: execution was there itself; no call is just before it. */
#define STACK_EXACT (1ull << 63)

/* What a user stack is unwound from: the registers, by DWARF number, and `length` bytes of memory
 * from the stack pointer up. */
#define STACK_REGISTERS 17u
struct stack_memory {
	uint64_t registers[STACK_REGISTERS]; /* the last is the instruction's address */
	const uint8_t *bytes;
	uint32_t length;
	bool is_all; /* the memory ends there; else more was there than was recorded */
};

/* A frame as it is shown. An inlined function's frames come before the one they are inlined in. */
struct stack_frame {
	uint64_t address;
	const char *function; /* NULL: not known */
	uint64_t offset;      /* from the function's beginning; 0 if inlined */
	const char *file;     /* NULL: not known */
	unsigned line;
	/* the file's name, or the kernel module's; NULL: the kernel, or not known */
	const char *module;
	bool is_inlined;
	bool is_unproven;     /* frame pointers led here through code that may not have one */
};

#endif
