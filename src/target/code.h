/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known about the code at an address: its bytes, its frames, and jumps that it doesn't
 * show. */
#ifndef TARGET_CODE_H
#define TARGET_CODE_H

#include "base/arena.h"
#include "ktrace/error.h"
#include "ktrace/target.h"

/* frame_rules.c: what call frame information says of the stack at a program's instruction. */
enum stack_state {
	STACK_UNKNOWN,   /* no information */
	STACK_BARE,      /* only the return address lies below the caller's frame */
	STACK_FRAMED,    /* more than the return address does */
	STACK_OUTERMOST, /* no return address: nothing called this */
};
enum stack_state target_stack_state(const struct target *target, uint64_t address);
/* parts.c: the code around an address that has call frame information of its own. Returns false
 * when there is none. */
bool target_part_at(struct target *target, uint64_t address, struct code_part *ret);
/* The function around it, by its symbol, else that part. end: start, if its size isn't known. */
bool target_function_at(struct target *target, uint64_t address, struct code_part *ret);
/* What in the file walks stacks, in words: "C++ exceptions". NULL when nothing is known to. */
const char *target_stack_walker(const struct target *target);
/* Whether a call may go on with its stack elsewhere, or in another thread: Go's goroutines do. */
bool target_moves_calls(const struct target *target);
/* Whether a program's code there is mapped writable: the kernel takes uprobes in such code, and
 * puts none in (valid_vma() of kernel/events/uprobes.c). */
bool target_maps_writable(const struct target *target, uint64_t address);
#define WRITABLE_CODE "code that is mapped writable, in which the kernel puts no uprobe"
/* Whether llvm-bolt moved the program's code after it was linked. */
bool target_is_rearranged(const struct target *target);
/* Whether the file may catch exceptions, or Go's panics: no visible jump leads to such code. */
bool target_has_handlers(const struct target *target);

/* Whether the address is in an executable section. */
bool target_is_code(const struct target *target, uint64_t address);

/* Whether the address is in start-up or exit code (.init.text, .exit.text), which may be freed. */
bool target_is_init(const struct target *target, uint64_t address);
/* Jumps from [start, end) that the code doesn't show: static branches, exception fix-ups. Their
 * tables are read when first asked for. */
const struct edge *target_edges(struct target *target, struct arena *arena, uint64_t start,
				uint64_t end, size_t *count);

/* kprobe_limits.c: why a kernel, by its image, takes no kprobe: in a whole function, or at an
 * instruction. */
enum kprobe_limit {
	KPROBE_TAKEN,       /* as far as the image tells */
	KPROBE_BLACKLISTED, /* NOKPROBE_SYMBOL(), noinstr, entry code */
	KPROBE_NOTRACE,     /* the function has no call of ftrace's, and the kernel asks for one */
	KPROBE_STATIC_KEY,  /* the rest: check_kprobe_address_safe(), kernel/kprobes.c */
	KPROBE_STATIC_CALL,
	KPROBE_BUG,
};
/* Tables are read when first asked for. A program has no such limits. */
enum kprobe_limit target_function_limit(struct target *target, uint64_t address);
enum kprobe_limit target_kprobe_limit(struct target *target, uint64_t address);

/* imports.c: the name of the function that the dynamic linker puts into the pointer at the address;
 * NULL: of none. */
const char *target_slot_import(const struct target *target, uint64_t slot);

/* reference.c: what the code of an ET_REL file refers to by a relocation. */
struct reference {
	uint64_t address;  /* with the addend; 0: it is in another file */
	const char *name;  /* then; else "" */
};
/* field: the address of the bytes that are relocated. Returns false when they aren't. */
bool target_reference(const struct target *target, uint64_t field, struct reference *ret);

/* The bytes from an address to the end of its section; NULL when they aren't in the file. */
const uint8_t *target_bytes(const struct target *target, uint64_t address, size_t *length);

#endif
