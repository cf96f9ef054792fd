// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a register has a static, or a part of a struct or an array on the stack, newer than
 * its memory. Of `if (n > left) left = 100; left -= n;` compilers load `left` on one way, have 100
 * in the same register on the other, and store the difference alone; of a loop with
 * `total += list[i]` gcc stores the sum behind the loop, by an instruction that it gives any line.
 * Of a loop with `list[i]--` it may subtract the number of rounds behind the loop.
 *
 * The surprise: the memory is right until the register is changed, and no variable is said to be
 * in that register.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_search.h"
#include "resolve/flow/slots.h"
#include "resolve/values/doubts.h"

enum { MOST_WAYS = 16, MOST_STEPS = 64 };

struct carrying {
	struct walk *walk;
	const struct flow *flow;
	struct position at;
	const struct expr *value; /* a load of the static, ... */
	const struct slot_part *part; /* ... or what is on the stack */
	uint64_t load, store; /* by which the register's value comes and goes */
	int stored; /* the register, at the store */
	struct line_code of;
	struct visit {
		uint64_t start; /* of straight-line code, before which the register is asked for */
		int number;
	} visits[MOST_WAYS];
	unsigned nvisits;
	bool is_memory, is_changed; /* what the register has: on some way, in some round */
	bool is_joined; /* there are several ways: else it is what is computed of the static */
	bool is_lost;
};

static bool writes_static(const struct carrying *carrying, struct effect effect)
{
	struct writes writes = {0};

	if (!effect.static_size)
		return false;
	effect.written = 0; /* of registers, that is */
	writes_add(carrying->walk->resolver, &effect, 0, 0, 0, &writes);
	return write_changes(&writes.list[0], carrying->value, 0, carrying->walk->probed, false);
}

static bool reads_static(const struct carrying *carrying, struct effect effect)
{
	effect.static_size = effect.memory == MEMORY_READ && effect.static_at ? effect.memory_size :
										0;
	return writes_static(carrying, effect);
}

static bool writes_memory(const struct carrying *carrying, uint64_t address,
			  const struct effect *effect)
{
	return carrying->part ? slot_is_touched(carrying->part, address, MEMORY_WRITTEN) :
				writes_static(carrying, *effect);
}

static bool reads_memory(const struct carrying *carrying, uint64_t address,
			 const struct effect *effect)
{
	return carrying->part ? slot_is_touched(carrying->part, address, MEMORY_READ) :
				reads_static(carrying, *effect);
}

/* Where the register's value comes from, if the instruction makes it of a register; or
 * NO_REGISTER. */
static int made_of(const struct effect *effect, int number)
{
	if (!(effect->written >> number & 1))
		return number;
	if (effect->copy_to == number && effect->copy_from != NO_REGISTER)
		return effect->copy_from;
	if (effect->sum_of != NO_REGISTER)
		return effect->sum_of;
	return effect->updated >> number & 1 ? number : NO_REGISTER;
}

/* Whether the instruction is the position's own, or of a line further down, right before it. */
static bool is_own(const struct carrying *carrying, uint64_t address)
{
	const struct row *row = row_around(&carrying->of, address);

	return row && row->line >= carrying->at.line && address < carrying->at.address &&
	       address >= flow_straight_start(carrying->flow, carrying->at.address);
}

static void follow(struct carrying *carrying, uint64_t address, int number);

/* Goes back over the instruction. Returns false where the search ends. */
static bool go_back(struct carrying *carrying, uint64_t address, int *number)
{
	const struct arch *arch = carrying->walk->resolver->arch;
	struct effect effect;
	struct insn insn;
	bool is_written;
	int from;

	if (!code_effect(carrying->walk->resolver, address, &insn, &effect) ||
	    (insn.is_call && !(arch->preserved >> *number & 1))) {
		carrying->is_lost = true;
		return false;
	}
	if (writes_memory(carrying, address, &effect)) {
		carrying->is_memory |= effect.put_register == *number;
		carrying->is_lost |= effect.put_register != *number;
		return false;
	}
	from = insn.is_call ? *number : made_of(&effect, *number);
	is_written = effect.written >> *number & 1;
	if (from == NO_REGISTER && is_written && reads_memory(carrying, address, &effect)) {
		carrying->is_memory = true;
		carrying->load = address;
		return false;
	}
	carrying->is_changed |= is_written && !insn.is_call && effect.copy_to != *number &&
				!is_own(carrying, address);
	if (is_written && effect.choice_of != NO_REGISTER) {
		carrying->is_joined = true;
		follow(carrying, address, effect.choice_of);
	}
	*number = from;
	return from != NO_REGISTER;
}

static void visit(struct carrying *carrying, uint64_t start, int number)
{
	for (unsigned i = 0; i < carrying->nvisits; i++)
		if (carrying->visits[i].start == start && carrying->visits[i].number == number)
			return;
	if (carrying->nvisits == MOST_WAYS)
		carrying->is_lost = true;
	else
		carrying->visits[carrying->nvisits++] = (struct visit){start, number};
}

/* Follows a register back from before the address to where straight-line code begins. */
static void follow(struct carrying *carrying, uint64_t address, int number)
{
	uint64_t start = flow_straight_start(carrying->flow, address);

	for (int i = flow_number(carrying->flow, address) - 1; i >= 0; i--) {
		uint64_t at = flow_step(carrying->flow, (unsigned)i).address;

		if (at < start)
			break;
		if (!go_back(carrying, at, &number))
			return;
	}
	visit(carrying, start, number);
}

/* The same from the ways into straight-line code. */
static void follow_ways(struct carrying *carrying, struct visit from)
{
	struct path *ways;
	unsigned count = flow_ways_into(carrying->flow, &carrying->walk->resolver->scratch,
					(struct range){from.start, from.start + 1}, &ways);

	carrying->is_lost |= !count;
	carrying->is_joined |= count > 1;
	for (unsigned i = 0; i < count; i++) {
		int number = from.number;

		if (go_back(carrying, ways[i].from, &number))
			follow(carrying, ways[i].from, number);
	}
}

/* The steps from the position to a store of the static. */
struct steps {
	unsigned list[MOST_STEPS];
	int before[MOST_STEPS]; /* the one that leads there */
	unsigned count;
};

static void add_step(struct steps *steps, int number, int before)
{
	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i] == (unsigned)number)
			return;
	if (number < 0 || steps->count == MOST_STEPS)
		return;
	steps->before[steps->count] = before;
	steps->list[steps->count++] = (unsigned)number;
}

/* The register that has at the position what a store behind it puts into the static, with nothing
 * that reads the memory on the way there; or NO_REGISTER. */
static int find_register(struct carrying *carrying)
{
	struct steps steps = {0};
	struct effect effect;
	struct insn insn;
	bool is_store;
	int number;

	add_step(&steps, flow_number(carrying->flow, carrying->at.address), -1);
	for (unsigned i = 0; i < steps.count; i++) {
		struct flow_step step = flow_step(carrying->flow, steps.list[i]);

		if (!code_effect(carrying->walk->resolver, step.address, &insn, &effect) ||
		    insn.is_call || reads_memory(carrying, step.address, &effect))
			continue;
		is_store = writes_memory(carrying, step.address, &effect);
		number = is_store ? effect.put_register : NO_REGISTER;
		carrying->stored = number;
		for (int j = steps.before[i]; j >= 0 && number >= 0; j = steps.before[j]) {
			uint64_t at = flow_step(carrying->flow, steps.list[j]).address;

			number = code_effect(carrying->walk->resolver, at, &insn, &effect) ?
					 made_of(&effect, number) : NO_REGISTER;
		}
		carrying->store = step.address;
		if (number >= 0)
			return number;
		for (unsigned j = 0; j < 3 && !is_store; j++)
			add_step(&steps, step.next[j], (int)i);
	}
	return NO_REGISTER;
}

/* Whether debug information has a variable in the register: then it is that one's. */
static bool is_named(const struct carrying *carrying, int number)
{
	const struct walk *walk = carrying->walk;
	struct variable *others;
	unsigned count;

	if (debuginfo_variables(walk->resolver->info, walk->instance, carrying->at, false, &others,
				&count))
		return true;
	for (unsigned i = 0; i < count; i++)
		if (expr_reads(others[i].loc.expr, (uint64_t)number))
			return true;
	return false;
}

/* Whether the instruction is in a loop around the position that has neither the load nor the
 * store. */
static bool is_in_round(const struct carrying *carrying, uint64_t address)
{
	const uint64_t others[] = {carrying->load, carrying->store};
	uint64_t at = carrying->at.address;

	return flow_reaches_from(carrying->flow, &address, 1, at, others, 2) &&
	       (address == at || flow_reaches_from(carrying->flow, &at, 1, address, others, 2));
}

static bool has_line_in_round(const struct carrying *carrying, unsigned line)
{
	for (unsigned i = 0; i < carrying->of.nrows; i++) {
		const struct row *row = &carrying->of.rows[i];

		if (row->line == line && is_own_row(carrying->of.instance, row) &&
		    is_in_round(carrying, row->address))
			return true;
	}
	return false;
}

/* Whether the register changes behind the loop around the position, before the store, by code of a
 * line that has code in the loop as well. */
static bool is_sunk(const struct carrying *carrying)
{
	uint64_t start = flow_straight_start(carrying->flow, carrying->store);
	const struct row *row;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(carrying->flow, carrying->store) - 1, number = carrying->stored;
	     i >= 0 && number >= 0; i--) {
		uint64_t address = flow_step(carrying->flow, (unsigned)i).address;

		if (address < start || is_in_round(carrying, address) ||
		    !code_effect(carrying->walk->resolver, address, &insn, &effect))
			break;
		row = row_around(&carrying->of, address);
		if (effect.updated >> number & 1 && row &&
		    has_line_in_round(carrying, row->line))
			return true;
		number = made_of(&effect, number);
	}
	return false;
}

/* Looks for what the register has, from the position back. */
static void look_back(struct carrying *carrying, int number)
{
	follow(carrying, carrying->at.address, number);
	for (unsigned i = 0; i < carrying->nvisits && !carrying->is_lost; i++)
		follow_ways(carrying, carrying->visits[i]);
}

static bool is_newer(struct carrying *carrying)
{
	struct walk *walk = carrying->walk;
	int number = find_register(carrying);

	if (number == NO_REGISTER || is_named(carrying, number) ||
	    line_code_read(walk->resolver, walk->instance, 0, &carrying->of))
		return false;
	look_back(carrying, number);
	if (!carrying->is_memory || carrying->is_lost)
		return false;
	return carrying->is_joined && (carrying->is_changed || is_sunk(carrying));
}

static struct carrying carrying_at(const struct question *question)
{
	struct walk *walk = question->walk;

	return (struct carrying){
		.walk = walk,
		.flow = passing_flow(walk->resolver, walk->instance),
		.at = question->at,
		.value = question->capture->expr,
	};
}

static bool is_part_newer(const struct question *question, const struct slot_object *object,
			  const struct expr *part, unsigned size)
{
	struct carrying carrying = carrying_at(question);
	const struct slot_part of = {
		.resolver = carrying.walk->resolver,
		.instance = carrying.walk->instance,
		.address = question->at.address,
		.object = *object,
		.part = part,
		.size = size,
	};

	carrying.part = &of;
	return object->is_aggregate && is_newer(&carrying);
}

bool is_carried(const struct question *question)
{
	struct carrying carrying = carrying_at(question);

	if (!carrying.flow || flow_number(carrying.flow, question->at.address) < 0)
		return false;
	if (!is_of_static(question->walk))
		return has_slot_part(question, is_part_newer);
	return carrying.value && carrying.value->op == EXPR_LOAD && is_newer(&carrying);
}
