// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses, of a line's addresses in one instance of a function, those where one hit is one pass
 * through the line. The line table rows and the control flow answer that together.
 *
 * The surprise: gcc's statement frontier markers tell what control flow can't. They keep the order
 * of the source, so an execution that meets another line's marker has left this line.
 */
#include "debuginfo/debuginfo.h"
#include "resolve/points/flow.h"
#include "resolve/points/points.h"

struct rows {
	struct row *list;
	unsigned count;
};

struct line_rows {
	const struct instance *instance;
	unsigned line;
	const struct row *rows; /* the instance's */
	unsigned nrows;
};

/* What the rows say of the order in which lines are executed. */
struct breaks {
	bool has_marks; /* the line has markers; else any row of another line counts */
	struct candidates others;  /* where another line begins */
	struct candidates left;    /* the last one there is another line's */
	struct candidates entered; /* where the line begins right after another one */
};

static bool is_break(const struct instance *instance, const struct row *row, bool has_marks)
{
	return (row->is_mark || !has_marks) && is_own_row(instance, row);
}

static bool is_before(const struct row *row, const struct row *other)
{
	return row->address != other->address ? row->address < other->address :
						row->view < other->view;
}

struct error *outer_rows(struct resolver *resolver, const struct instance *instance,
			 struct row **ret, unsigned *count)
{
	static const struct function none = {.name = "", .file = "", .directory = ""};
	struct instance outer = *instance;

	outer.function = &none;
	outer.inlined = false;
	outer.source = instance->outer_source;
	outer.ranges = instance->outer_ranges;
	outer.nranges = instance->nouter_ranges;
	return debuginfo_rows(resolver->info, &outer, ret, count);
}

/* The markers around an inlined instance: an execution that meets one has left it. They get line
 * 0. */
static void outside_marks(struct resolver *resolver, const struct instance *instance,
			  const struct row *rows, unsigned nrows, struct rows *ret)
{
	struct row *all;
	unsigned count;

	*ret = (struct rows){0};
	if (!instance->inlined || outer_rows(resolver, instance, &all, &count))
		return;
	ret->list = arena_array(&resolver->scratch, struct row, count + 1);
	for (unsigned i = 0, j = 0; i < count; i++) {
		while (j < nrows && is_before(&rows[j], &all[i]))
			j++;
		if (!all[i].is_mark || (j < nrows && !is_before(&all[i], &rows[j])))
			continue;
		ret->list[ret->count] = all[i];
		ret->list[ret->count++].line = 0;
	}
}

/* The instance's breaks and the markers around it, in order. */
static void collect_steps(struct resolver *resolver, const struct instance *instance,
			  const struct row *rows, unsigned nrows, bool has_marks, struct rows *ret)
{
	struct rows outside = {0};
	unsigned next = 0;

	if (has_marks)
		outside_marks(resolver, instance, rows, nrows, &outside);
	ret->list = arena_array(&resolver->scratch, struct row, nrows + outside.count + 1);
	ret->count = 0;
	for (unsigned i = 0; i < nrows; i++) {
		if (!is_break(instance, &rows[i], has_marks))
			continue;
		while (next < outside.count && is_before(&outside.list[next], &rows[i]))
			ret->list[ret->count++] = outside.list[next++];
		ret->list[ret->count++] = rows[i];
	}
	while (next < outside.count)
		ret->list[ret->count++] = outside.list[next++];
}

void passes_marks(struct resolver *resolver, const struct instance *instance,
		  const struct row *rows, unsigned nrows, const struct row **ret, unsigned *count)
{
	struct rows steps;

	collect_steps(resolver, instance, rows, nrows, true, &steps);
	*ret = steps.list;
	*count = steps.count;
}

static void collect_breaks(struct resolver *resolver, const struct instance *instance,
			   unsigned line, const struct row *rows, unsigned nrows,
			   struct breaks *ret)
{
	const struct row *before = NULL; /* the previous break at the same address */
	struct candidates *lists[] = {&ret->others, &ret->left, &ret->entered};
	struct rows steps;

	ret->has_marks = false;
	for (unsigned i = 0; i < nrows; i++)
		ret->has_marks |= rows[i].is_mark && is_of_line(instance, &rows[i], line);
	collect_steps(resolver, instance, rows, nrows, ret->has_marks, &steps);
	for (unsigned i = 0; i < 3; i++)
		*lists[i] = (struct candidates){
			arena_array(&resolver->scratch, uint64_t, steps.count + 1), 0};
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (before && before->address != row->address)
			before = NULL;
		if (before && before->line != line)
			ret->left.count--; /* it isn't the last break there */
		if (before && before->line != line && row->line == line)
			ret->entered.addresses[ret->entered.count++] = row->address;
		if (row->line != line) {
			ret->left.addresses[ret->left.count++] = row->address;
			ret->others.addresses[ret->others.count++] = row->address;
		}
		before = row;
	}
}

static void drop(struct candidates *list, unsigned i)
{
	memmove(&list->addresses[i], &list->addresses[i + 1],
		(list->count - i - 1) * sizeof(*list->addresses));
	list->count--;
}

/* Whether the address is only reached through another one, with no marker of another line
 * between. */
static bool is_continued(const struct flow *flow, const struct breaks *breaks,
			 const struct candidates *list, uint64_t address)
{
	return !flow_reaches(flow, address, list->addresses, list->count) &&
	       !flow_reaches_from(flow, &address, 1, address, list->addresses, list->count) &&
	       !(breaks->has_marks &&
		 flow_reaches_from(flow, breaks->left.addresses, breaks->left.count, address,
				   list->addresses, list->count));
}

/* An address that continues another one belongs to the same pass. Later ones are tried first, so
 * that of two that lead to each other the first stays. */
static void drop_continued(const struct flow *flow, const struct breaks *breaks,
			   struct candidates *list)
{
	for (unsigned i = list->count; i-- > 0 && list->count > 1;) {
		uint64_t address = list->addresses[i];

		if (!(breaks->has_marks && has_address(&breaks->entered, address)) &&
		    is_continued(flow, breaks, list, address))
			drop(list, i);
	}
}

/* The addresses that continue the line: not those where it begins anew after another line. */
static void collect_goals(struct resolver *resolver, const struct breaks *breaks,
			  const struct candidates *list, struct candidates *ret)
{
	*ret = (struct candidates){arena_array(resolver->arena, uint64_t, list->count + 1), 0};
	for (unsigned i = 0; i < list->count; i++)
		if (!has_address(&breaks->entered, list->addresses[i]))
			ret->addresses[ret->count++] = list->addresses[i];
}

/* gcc leaves the marker of a `break` that a jump precedes behind that jump, which is before the
 * next case. */
static void drop_left_behind(const struct flow *flow, const struct breaks *breaks,
			     struct candidates *list)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < list->count; i++) {
		uint64_t address = list->addresses[i];

		if (!breaks->has_marks || !has_address(&breaks->left, address) ||
		    has_address(&breaks->entered, address) || !flow_is_root(flow, address))
			list->addresses[kept++] = address;
	}
	list->count = kept ?: list->count;
}

/* The line's first instruction in the straight-line code that ends at the address, behind any other
 * line's marker there; 0: there is none. */
static uint64_t code_ending_at(const struct flow *flow, const struct line_rows *of,
			       const struct breaks *breaks, uint64_t address)
{
	uint64_t start = 0, last = 0, first = 0;

	for (unsigned i = 0; i < of->nrows; i++)
		if (has_instruction(&of->rows[i]) && of->rows[i].address < address &&
		    of->rows[i].address >= last)
			last = of->rows[i].address;
	if (!last || flow_straight_end(flow, last) != address)
		return 0;
	start = flow_straight_start(flow, last);
	for (unsigned i = 0; i < breaks->others.count; i++)
		if (breaks->others.addresses[i] < address && breaks->others.addresses[i] > start)
			start = breaks->others.addresses[i];
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (has_instruction(row) && row->address >= start && row->address < address &&
		    is_of_line(of->instance, row, of->line) && (!first || row->address < first))
			first = row->address;
	}
	return first;
}

/* Whether code of the line leads to the address that isn't between first and there: then the line
 * is what joins. */
static bool is_led_to(struct resolver *resolver, const struct flow *flow,
		      const struct line_rows *of, const struct breaks *breaks, uint64_t first,
		      uint64_t address)
{
	struct candidates from = {arena_array(&resolver->scratch, uint64_t, of->nrows + 1), 0};

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (has_instruction(row) && is_of_line(of->instance, row, of->line) &&
		    (row->address < first || row->address >= address))
			from.addresses[from.count++] = row->address;
	}
	return flow_reaches_from(flow, from.addresses, from.count, address,
				 breaks->others.addresses, breaks->others.count);
}

/* The last marker of the instance in the straight-line code up to an instruction; NULL: there is
 * none. */
static const struct row *last_marker(const struct flow *flow, const struct line_rows *of,
				     uint64_t until)
{
	uint64_t start = flow_straight_start(flow, until);
	const struct row *last = NULL;

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->address >= start && row->address <= until &&
		    is_own_row(of->instance, row) && (!last || !is_before(row, last)))
			last = row;
	}
	return last;
}

/* Whether each other way to the address comes from a statement that is as deep and further above
 * than the line above, as those of an if and its else are. Other ways may be passes of the line
 * that need no code. */
static bool joins_else(struct resolver *resolver, const struct flow *flow,
		       const struct line_rows *of, unsigned column, uint64_t code, uint64_t address)
{
	struct path *ways;
	unsigned count = flow_ways_into(flow, resolver->arena, (struct range){address, address + 1},
					&ways),
		 others = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct row *mark;

		if (ways[i].from >= code && ways[i].from < address)
			continue;
		mark = last_marker(flow, of, ways[i].from);
		if (!mark || mark->column != column || mark->line + 1 >= of->line)
			return false;
		others++;
	}
	return others > 0;
}

static unsigned marker_column(const struct line_rows *of, uint64_t address)
{
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].is_mark && of->rows[i].address == address &&
		    is_of_line(of->instance, &of->rows[i], of->line))
			return of->rows[i].column;
	return 0;
}

/* gcc may leave a statement's marker behind its code. Where an if's other branch joins there, the
 * code is the line's and the marker's address isn't. */
static void move_before_joins(struct resolver *resolver, const struct flow *flow,
			      const struct line_rows *of, const struct breaks *breaks,
			      struct candidates *list)
{
	for (unsigned i = 0; breaks->has_marks && i < list->count; i++) {
		uint64_t address = list->addresses[i], code;

		if (!has_address(&breaks->left, address) ||
		    has_address(&breaks->entered, address) || flow_is_straight(flow, address))
			continue;
		code = code_ending_at(flow, of, breaks, address);
		if (code && !has_address(list, code) && (!i || list->addresses[i - 1] < code) &&
		    joins_else(resolver, flow, of, marker_column(of, address), code, address) &&
		    !is_led_to(resolver, flow, of, breaks, code, address))
			list->addresses[i] = code;
	}
}

static bool has_marker(const struct line_rows *of, uint64_t address, unsigned column)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->address == address && row->is_mark && row->column == column &&
		    is_of_line(of->instance, row, of->line))
			return true;
	}
	return false;
}

/* Whether a loop's body, which begins at goal, always leads to where the marker of that column
 * comes again. */
static bool comes_again(const struct flow *flow, const struct breaks *breaks,
			const struct line_rows *of, uint64_t goal, uint64_t address,
			unsigned column)
{
	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->is_mark && row->column == column &&
		    is_of_line(of->instance, row, of->line) && row->address != address &&
		    row->address != goal &&
		    flow_always_meets(flow, goal, &row->address, 1, breaks->others.addresses,
				      breaks->others.count))
			return true;
	}
	return false;
}

/* Whether the address, which leads to a kept one, is the first test of a loop that is one line: the
 * condition's marker stands there, and behind the body again. So the line is passed once more than
 * there are rounds. */
static bool is_first_test(const struct flow *flow, const struct breaks *breaks,
			  const struct line_rows *of, const struct candidates *goals,
			  uint64_t address)
{
	for (unsigned i = 0; breaks->has_marks && i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (row->address != address || !row->is_mark ||
		    !is_of_line(of->instance, row, of->line))
			continue;
		for (unsigned j = 0; j < goals->count; j++)
			if (goals->addresses[j] != address &&
			    !has_marker(of, goals->addresses[j], row->column) &&
			    flow_reaches_from(flow, &address, 1, goals->addresses[j],
					      goals->addresses, goals->count) &&
			    comes_again(flow, breaks, of, goals->addresses[j], address,
					row->column))
				return true;
	}
	return false;
}

/* An address that always leads to another one, with no other line between, is the beginning of
 * that one's pass: the jump to a loop's condition. */
static void drop_leading(struct resolver *resolver, const struct flow *flow,
			 const struct line_rows *of, const struct breaks *breaks,
			 struct candidates *list)
{
	struct candidates goals;

	for (unsigned i = 0; i < list->count;) {
		collect_goals(resolver, breaks, list, &goals);
		if (list->count > 1 && !has_address(&breaks->left, list->addresses[i]) &&
		    flow_always_meets(flow, list->addresses[i], goals.addresses, goals.count,
				      breaks->others.addresses, breaks->others.count) &&
		    !is_first_test(flow, breaks, of, &goals, list->addresses[i]))
			drop(list, i);
		else
			i++;
	}
}

/* Where another line's marker follows at the same address, the statement has no instruction of
 * its own. If another address of the line always leads there, this one is the end of that one's
 * pass, whatever else jumps to the instruction. */
static void drop_empty(const struct flow *flow, const struct breaks *breaks,
		       struct candidates *list)
{
	for (unsigned i = list->count; breaks->has_marks && i-- > 0;) {
		uint64_t address = list->addresses[i];

		if (!has_address(&breaks->left, address) || has_address(&breaks->entered, address))
			continue;
		for (unsigned j = 0; j < list->count; j++)
			if (j != i && !has_address(&breaks->left, list->addresses[j]) &&
			    flow_always_meets(flow, list->addresses[j], &address, 1,
					      breaks->others.addresses, breaks->others.count)) {
				drop(list, i);
				break;
			}
	}
}

/* The column of a last statement on the line that has no code, such as the ; behind a macro's
 * braces; 0: there is no such statement. Wherever its marker ends up, behind a loop's end for
 * one, the line has been passed already. */
static unsigned empty_column(const struct instance *instance, unsigned line, const struct row *rows,
			     unsigned nrows)
{
	bool is_done_before = false, is_done = false;
	unsigned last = 0;

	for (unsigned i = 0; i < nrows; i++)
		if (rows[i].is_mark && is_of_line(instance, &rows[i], line) &&
		    rows[i].column > last)
			last = rows[i].column;
	for (unsigned i = 0; i < nrows; i++) {
		if (!has_instruction(&rows[i]) || !is_of_line(instance, &rows[i], line))
			continue;
		is_done_before |= rows[i].column < last;
		is_done |= rows[i].column == last;
	}
	return is_done_before && !is_done ? last : 0;
}

static void drop_nothing(const struct instance *instance, unsigned line, const struct row *rows,
			 unsigned nrows, struct candidates *list)
{
	unsigned column = empty_column(instance, line, rows, nrows);

	for (unsigned i = list->count; column && i-- > 0;) {
		bool is_empty = true;

		for (unsigned j = 0; j < nrows && is_empty; j++)
			is_empty = rows[j].address != list->addresses[i] ||
				   rows[j].column == column ||
				   !is_of_line(instance, &rows[j], line);
		if (is_empty)
			drop(list, i);
	}
}

void passes_keep(struct resolver *resolver, const struct instance *instance, unsigned line,
		  const struct row *rows, unsigned nrows, const struct flow *flow,
		  struct candidates *list)
{
	struct candidates all = {arena_array(resolver->arena, uint64_t, list->count + 1),
				 list->count};
	struct line_rows of = {instance, line, rows, nrows};
	struct breaks breaks;

	collect_breaks(resolver, instance, line, rows, nrows, &breaks);
	memcpy(all.addresses, list->addresses, list->count * sizeof(*list->addresses));
	drop_nothing(instance, line, rows, nrows, list);
	passes_drop_hoisted(resolver, instance, line, rows, nrows, flow, list);
	drop_left_behind(flow, &breaks, list);
	move_before_joins(resolver, flow, &of, &breaks, list);
	drop_continued(flow, &breaks, list);
	drop_empty(flow, &breaks, list);
	drop_leading(resolver, flow, &of, &breaks, list);
	if (!breaks.has_marks)
		passes_keep_bodies(resolver, rows, nrows, flow, &all, list);
}

/* Whether a way leads from one address of the line to another one that is no round of the line's:
 * no line between, and no way back without one. With markers, most of these are the parts of a loop
 * that is one line; where the second is only a marker, it is none. */
static bool is_met_behind(const struct flow *flow, const struct breaks *breaks, uint64_t from,
			  uint64_t to)
{
	const struct candidates *others = &breaks->others;

	return from != to && !has_address(&breaks->left, from) &&
	       !has_address(&breaks->entered, to) &&
	       has_address(&breaks->left, to) == breaks->has_marks &&
	       flow_reaches_from(flow, &from, 1, to, others->addresses, others->count) &&
	       !flow_reaches_from(flow, &to, 1, from, others->addresses, others->count);
}

bool passes_double(struct resolver *resolver, const struct instance *instance, unsigned line,
		   const struct row *rows, unsigned nrows, const struct flow *flow,
		   const struct candidates *list)
{
	/* each address is held against each other, along the code */
	enum { MOST = 16, MOST_STEPS = 1 << 20 };
	struct breaks breaks;

	if (list->count < 2 || list->count > MOST ||
	    flow_count(flow) > MOST_STEPS / (list->count * list->count))
		return false;
	collect_breaks(resolver, instance, line, rows, nrows, &breaks);
	for (unsigned i = 0; i < list->count; i++)
		for (unsigned j = 0; j < list->count; j++)
			if (is_met_behind(flow, &breaks, list->addresses[i], list->addresses[j]))
				return true;
	return false;
}

/* The line that follows a line's first step at the same address; 0: none does. */
static unsigned line_behind(const struct rows *steps, unsigned i)
{
	for (unsigned j = i + 1;
	     j < steps->count && steps->list[j].address == steps->list[i].address; j++)
		if (steps->list[j].line != steps->list[i].line)
			return steps->list[j].line;
	return 0;
}

/* Whether what is behind a statement is what was behind its first; of several rounds, the last
 * one's may be at another address. */
static bool is_again(unsigned first, unsigned behind, unsigned rounds)
{
	return first && (behind == first || (!behind && rounds > 1));
}

/* In an unrolled loop the statement comes again, and what is behind it. Without that it may be a
 * loop's head, of which the marker of a condition that isn't evaluated is left. */
unsigned passes_begun(struct resolver *resolver, const struct instance *instance, unsigned line,
		      const struct row *rows, unsigned nrows, const struct flow *flow,
		      const struct candidates *list, uint64_t address, unsigned *views)
{
	const struct row *first = NULL, *before = NULL;
	unsigned count = 0, behind = 0;
	struct breaks breaks;
	struct rows steps;

	collect_breaks(resolver, instance, line, rows, nrows, &breaks);
	if (!breaks.has_marks || !has_address(&breaks.entered, address))
		return 0;
	collect_steps(resolver, instance, rows, nrows, true, &steps);
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (row->address != address)
			continue;
		if (row->line == line && !first) {
			first = row;
			behind = line_behind(&steps, i);
			if (before || !is_continued(flow, &breaks, list, address))
				views[count++] = row->view;
		} else if (row->line == line && before->line != line &&
			   row->column == first->column &&
			   is_again(behind, line_behind(&steps, i), count)) {
			views[count++] = row->view;
		}
		before = row;
	}
	return count;
}

/* For code that can't be decoded: addresses with no other line of the function between them
 * count as one. */
void passes_keep_blind(const struct instance *instance, unsigned line, const struct row *rows,
			unsigned nrows, struct candidates *list)
{
	unsigned kept = 0;
	bool apart = true;

	for (unsigned i = 0; i < nrows; i++) {
		if (strcmp(rows[i].file, instance->function->file))
			continue;
		if (rows[i].line != line)
			apart = true;
		else if (apart && has_address(list, rows[i].address)) {
			if (!kept || list->addresses[kept - 1] != rows[i].address)
				list->addresses[kept++] = rows[i].address;
			apart = false;
		}
	}
	list->count = kept;
}

/* Whether the instance is entered there: another function's marker comes right before the
 * declaration's, at the address or on a way to it. Otherwise it is the entry of a half that gcc
 * has split off and inlined back. */
static bool is_entered(const struct flow *flow, const struct rows *steps, unsigned line,
		       uint64_t address, const struct candidates *own,
		       const struct candidates *outside)
{
	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i].address == address && steps->list[i].line == line)
			return i && steps->list[i - 1].address == address ?
				       !steps->list[i - 1].line :
				       flow_reaches_from(flow, outside->addresses, outside->count,
							 address, own->addresses, own->count);
	return false;
}

void passes_entries(struct resolver *resolver, const struct instance *instance,
		    const struct row *rows, unsigned nrows, const struct flow *flow,
		    struct candidates *list)
{
	struct candidates own, outside, kept = {list->addresses, 0};
	struct rows steps;

	collect_steps(resolver, instance, rows, nrows, true, &steps);
	own = (struct candidates){arena_array(resolver->arena, uint64_t, steps.count + 1), 0};
	outside = (struct candidates){arena_array(resolver->arena, uint64_t, steps.count + 1), 0};
	for (unsigned i = 0; i < steps.count; i++) {
		const struct row *row = &steps.list[i];

		if (row->line)
			own.addresses[own.count++] = row->address;
		else if (i + 1 == steps.count || steps.list[i + 1].address != row->address)
			outside.addresses[outside.count++] = row->address;
	}
	for (unsigned i = 0; i < list->count; i++)
		if (is_entered(flow, &steps, instance->function->line, list->addresses[i], &own,
			       &outside))
			kept.addresses[kept.count++] = list->addresses[i];
	list->count = kept.count;
}
