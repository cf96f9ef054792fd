/* SPDX-License-Identifier: GPL-2.0-only */
/* A function's code as a whole: its control flow, its exits, what its entry stores. */
#ifndef RESOLVE_FLOW_H
#define RESOLVE_FLOW_H

#include "resolve/internal.h"

/* points/flow.c: which instruction leads to which, in one function. */
struct flow;
struct flow *flow_build(struct resolver *resolver, const struct range *ranges, unsigned count,
			uint64_t entry);
/* The same for the out-of-line function that contains the instance; NULL if it has no code. */
struct flow *outer_flow(struct resolver *resolver, const struct instance *instance);
/* The same, for as long as no other one is asked for: a glob's copies lie in thousands of
 * functions. */
struct flow *passing_flow(struct resolver *resolver, const struct instance *instance);
bool flow_has(const struct flow *flow, uint64_t address);
/* Whether the instruction before it is the only one that leads there. */
bool flow_is_straight(const struct flow *flow, uint64_t address);
/* Whether nothing that is known leads there: a switch's case, by its table. */
bool flow_is_root(const struct flow *flow, uint64_t address);
/* The straight-line code around an address: only its first instruction can be reached from
 * elsewhere; the end is behind its last. */
uint64_t flow_straight_start(const struct flow *flow, uint64_t address);
uint64_t flow_straight_end(const struct flow *flow, uint64_t address);
/* From the target of a conditional jump back, which lies in the range, to behind that jump; an end
 * of 0: there is none. */
struct range flow_loop_ending_in(const struct flow *flow, struct range range);
/* Whether each jump of the function says where it leads. */
bool flow_is_told(const struct flow *flow);
/* The ways from outside a range to the instructions in it. */
struct path {
	uint64_t from;
	uint64_t to;
	bool is_branch; /* a jump, taken or not, which changes no variable */
};
unsigned flow_ways_into(const struct flow *flow, struct arena *arena, struct range range,
			struct path **ret);
/* The instructions by number, ascending by address. */
struct flow_step {
	uint64_t address;
	int next[3]; /* the numbers of those that it leads to; -1: none */
	bool is_root; /* no known instruction leads there, or it is the entry */
	unsigned kind; /* of its operation */
	bool is_vector;
};
unsigned flow_count(const struct flow *flow);
struct flow_step flow_step(const struct flow *flow, unsigned number);
/* -1: none begins there. */
int flow_number(const struct flow *flow, uint64_t address);
/* What points/slots.c keeps of the function; NULL at first. */
struct slots;
struct slots **flow_slots(struct flow *flow, struct arena **arena);
/* The same of points/eventless.c. */
struct step_graph;
struct step_graph **flow_step_graph(struct flow *flow, struct arena **arena);
/* Whether an instruction in one of the ranges leads to the address. */
bool flow_leads_to(const struct flow *flow, const struct range *ranges, unsigned count,
		   uint64_t address);
/* Whether the instruction leads to one other alone. */
bool flow_leads_only(const struct flow *flow, uint64_t address);
/* Whether an execution can reach `to` from the function's start (or again, after one of `from`)
 * without passing one of the others. */
bool flow_reaches(const struct flow *flow, uint64_t to, const uint64_t *others, unsigned count);
bool flow_reaches_from(const struct flow *flow, const uint64_t *from, unsigned nfrom, uint64_t to,
		       const uint64_t *others, unsigned count);
/* The instructions that can run once the function is entered, for flow_marked(). from_anywhere:
 * also those that are reachable only from code that nothing seen leads to. */
const bool *flow_runs(const struct flow *flow, bool from_anywhere);
bool flow_marked(const struct flow *flow, const bool *marks, uint64_t address);
/* Whether an execution can return from the function without passing one of the addresses. */
bool flow_returns_past(const struct flow *flow, const uint64_t *addresses, unsigned count);
/* How many of the addresses, which may be given several times, any execution from the entry to an
 * exit passes at least. */
unsigned flow_least(const struct flow *flow, const uint64_t *addresses, unsigned count);
/* Whether the goals together post-dominate an address: every path from it meets one of them
 * before it meets a stop, the address itself again or the function's end. */
bool flow_always_meets(const struct flow *flow, uint64_t from, const uint64_t *goals,
		       unsigned ngoals, const uint64_t *stops, unsigned nstops);

/* points/code.c: all code of an out-of-line function. */
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
/* points/noreturn.c: whether a function that is called returns to its caller; true where that isn't
 * known. */
bool call_comes_back(struct resolver *resolver, struct decoder *decoder, uint64_t callee);
/* Those functions will be asked about: it is cheaper to look their symbols up at once. */
void calls_expect(struct resolver *resolver, const uint64_t *callees, unsigned count);
/* Calls `each` with each instruction and the one before it. Returns false if some can't be decoded.
 */
bool code_each(struct function_code *code, insn_visitor each, void *cookie);

/* Which of the addresses can be met next behind each of them: pairs of their indices. */
struct next_mark {
	unsigned from;
	unsigned to; /* NO_MARK: none, as the function returns */
};
enum { NO_MARK = -1U };
unsigned flow_next_marks(const struct flow *flow, struct arena *arena, const uint64_t *addresses,
			 unsigned count, struct next_mark **ret);

/* points/exits.c: where a function ends. */
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

/* points/prologue.c: for programs, which stack slots the entry's code has filled. is_entry: only
 * stores of what the caller passed count; else any store does. */
struct prologue;
struct prologue *prologue_read(struct resolver *resolver, const struct instance *instance,
			       bool is_entry);
/* The addresses after the entry that are executed exactly as often as the entry. */
unsigned prologue_addresses(struct resolver *resolver, const struct prologue *prologue,
			    const struct position **ret);
/* Whether the value would be read from a slot that is not yet filled at the address. size: expr
 * is an address, and this many bytes there are read; 0: expr is the value. */
bool prologue_is_unwritten(const struct prologue *prologue, uint64_t address,
			   const struct expr *expr, unsigned size);

/* What instructions write, in their order. */
struct writes {
	struct write {
		unsigned line;       /* of the statement that the instruction belongs to */
		uint64_t end;        /* address after the instruction */
		uint64_t written;    /* registers, one bit each */
		uint64_t updated;    /* those of them that it also reads */
		bool is_copy;	     /* the register gets a value that is elsewhere, too */
		unsigned store_size; /* bytes stored at a register and an offset, both as at the
				      * position; 0: none */
		int store_base;
		int64_t store_offset;
		bool store_updates;
	} *list;
	unsigned count;
	bool has_marks; /* markers told whose they are; else the order of the lines */
};
/* points/writes.c: whether the write changes what expr reads. size: expr is an address, and this
 * many bytes there are read; 0: expr is the value. is_update: only writes that depend on the old
 * value count. */
bool write_changes(const struct write *write, const struct expr *expr, unsigned size,
		   bool is_update);

/* points/pending.c: what the instructions after a position write that belong to statements before
 * it in the source. Returns NULL if there are none. */
struct line_code;
const struct writes *pending_find(const struct line_code *of, struct position at);

/* points/early.c: what statements behind a position's line did in the straight-line code before the
 * position. Returns NULL if there is none. */
struct early {
	uint64_t start; /* of the straight-line code */
	uint64_t first; /* address of the first of their rows */
	unsigned line;  /* its line */
	struct writes done; /* what their instructions wrote */
};
const struct early *early_find(const struct line_code *of, struct position at);

#endif
