// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the statement, in the words of the source, that sets the variable on each way to the
 * position, though debug information has the variable's value from before it. clang loses `a = b`
 * with the block that it was alone in.
 *
 * The surprise: neither code nor the line table has a trace of it. The source isn't parsed:
 * indentation tells blocks, and what it may not tell ends the search.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/flow.h"
#include "resolve/flow/function_code.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/source_words.h"
#include "resolve/values/doubts.h"

enum { COPIES_MOST = 8 };

/* The highest line that has a row at the address, or the instruction there or before it; 0: one of
 * them isn't the function's own. */
static unsigned line_around(const struct line_code *of, uint64_t address)
{
	const struct row *around = row_around(of, address), *before = row_around(of, address - 1);
	unsigned line;

	if (!around || !before || !is_own_row(of->instance, around) ||
	    !is_own_row(of->instance, before))
		return 0;
	line = around->line > before->line ? around->line : before->line;
	for (unsigned i = 0; i < of->nrows; i++)
		if (of->rows[i].address == address && of->rows[i].line > line &&
		    is_own_row(of->instance, &of->rows[i]))
			line = of->rows[i].line;
	return line;
}

/* Whether the code of the range, a straight line, has copied the one register to the other, and
 * left that alone since. */
static bool is_copied(const struct walk *walk, const struct flow *flow, struct range range,
		      const struct variable *from, const struct variable *to)
{
	uint64_t target = to->loc.expr->value;
	struct effect effect;
	struct insn insn;

	for (int i = flow_number(flow, range.end) - 1; i >= 0; i--) {
		uint64_t address = flow_step(flow, (unsigned)i).address;

		if (address < range.start || !code_effect(walk->resolver, address, &insn, &effect))
			return false;
		if (effect.written >> target & 1)
			return effect.copy_to == (int)target &&
			       effect.copy_from == (int)from->loc.expr->value;
	}
	return false;
}

/* What the variable was before a copy put it where it is; NULL: none did. */
static const struct variable *copied_from(const struct walk *walk, const struct flow *flow,
					  const struct variable *variable)
{
	int number = flow_number(flow, variable->holds.start);
	const struct variable *before;
	uint64_t last;

	if (number < 1 || !is_in_register(variable))
		return NULL;
	last = flow_step(flow, (unsigned)number - 1).address;
	before = variable_at(walk, (struct position){.address = last, .view = VIEW_LAST});
	return before && before->holds.end == variable->holds.start && is_in_register(before) &&
			       is_copied(walk, flow,
					 (struct range){flow_straight_start(flow, last),
							variable->holds.start},
					 before, variable) ?
		       before : NULL;
}

/* The line of the first instruction; 0: it isn't the function's own. */
static unsigned entry_line(const struct line_code *of)
{
	const struct row *row = row_around(of, of->instance->entry);

	return row && is_own_row(of->instance, row) ? row->line : 0;
}

/* The line whose code makes what the variable is there, or that is next to it; 0: not known. */
static unsigned making_line(const struct walk *walk, const struct flow *flow,
			    const struct line_code *of)
{
	const struct variable *variable = walk->variable, *before;

	for (unsigned i = 0; i < COPIES_MOST; i++, variable = before) {
		if (variable->holds.start <= of->instance->entry)
			return variable->scope == SCOPE_LOCAL ? 0 : entry_line(of);
		before = copied_from(walk, flow, variable);
		if (!before)
			return line_around(of, variable->holds.start);
	}
	return 0;
}

/* Whether it may be a constant: the same that the variable is already. */
static bool may_be_constant(const char *text)
{
	return !islower((unsigned char)*text) && *text != '(';
}

/* Whether the line is a statement that sets the variable, to something else than the constant that
 * it is: `n = ...;`, `n += ...;`, `n++;`. */
static bool sets(const char *line, const char *name, bool is_constant)
{
	static const char *const updates[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=",
					      "^=", "<<=", ">>=", "++", "--"};
	size_t length = strlen(name);
	const char *text = skip_blanks(line);

	if (strncmp(text, name, length) != 0 || is_word_char(text[length]))
		return false;
	text = skip_blanks(text + length);
	for (size_t i = 0; i < sizeof(updates) / sizeof(*updates); i++)
		if (!strncmp(text, updates[i], strlen(updates[i])))
			return true;
	return *text == '=' && text[1] != '=' &&
	       !(is_constant && may_be_constant(skip_blanks(text + 1)));
}

/* Whether the line may be reached by a jump, or may be a comment's, or isn't of the language. */
static bool is_unsure(const char *line)
{
	size_t length = strcspn(line, "\n");
	const char *text = skip_blanks(line), *end = memmem(line, length, "*/", 2);

	if (*text == '#' || (end && !memmem(line, length, "/*", 2)))
		return true;
	if (!strncmp(text, "default", strlen("default")))
		return false;
	length = 0;
	while (is_word_char(text[length]) && !islower((unsigned char)text[length]))
		length++;
	if (text[length] == '(') /* a macro */
		return true;
	while (is_word_char(text[length]))
		length++;
	return text[length] == ':';
}

static bool is_set_to_other(const struct walk *walk, const char *line)
{
	return sets(line, walk->variable->name, is_constant(walk->variable));
}

/* Whether the line is a loop's `while (n-- > 0)` or `while (--n)`, which leaves the variable at -1
 * or 0, *end, if it was positive. */
static bool counts_down(const char *line, const char *name, int64_t *end)
{
	size_t length = strlen(name);
	const char *text = skip_blanks(line);

	text = skip_blanks(text + (*text == '}'));
	if (strncmp(text, "while", strlen("while")) != 0)
		return false;
	text = skip_blanks(text + strlen("while"));
	if (*text != '(')
		return false;
	text = skip_blanks(text + 1);
	*end = strncmp(text, "--", 2) ? -1 : 0;
	text += *end ? 0 : 2;
	if (strncmp(text, name, length) != 0)
		return false;
	text += length;
	if (*end && strncmp(text, "--", 2) != 0)
		return false;
	text = skip_blanks(text + (*end ? 2 : 0));
	return *text == ')' || !strncmp(text, "> 0)", 4) || !strncmp(text, "!= 0)", 5);
}

static bool counts_to_other(const struct walk *walk, const char *line)
{
	const struct variable *variable = walk->variable;
	uint64_t size = variable->type->size;
	int64_t end;

	return variable->type->kind == TYPE_INT && size && size <= sizeof(end) &&
	       counts_down(line, variable->name, &end) &&
	       (variable->loc.expr->value ^ (uint64_t)end) << (64 - 8 * size);
}

/* `break`, `goto`; what may be one is. */
static bool may_leave_loop(const char *line)
{
	size_t length = strcspn(line, "\n");

	return memmem(line, length, "break", strlen("break")) ||
	       memmem(line, length, "goto", strlen("goto"));
}

/* The last line between the two that passes the test, and that is executed on each way to the
 * second one; 0: none. A loop there, has_end, must end by its condition. */
static unsigned line_before(const struct walk *walk, unsigned after, unsigned line, bool has_end,
			    bool (*test)(const struct walk *walk, const char *line))
{
	const struct instance *instance = walk->instance;
	const char *text = source_line(walk->resolver, instance, line);
	unsigned depth = text ? source_depth(text) : 0, own;
	bool is_left = false;

	if (text && is_unsure(text))
		return 0;
	while (text && depth && --line > after) {
		text = source_line(walk->resolver, instance, line);
		if (!text || is_unsure(text))
			return 0;
		own = source_depth(text);
		is_left |= may_leave_loop(text);
		if (source_is_empty(text) || own > depth)
			continue;
		/* what is indented less is a block's head, or a statement that isn't done */
		if (own == depth && test(walk, text))
			return has_end && is_left ? 0 : line;
		if (has_end && own == depth && sets(text, walk->variable->name, false))
			return 0;
		is_left &= has_end;
		depth = own;
	}
	return 0;
}

/* Whether code of the range that leads to the position changes what the variable is computed
 * from. */
static bool is_changed_in(const struct walk *walk, const struct flow *flow, struct range range,
			  uint64_t position)
{
	const struct expr *value = walk->variable->loc.expr;
	uint64_t registers = expr_registers(value);
	bool is_loaded = walk->variable->loc.kind == LOC_MEMORY || expr_uses(value, EXPR_LOAD);
	struct effect effect;
	struct insn insn;

	for (uint64_t at = range.start; at < range.end; at += insn.length)
		if (!code_effect(walk->resolver, at, &insn, &effect) ||
		    ((insn.is_call || effect.written & registers ||
		      (is_loaded && effect.store_size)) &&
		     flow_reaches_from(flow, &at, 1, position, NULL, 0)))
			return true;
	return false;
}

/* The same of code of the line, of a function that is called there and inlined, or of lines behind
 * it in the straight-line code that ends at the position: then the list has one part for what it is
 * before and behind that. */
static bool is_changed_by(const struct walk *walk, const struct flow *flow,
			  const struct line_code *of, unsigned line, struct position at)
{
	uint64_t straight = flow_straight_start(flow, at.address);
	struct instance **inner;
	unsigned count;

	for (unsigned i = 0; i < of->nrows; i++) {
		const struct row *row = &of->rows[i];

		if (is_own_row(of->instance, row) &&
		    (row->line == line ||
		     (row->line > line && row->line <= at.line && row->address >= straight &&
		      row->end <= at.address)) &&
		    is_changed_in(walk, flow, (struct range){row->address, row->end}, at.address))
			return true;
	}
	if (debuginfo_inner(walk->resolver->info, of->instance, &inner, &count))
		return true;
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; inner[i]->call_line == line && j < inner[i]->nranges; j++)
			if (is_changed_in(walk, flow, inner[i]->ranges[j], at.address))
				return true;
	return false;
}

/* Whether the function has the same statement before that: the compiler may know that the variable
 * is still what that one made of it. */
static bool is_repeated(const struct walk *walk, unsigned line)
{
	const struct instance *instance = walk->instance;
	const char *text = source_line(walk->resolver, instance, line), *other;
	size_t length;

	text = text ? skip_blanks(text) : "";
	length = strcspn(text, ";\n");
	for (unsigned i = instance->function->line; i < line; i++) {
		other = source_line(walk->resolver, instance, i);
		if (other && !strncmp(skip_blanks(other), text, length))
			return true;
	}
	return false;
}

unsigned find_lost_statement(const struct walk *walk, struct position at)
{
	const struct flow *flow;
	struct line_code of;
	unsigned made, set;

	if (!at.line || !walk->instance || is_by_gcc(walk) || walk->instance->is_unoptimised ||
	    line_code_read(walk->resolver, walk->instance, 0, &of))
		return 0;
	flow = passing_flow(walk->resolver, walk->instance);
	made = flow ? making_line(walk, flow, &of) : 0;
	set = made && made < at.line ? line_before(walk, made, at.line, false, is_set_to_other) :
				      0;
	return set && !is_repeated(walk, set) && !is_changed_by(walk, flow, &of, set, at) ? set : 0;
}

unsigned find_lost_count(const struct walk *walk, struct position at)
{
	return at.line && walk->instance && !walk->instance->is_unoptimised &&
			       is_constant(walk->variable) ?
		       line_before(walk, walk->instance->function->line, at.line, true,
				   counts_to_other) : 0;
}
