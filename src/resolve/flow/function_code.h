/* SPDX-License-Identifier: GPL-2.0-only */
/* The code of an out-of-line function: its instructions, what it calls and where it ends. */
#ifndef RESOLVE_FUNCTION_CODE_H
#define RESOLVE_FUNCTION_CODE_H

#include "resolve/internal.h"

/* flow/code.c: all code of an out-of-line function. */
struct insn;
struct function_code {
	struct resolver *resolver;
	uint64_t entry;
	struct range *ranges;
	unsigned nranges;
};
typedef void (*insn_visitor)(void *cookie, const struct insn *insn, const struct insn *before,
			     uint64_t address);
/* Returns NULL, or why it isn't all. point: the function's entry. */
const char *code_find(struct resolver *resolver, const struct point *point,
		      struct function_code *ret);
bool code_has(const struct function_code *code, uint64_t address);
/* What one instruction does. Returns false if it can't be decoded. */
struct effect;
bool code_effect(struct resolver *resolver, uint64_t address, struct insn *insn,
		 struct effect *effect);
/* The name of a function that is called directly, or by a stub that jumps to an import; NULL: not
 * known. */
struct decoder;
const char *code_callee(struct resolver *resolver, struct decoder *decoder, uint64_t callee);
/* flow/noreturn.c: whether a function that is called returns to its caller; true where that isn't
 * known. */
bool call_comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t callee);
struct flow_call {
	unsigned node; /* the number of the instruction */
	uint64_t callee; /* 0: not told */
};
/* Those functions will be asked about: it is cheaper to look their symbols up at once. */
void calls_expect(struct resolver *resolver, const struct flow_call *calls, unsigned count);
/* Calls `each` with each instruction and the one before it. Returns false if some can't be decoded.
 */
bool code_each(struct function_code *code, insn_visitor each, void *cookie);

/* flow/unprobed.c: why the kernel takes no probe at the instruction; NULL: nothing is known that
 * keeps it from that. */
const char *code_unprobed(struct resolver *resolver, uint64_t address);

/* flow/exits.c: where a function ends. */
struct exits {
	struct exit {
		uint64_t address;
		bool is_jump; /* to another function, which returns for this one */
		uint64_t target; /* is_jump: that function, where it is known; else 0 */
	} *list;
	unsigned count;
	unsigned njumps;
	bool has_calls;
	const char *unknown; /* why there may be more exits, or NULL */
	bool is_unsized; /* has no size: start-up code or assembly */
};
/* points: all of the place, this one included. */
void exits_find(struct resolver *resolver, const struct point *point, const struct point *points,
		unsigned npoints, struct exits *ret);

#endif
