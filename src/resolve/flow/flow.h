/* SPDX-License-Identifier: GPL-2.0-only */
/* The control flow of a function: which instruction leads to which, and what lies between. */
#ifndef RESOLVE_FLOW_H
#define RESOLVE_FLOW_H

#include "resolve/internal.h"

/* flow/flow.c, flow/flow_search.c */
struct flow;
struct flow *flow_build(struct resolver *resolver, const struct range *ranges, unsigned count,
			uint64_t entry);
/* The same for the out-of-line function that contains the instance; NULL if it has no code. */
struct flow *outer_flow(struct resolver *resolver, const struct instance *instance);
/* The same as if each call came back, so that more seems to be reachable than is. */
struct flow *rough_outer_flow(struct resolver *resolver, const struct instance *instance);
/* The same of these ranges alone, ascending, made in an arena and not kept: what leads there from
 * elsewhere isn't known. */
struct flow *flow_of(struct resolver *resolver, struct arena *arena, const struct range *ranges,
		     unsigned count);
/* By where they start. */
void sort_ranges(struct range *ranges, unsigned count);
/* Ends it at calls that don't come back, by the code of what is called, once. Returns false when
 * flow is NULL, or there is no memory for a decoder. */
bool flow_end_at_calls(struct resolver *resolver, struct flow *flow);
/* Whether it is the flow of that function, which has code. flow: may be NULL. */
bool flow_is_around(const struct flow *flow, const struct instance *instance);
/* kept_flows.c: outer_flow(), for as long as no other one is asked for. */
struct flow *passing_flow(struct resolver *resolver, const struct instance *instance);
/* The same of rough_outer_flow(). */
struct flow *rough_flow(struct resolver *resolver, const struct instance *instance);
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
	bool is_return; /* or a jump to another function, which returns for this one */
	bool is_indirect; /* a jump to an unknown address */
	bool is_padding;
	bool is_trap;
};
unsigned flow_count(const struct flow *flow);
struct flow_step flow_step(const struct flow *flow, unsigned number);
/* -1: none begins there. */
int flow_number(const struct flow *flow, uint64_t address);
/* What flow/slots.c keeps of the function; NULL at first. */
struct slots;
struct slots **flow_slots(struct flow *flow, struct arena **arena);
/* The same of flow/static_bases.c. */
struct static_bases;
struct static_bases **flow_static_bases(struct flow *flow, struct arena **arena);
/* The same of flow/step_graph.c. */
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
/* Whether two different instructions lead to each other. */
bool flow_share_loop(const struct flow *flow, uint64_t one, uint64_t other);
/* Whether an execution can come from `from` to one of `through`, which are put in another order,
 * and back to `from`, without passing `without`. */
bool flow_goes_round(const struct flow *flow, uint64_t from, uint64_t *through, unsigned count,
		     uint64_t without);
/* The instructions that can run once the function is entered, for flow_marked(). from_anywhere:
 * also those that are reachable only from code that nothing seen leads to. */
const bool *flow_runs(const struct flow *flow, bool from_anywhere);
/* The same of those that can run from one of some instructions on, until one of the others. */
const bool *flow_reached(const struct flow *flow, struct arena *arena, const uint64_t *from,
			 unsigned nfrom, const uint64_t *others, unsigned count);
bool flow_marked(const struct flow *flow, const bool *marks, uint64_t address);
/* Whether an execution can return from the function without passing one of the addresses. */
bool flow_returns_past(const struct flow *flow, const uint64_t *addresses, unsigned count);
/* Whether an execution can return from the function once it is there. */
bool flow_can_return(const struct flow *flow, uint64_t address);
/* How many of the addresses, which may be given several times, any execution from the entry to an
 * exit passes at least. */
unsigned flow_least(const struct flow *flow, const uint64_t *addresses, unsigned count);
/* Whether the goals together post-dominate an address: every path from it meets one of them
 * before it meets a stop, the address itself again or the function's end. */
bool flow_always_meets(const struct flow *flow, uint64_t from, const uint64_t *goals,
		       unsigned ngoals, const uint64_t *stops, unsigned nstops);
/* Which of the addresses can be met next behind each of them: pairs of their indices. */
struct next_mark {
	unsigned from;
	unsigned to; /* NO_MARK: none, as the function returns */
};
enum { NO_MARK = -1U };
/* Returns false if there are too many. */
bool flow_next_marks(const struct flow *flow, struct arena *arena, const uint64_t *addresses,
		     unsigned count, struct next_mark **ret, unsigned *nret);

#endif
