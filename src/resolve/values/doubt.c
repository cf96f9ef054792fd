// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says why a value that debug information gives isn't believed: the rules, a row each.
 *
 * The surprise: gdb believes it.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/values/doubts.h"

static bool is_at_point(const struct question *question)
{
	return question->at.address == question->point->at.address;
}

static const char *why_unset(const struct question *question)
{
	return find_unset_base(question->walk, question->at.address);
}

static const char dropped[] = "no code behind this address reads its memory, so the compiler may "
			      "have left out to store it there";

static const char *why_unread(const struct question *question)
{
	return may_be_stale(question) ? dropped :
	       is_never_stored(question) ?
		       "the compiler has left out to store it: no code of the function does" : NULL;
}

static const char *why_outdated(const struct question *question)
{
	return question->at.address < question->point->at.address ? NULL : find_outdated(question);
}

/* Whether the variable has one place in memory: on the stack, or a static's, of optimised code. */
static bool is_in_memory(const struct walk *walk)
{
	return walk->resolver == walk->home && walk->instance &&
	       (is_of_static(walk) ? !walk->instance->is_unoptimised : walk->variable->is_home);
}

static const char *why_stored(const struct question *question)
{
	struct walk *walk = question->walk;
	const struct flow *flow = is_in_memory(walk) ?
					  passing_flow(walk->resolver, walk->instance) : NULL;

	return flow ? find_stored(walk, flow, question->at, question->capture) : NULL;
}

static const char *why_carried(const struct question *question)
{
	return is_in_memory(question->walk) && is_carried(question) ?
		       "it is in memory, but on a way that leads here a register has it newer" :
		       NULL;
}

static const char *why_merged(const struct question *question)
{
	return is_in_memory(question->walk) && is_update_merged(question) ?
		       "this line's code may do what the statement before it does to it, too" :
		       NULL;
}

/* The flow for what a list has in a slot of the stack; NULL: it doesn't. */
static const struct flow *flow_of_slot(const struct walk *walk)
{
	return walk->variable->loc.kind == LOC_MEMORY && walk->instance &&
			       !walk->variable->is_home && walk->resolver == walk->home ?
		       passing_flow(walk->resolver, walk->instance) : NULL;
}

static bool is_spilled_never(const struct walk *walk, struct position at)
{
	const struct flow *flow = is_by_gcc(walk) ? flow_of_slot(walk) : NULL;

	return flow && is_spill_dropped(walk, flow, at);
}

static bool is_yet_to_be_stored(const struct walk *walk, struct position at)
{
	const struct flow *flow = flow_of_slot(walk);

	return flow && is_stored_here(walk, flow, at);
}

static bool is_in_register_since(const struct walk *walk, struct position at)
{
	const struct flow *flow = is_by_gcc(walk) ? NULL : flow_of_slot(walk);

	(void)at; /* the list's part has the same answer everywhere */
	return flow && is_stale_slot(walk, flow);
}

/* Whether it is in memory where the caller has put arguments, outside of the call's frame. */
static bool is_in_arguments(const struct walk *walk, struct position at)
{
	const struct loc *loc = &walk->variable->loc;
	uint64_t base, of_frame;
	int64_t offset, end;
	struct frame frame;

	return loc->kind == LOC_MEMORY && expr_is_based(loc->expr, &base, &offset) &&
	       !debuginfo_frame(walk->resolver->info, walk->instance, at.address, &frame) &&
	       !frame.reason && expr_is_based(frame.cfa, &of_frame, &end) && base == of_frame &&
	       offset >= end;
}

/* Whether the caller has given it: a parameter, but for one of a copy that is called and that debug
 * information doesn't know where the copy begins. Inlined copies are given constants, too. */
static bool is_given(const struct walk *walk, struct position at)
{
	const struct position entry = {.address = walk->instance ? walk->instance->entry : 0};

	return walk->variable->scope != SCOPE_LOCAL &&
	       (!walk->instance || walk->instance->inlined ||
		(!is_constant(walk->variable) && variable_at(walk, entry)) ||
		is_in_arguments(walk, at));
}

static const char *why_not_here(const struct question *question)
{
	return !is_at_point(question) && !is_given(question->walk, question->at) ?
		       "a statement behind the function's beginning sets it" : NULL;
}

static const char *why_before_head(const struct question *question)
{
	return is_before_head(question->walk, question->at, is_at_point(question)) ?
		       "the compiler has split the function, and debug information doesn't tell "
		       "what its head makes of a parameter" : NULL;
}

/* The flow for what clang says is a constant; NULL: it doesn't. */
static const struct flow *flow_of_constant(const struct walk *walk)
{
	return is_constant(walk->variable) && !is_by_gcc(walk) && walk->instance ?
		       passing_flow(walk->resolver, walk->instance) : NULL;
}

static bool may_be_given_away(const struct walk *walk, struct position at)
{
	const struct flow *flow = flow_of_constant(walk);

	return flow && is_given_away(walk, flow, at.address);
}

static bool is_of_before_store(const struct walk *walk, struct position at)
{
	const struct flow *flow = flow_of_constant(walk);

	return flow && is_stored_since(walk, flow, at.address);
}

static const char *why_uncounted(const struct question *question)
{
	unsigned line = find_uncounted(question->walk, question->at);

	return line ? arena_printf(question->walk->resolver->arena,
				   "debug information leaves out what line %u makes of it in the "
				   "loop's first round", line) : NULL;
}

static const char *why_lost(const struct question *question)
{
	unsigned line = find_lost_statement(question->walk, question->at);

	return line ? arena_printf(question->walk->resolver->arena,
				   "line %u sets it, and debug information has it from before that",
				   line) : NULL;
}

static const char *why_other(const struct question *question)
{
	unsigned line = find_arm_constant(question->walk, question->at);

	return line ? arena_printf(question->walk->resolver->arena,
				   "line %u contradicts the constant that debug information has",
				   line) : NULL;
}

static const char *why_miscounted(const struct question *question)
{
	unsigned line = find_lost_count(question->walk, question->at);

	return line ? arena_printf(question->walk->resolver->arena,
				   "the loop of line %u leaves it at another number than debug "
				   "information has", line) : NULL;
}

static const char *why_ahead(const struct question *question)
{
	return find_ahead(question->walk, question->at);
}

static bool is_said_otherwise(const struct walk *walk, struct position at)
{
	const struct flow *flow = may_be_contradicted(walk) ?
					  passing_flow(walk->resolver, walk->instance) : NULL;

	return flow && is_contradicted(walk, flow, at);
}

enum {
	OF_VARIABLE = 1, /* the value begins at a variable */
	OF_LIST = 2,     /* debug information has a list of locations of that */
	AT_POINT = 4,    /* it is captured at the point, not at an alternative */
};

static const struct rule {
	unsigned when;
	/* Either whether the rule holds, and what that means, ... */
	bool (*holds)(const struct walk *walk, struct position at);
	const char *meaning;
	/* ... or NULL, or what it found. */
	const char *(*find)(const struct question *question);
} rules[] = {
	{0, .find = why_unset},
	{0, .find = why_unread},
	{0, .find = why_outdated},
	{OF_VARIABLE | AT_POINT, .find = why_stored},
	{OF_VARIABLE | AT_POINT, .find = find_hoisted_store},
	{OF_VARIABLE | AT_POINT, .find = why_carried},
	{OF_VARIABLE | AT_POINT, .find = why_merged},
	{OF_LIST | AT_POINT, is_spilled_never, dropped, NULL},
	{OF_LIST, is_yet_to_be_stored,
	 "debug information names its memory, and the code here is what stores it there",
	 NULL},
	{OF_LIST | AT_POINT, is_in_register_since,
	 "debug information names its memory, but a register has it newer", NULL},
	{OF_LIST, .find = why_not_here},
	{OF_LIST | AT_POINT, begins_at_padding,
	 "debug information doesn't tell whether this line's statement has set it", NULL},
	{OF_LIST | AT_POINT, is_own_result,
	 "debug information has what this line makes of it, at the line's beginning", NULL},
	{OF_VARIABLE | AT_POINT, may_be_inner,
	 "a copy of the same function ends here, and this may be its last line", NULL},
	{OF_VARIABLE | AT_POINT, is_of_next_call,
	 "the function's call of itself became a loop, and debug information doesn't tell whether "
	 "the next call's argument is there already", NULL},
	{OF_LIST | AT_POINT, is_other_register,
	 "debug information names a register that has something else here", NULL},
	{OF_LIST | AT_POINT, is_left_register,
	 "debug information names a register that has something else here", NULL},
	{OF_LIST | AT_POINT, is_of_both_arms,
	 "debug information has what both arms of an 'if' make of it further down", NULL},
	{OF_VARIABLE, .find = why_before_head},
	{OF_LIST | AT_POINT, is_of_first_round,
	 "debug information has what it was before the loop, by what the loop leaves alone", NULL},
	{OF_LIST | AT_POINT, is_of_one_step,
	 "debug information has it changed once, where a loop changes it in each round",
	 NULL},
	{OF_LIST, is_step_at_head,
	 "debug information contradicts itself: it changes it where the loop's condition leads "
	 "into the loop", NULL},
	{OF_LIST | AT_POINT, is_of_other_round,
	 "debug information changes it more often here than in other rounds of this unrolled "
	 "loop, so it may be of another round", NULL},
	{OF_LIST | AT_POINT, is_out_of_order,
	 "debug information has the rounds of this unrolled loop in another order", NULL},
	{OF_VARIABLE, is_made_by_code,
	 "code computes it where it is declared, but debug information has one number for all of "
	 "its scope", NULL},
	{OF_LIST | AT_POINT, is_of_one_way,
	 "debug information has what it is on one of the ways that meet before this", NULL},
	{OF_LIST | AT_POINT, may_be_given_away,
	 "a function was given its address, and debug information has what it was before", NULL},
	{OF_LIST | AT_POINT, is_of_before_store,
	 "debug information has what it was before code stored to its slot", NULL},
	{OF_VARIABLE | AT_POINT, is_change_lost,
	 "debug information doesn't tell whether a statement on the way here changes it", NULL},
	{OF_LIST | AT_POINT, .find = why_uncounted},
	{OF_VARIABLE | AT_POINT, .find = find_later},
	{OF_LIST | AT_POINT, .find = why_ahead},
	{OF_LIST | AT_POINT, .find = find_newer},
	{OF_VARIABLE, is_load_forgotten,
	 "debug information computes it from where a slot of the stack is, not from what is in it",
	 NULL},
	{OF_VARIABLE, is_pointer_lost,
	 "debug information has it point past the slot of a pointer on the stack, where no "
	 "variable is", NULL},
	{OF_LIST, is_made_twice,
	 "debug information makes of it once more what code has made of it", NULL},
	{OF_LIST, is_united,
	 "debug information has it in registers that only some of the ways here have set",
	 NULL},
	{OF_LIST | AT_POINT, .find = why_lost},
	{OF_VARIABLE | AT_POINT, .find = why_miscounted},
	{OF_VARIABLE | AT_POINT, .find = why_other},
	{OF_LIST, is_said_otherwise,
	 "debug information contradicts itself: it has another value, or none, on a way that "
	 "leads here", NULL},
	{OF_VARIABLE, may_be_set_by_copy,
	 "a function that was inlined was given its address, and debug information doesn't tell "
	 "what that has made of it", NULL},
};

static unsigned kind_of(const struct question *question)
{
	const struct variable *variable = question->walk->variable;

	return (variable ? OF_VARIABLE : 0) | (variable && variable->holds.end ? OF_LIST : 0) |
	       (is_at_point(question) ? AT_POINT : 0);
}

const char *capture_doubt(const struct question *question)
{
	unsigned kind = kind_of(question);

	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct rule *rule = &rules[i];
		const char *found;

		if (rule->when & ~kind)
			continue;
		found = rule->find ? rule->find(question) :
			rule->holds(question->walk, question->at) ? rule->meaning : NULL;
		if (found)
			return found;
	}
	return NULL;
}
