// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a static still lacks what the statement before the line does to it. Compilers make
 * one subtraction of `--n; --n;`, and give it the second line.
 *
 * The surprise: the first line has no store, so none comes too late. What is left of it is a marker
 * by gcc; by clang the load, or nothing.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

/* An update of the static, in straight-line code around the position. */
struct update {
	const struct question *question;
	struct line_code of;
	uint64_t start; /* of the straight-line code */
	/* the instruction that adds a constant to what was loaded, and the one that loaded it,
	 * maybe the same; 0: there is none */
	uint64_t sum, load;
};

static bool loads(const struct question *question, struct effect effect)
{
	effect.static_size = effect.memory == MEMORY_READ && effect.static_at ? effect.memory_size :
										0;
	return effect.static_size && stores_to(question->walk, effect, question->capture);
}

static unsigned line_of(const struct update *update, uint64_t address)
{
	const struct row *row = row_around(&update->of, address);

	return row && is_own_row(update->of.instance, row) ? row->line : 0;
}

/* One statement adds 1. */
static bool adds_more(const struct effect *effect)
{
	return effect->summand > 1 || effect->summand < -1;
}

/* Finds the next store to the static, behind the position; 0: none before a call. */
static uint64_t find_store(const struct update *update, uint64_t end, struct effect *ret)
{
	const struct question *question = update->question;
	struct insn insn;

	for (uint64_t at = question->at.address; at < end; at += insn.length) {
		if (!code_effect(question->walk->resolver, at, &insn, ret) || insn.is_call)
			return 0;
		if (ret->static_size && stores_to(question->walk, *ret, question->capture))
			return at;
	}
	return 0;
}

/* Finds what makes the register that is stored of what was loaded: a sum, and nothing else. */
static void find_sum(struct update *update, const struct flow *flow, uint64_t store, int number)
{
	const struct question *question = update->question;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(flow, store) - 1; i >= 0 && number != NO_REGISTER; i--) {
		uint64_t at = flow_step(flow, (unsigned)i).address;

		if (at < update->start ||
		    !code_effect(question->walk->resolver, at, &insn, &effect) || insn.is_call)
			return;
		if (update->sum && effect.copy_to == number && loads(question, effect)) {
			update->load = at;
			return;
		}
		if (!update->sum && effect.written >> number & 1) {
			if (effect.sum_of == NO_REGISTER || !adds_more(&effect))
				return;
			update->sum = at;
			number = effect.sum_of;
		} else if (update->sum && (effect.read | effect.written) >> number & 1) {
			return;
		}
	}
}

static void find_update(struct update *update, const struct flow *flow, uint64_t end)
{
	struct effect effect;
	uint64_t store = find_store(update, end, &effect);

	if (store && effect.store_updates && adds_more(&effect))
		update->sum = update->load = store;
	else if (store && !effect.store_updates)
		find_sum(update, flow, store, effect.put_register);
}

/* Whether another statement's marker is at the position, before the line's own, and that statement
 * has no code around. */
static bool has_empty_statement(const struct update *update, uint64_t end)
{
	const struct position at = update->question->at;
	const struct row *before = NULL;

	for (unsigned i = 0; i < update->of.nrows; i++) {
		const struct row *row = &update->of.rows[i];

		if (row->address == at.address && row->is_mark && row->view < at.view)
			before = row;
	}
	if (!before || before->line == at.line || !is_own_row(update->of.instance, before))
		return false;
	for (unsigned i = 0; i < update->of.nrows; i++) {
		const struct row *row = &update->of.rows[i];

		if (has_instruction(row) && row->line == before->line &&
		    row->address >= update->start && row->address < end)
			return false;
	}
	return true;
}

static bool has_line(const struct update *update, unsigned line)
{
	for (unsigned i = 0; i < update->of.nrows; i++)
		if (is_of_line(update->of.instance, &update->of.rows[i], line))
			return true;
	return false;
}

/* The same without markers: the statement before has the load, or, where one instruction does all,
 * no code at all. */
static bool is_part_before(const struct update *update)
{
	unsigned line = update->question->at.line, other = line_of(update, update->load);

	return update->load == update->sum ? !has_line(update, line - 1) :
					     other && other != line;
}

bool is_update_merged(const struct question *question)
{
	const struct walk *walk = question->walk;
	struct position at = question->at;
	struct update update = {.question = question};
	const struct flow *flow;
	uint64_t end;

	if (!is_of_static(walk) || walk->variable->type->kind != TYPE_INT || !at.line ||
	    !question->capture->expr || question->capture->expr->op != EXPR_LOAD ||
	    line_code_read(walk->resolver, walk->instance, 0, &update.of))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	if (!flow || flow_number(flow, at.address) < 0)
		return false;
	update.start = flow_straight_start(flow, at.address);
	end = flow_straight_end(flow, at.address);
	find_update(&update, flow, end);
	if (!update.load || update.sum < at.address || line_of(&update, update.sum) != at.line)
		return false;
	return has_marks(update.of.rows, update.of.nrows) ?
		       update.load >= at.address && has_empty_statement(&update, end) :
		       is_part_before(&update);
}
