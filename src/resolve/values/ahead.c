// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a value is what a statement behind the position makes of the variable, though gcc's
 * markers say that it has not begun. gcc moves the subtraction of `n--` to the front of a loop that
 * needs n - 1, and then gives n as decremented from there on, and once more at the statement
 * itself.
 *
 * The surprise: the list of locations is right about registers and wrong about statements; which
 * statement an instruction belongs to is in the line table alone.
 */
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/values/doubts.h"

static bool is_computed(const struct variable *variable)
{
	const struct loc *loc = &variable->loc;

	return loc->kind == LOC_VALUE && loc->expr->op == EXPR_ADD &&
	       loc->expr->a->op == EXPR_REG && loc->expr->b->op == EXPR_CONST;
}

/* The variable's values before and behind one instruction that adds a number to the register it is
 * in: the same value, in two words. */
struct change {
	const struct variable *before, *behind;
};

static bool find_change(const struct walk *walk, struct change *ret)
{
	const struct variable *variable = walk->variable;
	const struct range *holds = &variable->holds;

	*ret = (struct change){variable, variable};
	if (is_computed(variable))
		ret->behind = variable_at(walk, (struct position){.address = holds->end,
								  .line = walk->position.line});
	else if (is_in_register(variable) && holds->start > walk->instance->entry)
		ret->before = variable_at(
			walk, (struct position){.address = holds->start - 1, .view = VIEW_LAST});
	return ret->before && ret->behind && ret->before != ret->behind &&
	       is_computed(ret->before) && is_in_register(ret->behind) &&
	       ret->before->loc.expr->a->value == ret->behind->loc.expr->value &&
	       ret->before->holds.end == ret->behind->holds.start;
}

/* Whether the line's statement begins between the two, as far as their order in memory tells. */
static bool is_marked_between(const struct line_code *of, unsigned line, uint64_t from, uint64_t to)
{
	const struct row *rows = of->rows;

	for (unsigned i = 0; i < of->nrows; i++)
		if (rows[i].is_mark && rows[i].line == line && rows[i].address >= from &&
		    rows[i].address <= to)
			return true;
	return false;
}

/* The line that has the instruction, of a statement that begins at the position or behind it; 0: of
 * none. */
static unsigned later_line(const struct walk *walk, const struct change *change, struct position at)
{
	uint64_t start = change->before->holds.start;
	const struct row *made;
	struct line_code of;

	if (line_code_read(walk->resolver, walk->instance, 0, &of) || !has_marks(of.rows, of.nrows))
		return 0;
	made = row_around(&of, change->behind->holds.start - 1);
	if (!made || made->is_mark || made->line < at.line || !is_own_row(walk->instance, made) ||
	    is_marked_between(&of, made->line, start, at.address - (made->line == at.line)))
		return 0;
	return is_marked_between(&of, made->line, at.address, UINT64_MAX) ? made->line : 0;
}

static bool writes_register(const struct walk *walk, uint64_t address, uint64_t reg)
{
	struct effect effect;
	struct insn insn;

	return !code_effect(walk->resolver, address, &insn, &effect) || insn.is_call || reg >= 64 ||
	       effect.written >> reg & 1;
}

enum { GAP_MOST = 16 }; /* instructions */

static bool is_mark_at(const struct walk *walk, uint64_t address)
{
	struct line_code of;

	if (line_code_read(walk->resolver, walk->instance, 0, &of))
		return true;
	for (unsigned i = 0; i < of.nrows; i++)
		if (of.rows[i].is_mark && of.rows[i].address == address)
			return true;
	return false;
}

/* What the variable is said to be once straight-line code comes to where debug information has it
 * again, without a statement on the way, and without a change of that register; NULL: not known. */
static const struct variable *told_next(const struct walk *walk, const struct flow *flow,
					uint64_t address, uint64_t reg)
{
	int step = flow_number(flow, address);

	for (int i = 0; i < GAP_MOST && step >= 0; i++) {
		const struct flow_step here = flow_step(flow, (unsigned)step);
		const struct variable *there =
			variable_at(walk, (struct position){.address = here.address});

		if (there)
			return there->holds.end ? there : NULL;
		if (!flow_leads_only(flow, here.address) || is_mark_at(walk, here.address) ||
		    writes_register(walk, here.address, reg))
			return NULL;
		step = here.next[0] >= 0 ? here.next[0] : here.next[1];
	}
	return NULL;
}

/* Whether the variable, a register and a number, is another number from that register behind an
 * instruction that leaves the register alone, before any statement begins there. */
static bool is_other_at(const struct walk *walk, const struct flow *flow,
			const struct variable *variable, uint64_t from, uint64_t to)
{
	uint64_t reg, number, other_reg, other_number;
	const struct variable *there;

	if (!is_sum(variable, false, &reg, &number) || writes_register(walk, from, reg))
		return false;
	there = told_next(walk, flow, to, reg);
	return there && is_sum(there, false, &other_reg, &other_number) && other_reg == reg &&
	       other_number != number;
}

/* Whether that is so on a way out of the part where the variable is computed. */
static bool is_counted_twice(const struct walk *walk, const struct variable *variable)
{
	const struct flow *flow =
		is_computed(variable) ? passing_flow(walk->resolver, walk->instance) : NULL;
	const struct range *holds = &variable->holds;

	for (unsigned i = 0; flow && i < flow_count(flow); i++) {
		struct flow_step step = flow_step(flow, i);

		if (step.address < holds->start || step.address >= holds->end)
			continue;
		for (unsigned j = 0; j < 3; j++) {
			uint64_t to = step.next[j] < 0 ?
					      holds->start :
					      flow_step(flow, (unsigned)step.next[j]).address;

			if ((to < holds->start || to >= holds->end) &&
			    is_other_at(walk, flow, variable, step.address, to))
				return true;
		}
	}
	return false;
}

/* Whether straight-line code begins at the position, and the variable is another number from the
 * same register at the end of code that leads there. Without markers, it is the line's statement,
 * or one before it without code, that makes the difference. */
static bool is_made_at_join(const struct walk *walk, struct position at)
{
	uint64_t reg, number, other_reg, other_number;
	const struct flow *flow;
	struct path *ways;
	struct line_code of;
	unsigned count;

	if (!is_sum(walk->variable, false, &reg, &number) ||
	    line_code_read(walk->resolver, walk->instance, 0, &of) ||
	    has_marks(of.rows, of.nrows))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	if (!flow || flow_straight_start(flow, at.address) != at.address)
		return false;
	count = flow_ways_into(flow, &walk->resolver->scratch,
			       (struct range){at.address, at.address + 1}, &ways);
	for (unsigned i = 0; i < count; i++) {
		const struct variable *before = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (before && is_sum(before, false, &other_reg, &other_number) &&
		    other_reg == reg &&
		    other_number != number && !writes_register(walk, ways[i].from, reg))
			return true;
	}
	return false;
}

/* Whether a constant begins at the position, or before it, and no marker from there on tells
 * whether it is a statement before the line's that sets it, or one without code behind it. */
static bool is_untold_constant(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable, *before;
	uint64_t start = variable->holds.start;
	struct line_code of;

	if (!start || start > at.address || variable->loc.kind != LOC_VALUE ||
	    variable->loc.expr->op != EXPR_CONST || at.address == walk->instance->entry ||
	    line_code_read(walk->resolver, walk->instance, 0, &of) ||
	    !has_marks(of.rows, of.nrows) ||
	    is_marked_between(&of, at.line, start, at.address))
		return false;
	before = variable_at(walk, (struct position){.address = start - 1, .view = VIEW_LAST});
	return before && before->loc.kind == LOC_VALUE && before->loc.expr->op == EXPR_CONST &&
	       before->loc.expr->value != variable->loc.expr->value;
}

/* Whether the variable is another number from the same register where its value begins than on a
 * way there, and no instruction makes the difference. */
static bool is_moved_into(const struct walk *walk, const struct flow *flow,
			  const struct variable *behind, uint64_t *added)
{
	uint64_t reg, number, other_reg, other_number, start = behind->holds.start;
	struct path *ways;
	unsigned count = flow_ways_into(flow, &walk->resolver->scratch,
					(struct range){start, start + 1}, &ways);

	for (unsigned i = 0; is_sum(behind, false, &reg, &number) && i < count; i++) {
		const struct variable *before = variable_at(walk, (struct position){
			.address = ways[i].from, .view = VIEW_LAST,
		});

		if (before && is_sum(before, false, &other_reg, &other_number) &&
		    reg == other_reg &&
		    number != other_number && !writes_register(walk, ways[i].from, reg)) {
			*added = number - other_number;
			return true;
		}
	}
	return false;
}

/* Whether nothing leads to the value's beginning that has the variable. */
static bool is_unknown_before(const struct walk *walk, const struct flow *flow, uint64_t start)
{
	struct path *ways;
	unsigned count = flow_ways_into(flow, &walk->resolver->scratch,
					(struct range){start, start + 1}, &ways);

	for (unsigned i = 0; i < count; i++)
		if (variable_at(walk, (struct position){
			    .address = ways[i].from, .view = VIEW_LAST,
		    }))
			return false;
	return count;
}

/* Whether a value that no instruction makes begins at the position itself, in code without markers:
 * this line's statement makes it, or one before it without code. So it is where the variable was
 * another number from the same register; and a constant, where ways join of which none has it. */
static bool is_untold_start(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	const struct flow *flow;
	struct line_code of;
	struct path *ways;
	uint64_t added;

	if (variable->holds.start != at.address || variable->loc.kind != LOC_VALUE ||
	    line_code_read(walk->resolver, walk->instance, 0, &of) || has_marks(of.rows, of.nrows))
		return false;
	flow = passing_flow(walk->resolver, walk->instance);
	if (!flow || variable->loc.expr->op != EXPR_CONST)
		return flow && is_moved_into(walk, flow, variable, &added);
	return flow_ways_into(flow, &walk->resolver->scratch,
			      (struct range){at.address, at.address + 1}, &ways) > 1 &&
	       is_unknown_before(walk, flow, at.address);
}

/* Whether no other line's code lies between the entry and the position. */
static bool is_opening(const struct line_code *of, struct position at)
{
	uint64_t entry = of->instance->entry;
	const struct row *first = row_around(of, entry);

	for (unsigned i = 0; first && i < of->nrows; i++)
		if (of->rows[i].address > entry && of->rows[i].address < at.address &&
		    of->rows[i].line != first->line)
			return false;
	return first && at.address > entry;
}

/* Whether a parameter is said, from the function's entry on, to be another number than what it was
 * passed, as a statement without code makes it, and the position is the first statement's. */
static bool is_untold_step(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable;
	uint64_t reg, number;
	struct line_code of;

	return variable->scope == SCOPE_PARAMETER && !is_by_gcc(walk) && !walk->instance->inlined &&
	       variable->holds.start == walk->instance->entry &&
	       is_sum(variable, false, &reg, &number) && number &&
	       !line_code_read(walk->resolver, walk->instance, 0, &of) && is_opening(&of, at);
}

/* The line at whose beginning, elsewhere in the copy, the number is added to what the variable is
 * of a register; 0: none. */
static unsigned adding_line(const struct walk *walk, const struct flow *flow,
			    const struct line_code *of, uint64_t number)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];
		const struct variable *behind;
		uint64_t added;

		if (!has_instruction(row) || !is_own_row(of->instance, row))
			continue;
		behind = variable_at(walk, (struct position){.address = row->address});
		if (behind && behind->holds.start == row->address &&
		    is_moved_into(walk, flow, behind, &added) && added == number)
			return row->line;
	}
	return 0;
}

/* The line that has changed a value without an instruction, where the value begins: the first
 * instruction there is of several statements, and code without views has what all make of it. */
static unsigned changing_line(const struct walk *walk, struct position at)
{
	const struct flow *flow;
	struct line_code of;
	uint64_t reg, number;
	unsigned line;

	if (walk->variable->holds.start != at.address ||
	    !is_sum(walk->variable, false, &reg, &number) || !number ||
	    line_code_read(walk->resolver, walk->instance, 0, &of) || has_marks(of.rows, of.nrows))
		return 0;
	flow = passing_flow(walk->resolver, walk->instance);
	if (!flow || !is_unknown_before(walk, flow, at.address))
		return 0;
	line = adding_line(walk, flow, &of, number);
	return line >= at.line ? line : 0;
}

/* Whether the statement at the position is then counted twice, which its instruction has been
 * before. */
static bool is_done(const struct walk *walk, struct position at)
{
	const struct variable *variable = walk->variable, *behind;

	if (!is_in_register(variable) || variable->holds.end != at.address)
		return false;
	behind = variable_at(walk, (struct position){.address = at.address, .view = VIEW_LAST});
	return behind && is_computed(behind) &&
	       behind->loc.expr->a->value == variable->loc.expr->value &&
	       is_counted_twice(walk, behind);
}

/* A parameter at the beginning of its copy: no statement has begun there. */
static bool is_as_passed(const struct walk *walk, struct position at)
{
	return walk->variable->scope == SCOPE_PARAMETER && at.address == walk->instance->entry;
}

static const char *changed_already(const struct walk *walk, unsigned line, struct position at)
{
	return line == at.line ? "this line's statement has changed it already" :
				 arena_printf(walk->resolver->arena,
					      "line %u, which the source has behind this one, has "
					      "changed it already",
					      line);
}

const char *find_ahead(struct walk *walk, struct position at)
{
	struct change change;
	unsigned line;

	if (!walk->instance || is_as_passed(walk, at))
		return NULL;
	if (is_made_at_join(walk, at) || is_untold_start(walk, at) || is_untold_step(walk, at))
		return "debug information doesn't tell whether this line's statement has set it";
	line = changing_line(walk, at);
	if (line)
		return changed_already(walk, line, at);
	if (walk->variable->holds_view == VIEW_LAST || at.view == VIEW_LAST)
		return NULL;
	if (is_untold_constant(walk, at))
		return walk->variable->holds.start == at.address ?
			       "debug information changes it at this very address, before this "
			       "line's statement or behind it" :
			       "debug information doesn't tell whether this line's statement is "
			       "before the one that sets it";
	line = find_change(walk, &change) ? later_line(walk, &change, at) : 0;
	if (line || is_done(walk, at))
		return changed_already(walk, line ?: at.line, at);
	return is_counted_twice(walk, walk->variable) ?
		       "debug information contradicts itself: it has another value on a way that "
		       "leads away from here" :
		       NULL;
}
