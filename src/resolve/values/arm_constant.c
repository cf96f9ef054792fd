// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds constants of which the source says that the variable is computed, or another one. Where
 * clang makes an `if`, a `?:` or a `switch` a choice of values, it goes on with what one arm sets;
 * and it has a failure that the source has just excluded, as gcc has now and then.
 *
 * The surprise: debug information agrees with itself, as the part begins where the arms meet. Only
 * the source tells, by its indentation: what is deeper than the line, above it, is an arm that may
 * have been executed; what isn't was, up to the statement that sets the variable.
 */
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/flow/line_code.h"
#include "resolve/passes/merged.h"
#include "resolve/values/doubts.h"
#include "resolve/values/source_tells.h"

enum { LINES_MOST = 4096 };

/* The way up from the line. */
struct ascent {
	struct teller teller;
	const char *text; /* its line */
	unsigned line, depth; /* of the last line that isn't an arm's */
	/* arms: */
	unsigned left;      /* what is as deep as that is left before it ends; 0: nothing */
	unsigned body;      /* the depth of the arm's own statements; 0: no arm */
	bool body_leaves;   /* one of them leaves it */
	unsigned chain;     /* the line is in an `else` of that depth; 0: in none */
	bool is_touched;    /* an arm sets the variable */
	bool has_same;      /* to the constant */
	unsigned computed, literal; /* the lines of arms that set it to something else */
	unsigned given;     /* the last line that takes its address */
	/* conditions: */
	bool is_known;      /* one says that it is the constant, or excludes arms */
	unsigned loop, loop_depth; /* the outermost loop that the line is in; 0: none */
};

static void note_given(struct ascent *ascent, enum told told)
{
	if (told != TOLD_GIVEN)
		return;
	ascent->given = ascent->given ?: ascent->line;
	ascent->has_same = true; /* perhaps */
	ascent->is_touched = true;
}

static void read_arm(struct ascent *ascent, unsigned depth, const char *text)
{
	bool leaves = source_leaves(text, false);
	struct assignment assignment = source_assigns(&ascent->teller, text);

	if (ascent->chain) /* the arm of another condition than the line's */
		return;
	if (!ascent->body || depth < ascent->body) {
		ascent->body = depth;
		ascent->body_leaves = false;
	}
	ascent->body_leaves |= leaves && depth == ascent->body;
	if (!ascent->left || depth < ascent->left)
		ascent->left = leaves ? depth : 0;
	/* what a `break` leaves may be a switch alone */
	ascent->has_same |= assignment.told == TOLD_SAME || assignment.told == TOLD_PERHAPS;
	if (ascent->left && depth >= ascent->left)
		return;
	note_given(ascent, assignment.told);
	ascent->is_touched |= assignment.told;
	if (assignment.told == TOLD_COMPUTED && !ascent->computed)
		ascent->computed = ascent->line;
	if (assignment.told == TOLD_LITERAL && !ascent->literal)
		ascent->literal = ascent->line;
}

/* Whether the line of the condition contradicts the constant. */
static bool is_excluded(struct ascent *ascent, unsigned depth, const char *text,
			const struct test *test)
{
	bool is_inside = depth < ascent->depth && depth != ascent->chain;
	bool is_behind = !is_inside && (depth == ascent->chain ||
					(!source_is_loop(text) &&
					 (ascent->body_leaves || source_leaves(text, false))));

	if (!test->is_told || ascent->is_touched)
		return false;
	return is_inside ? !test->holds && !test->has_or :
			   is_behind && test->holds && !test->has_and;
}

/* Whether a statement of the loop may set it to the constant in an earlier round. */
static bool is_set_in_loop(struct ascent *ascent)
{
	const struct walk *walk = ascent->teller.walk;
	unsigned set = 0; /* the depth of a statement that does; 0: none */
	const char *text;

	for (unsigned line = ascent->loop + 1; ascent->loop; line++) {
		enum told told;
		unsigned depth;

		text = source_line(walk->resolver, walk->instance, line);
		if (!text || source_is_unsure(text) || line - ascent->loop > LINES_MOST)
			return true;
		if (source_is_empty(text))
			continue;
		depth = source_depth(text);
		if (depth < set || depth <= ascent->loop_depth)
			break;
		told = source_assigns(&ascent->teller, text).told;
		if (set && depth == set && source_leaves(text, true))
			set = 0; /* and the loop */
		if (told == TOLD_SAME || told == TOLD_PERHAPS || told == TOLD_GIVEN)
			set = depth;
	}
	return set;
}

/* Whether all of the line's code is in the part that has the constant: what a compiler knows of one
 * way, it knows in a copy of the code. */
static bool is_all_in_part(struct ascent *ascent)
{
	const struct walk *walk = ascent->teller.walk;
	const struct range *holds = &walk->variable->holds;
	unsigned line = ascent->teller.at.line;
	struct line_code of;

	if (line_code_read(walk->resolver, walk->instance, line, &of))
		return false;
	for (unsigned i = 0; i < of.nrows; i++)
		if (of.rows[i].line == line && is_own_row(of.instance, &of.rows[i]) &&
		    (of.rows[i].address < holds->start || of.rows[i].address >= holds->end))
			return false;
	return true;
}

/* Whether all that the line's statement computes it from is since then what it was. */
static bool is_kept(struct ascent *ascent, uint64_t operands)
{
	const struct walk *walk = ascent->teller.walk;
	struct teller teller = ascent->teller;

	for (unsigned i = 0; i < 64 && operands >> i; i++) {
		if (!(operands >> i & 1))
			continue;
		teller.name = teller.others[i].name;
		for (unsigned line = ascent->line + 1; line < ascent->teller.at.line; line++) {
			const char *text = source_line(walk->resolver, walk->instance, line);

			if (!text || source_assigns(&teller, text).told)
				return false;
		}
	}
	return true;
}

/* By what the line's statement, which is executed before the position, makes of it. The compiler
 * knows more of what it inlines, and gcc goes on with the right value. */
static unsigned answer(struct ascent *ascent, const struct assignment *set)
{
	const struct walk *walk = ascent->teller.walk;
	bool has_same = ascent->has_same;

	if (ascent->is_known || is_by_gcc(walk) || !walk->variable->holds.end)
		return 0;
	if (set->told == TOLD_COMPUTED && is_kept(ascent, set->operands) && !is_set_in_loop(ascent))
		return ascent->line;
	if (walk->instance->inlined)
		return 0;
	if (ascent->computed && is_all_in_part(ascent))
		return ascent->computed;
	if (set->told == TOLD_LITERAL && !is_set_in_loop(ascent) &&
	    (!has_same || is_all_in_part(ascent)))
		return ascent->line;
	if (ascent->given && set->told == TOLD_SAME && is_all_in_part(ascent))
		return ascent->given;
	has_same |= set->told == TOLD_SAME || set->told == TOLD_PERHAPS;
	return ascent->literal && (!has_same || is_all_in_part(ascent)) ? ascent->literal : 0;
}

/* Whether the line has a `switch` of the variable. */
static bool is_switched(struct teller *teller, const char *text)
{
	return memmem(text, strcspn(text, "\n"), "switch", strlen("switch")) &&
	       source_names(teller, text);
}

/* Numbers with a decimal point aren't read. */
static bool is_whole_number(const struct type *type)
{
	return type && (type->kind == TYPE_INT || type->kind == TYPE_ENUM ||
			type->kind == TYPE_BOOL || type->kind == TYPE_CHAR ||
			type->kind == TYPE_POINTER);
}

static void open_loop(struct ascent *ascent, unsigned depth, const char *text)
{
	if (!source_begins_loop(text))
		return;
	ascent->loop = ascent->line;
	ascent->loop_depth = depth;
}

/* Goes past a line that isn't an arm's. */
static void pass(struct ascent *ascent, unsigned depth, const char *text)
{
	bool is_header = depth < ascent->depth, is_else = source_is_else(text);

	if (is_header)
		open_loop(ascent, depth, text);
	if (is_header || (depth == ascent->chain && !is_else))
		ascent->chain = is_header && is_else ? depth : 0;
	ascent->body = ascent->left = 0;
	ascent->body_leaves = false;
	ascent->depth = depth;
}

/* Whether the text is of the same statement as the position's line, which comes behind it. */
static bool is_one_statement(struct ascent *ascent, const char *text)
{
	return text + strcspn(text, ";{}") >= ascent->text;
}

/* Reads the line. Returns whether that is the last one, and the answer. */
static bool read_line(struct ascent *ascent, const char *text, unsigned *ret)
{
	unsigned depth = source_depth(text);
	struct assignment assignment;
	struct test test;

	if (depth > ascent->depth) {
		read_arm(ascent, depth, text);
		return false;
	}
	if (depth == ascent->depth && source_is_case(text)) /* what is above may go on below */
		return false;
	assignment = source_assigns(&ascent->teller, text);
	test = source_tests(&ascent->teller, text);
	*ret = ascent->line;
	if (is_excluded(ascent, depth, text, &test))
		return true;
	*ret = 0;
	if (is_switched(&ascent->teller, text))
		return true;
	ascent->is_known |= test.is_equality ||
			    (test.is_told && test.holds && depth < ascent->depth);
	if (assignment.told == TOLD_GIVEN && !assignment.is_conditional) {
		note_given(ascent, TOLD_GIVEN);
	} else if (assignment.told && !assignment.is_conditional) {
		if (!is_one_statement(ascent, text))
			*ret = answer(ascent, &assignment);
		return true;
	}
	if (assignment.is_conditional)
		read_arm(ascent, depth + 1, text);
	pass(ascent, depth, text);
	return false;
}

unsigned find_arm_constant(const struct walk *walk, struct position at)
{
	const struct instance *instance = walk->instance;
	struct ascent ascent = {
		.teller = {.walk = walk, .at = at, .name = walk->variable->name},
		.line = at.line,
	};
	bool is_comment = false;
	const char *text;
	unsigned found;

	if (!at.line || !instance || instance->is_unoptimised || instance->is_fortran ||
	    !is_constant(walk->variable) || !is_whole_number(walk->variable->type))
		return 0;
	ascent.text = source_line(walk->resolver, instance, at.line);
	if (!ascent.text || source_is_unsure(ascent.text) ||
	    source_assigns(&ascent.teller, ascent.text).told)
		return 0;
	ascent.depth = source_depth(ascent.text);
	ascent.chain = source_is_else(ascent.text) ? ascent.depth : 0;
	open_loop(&ascent, ascent.depth, ascent.text);
	while (ascent.depth && --ascent.line > instance->function->line) {
		text = source_line(walk->resolver, instance, ascent.line);
		if (!text || source_is_unsure(text) || at.line - ascent.line > LINES_MOST)
			return 0;
		is_comment = source_is_in_comment(text, is_comment);
		if (!is_comment && !source_is_comment(text) && !source_is_empty(text) &&
		    !source_is_brace(text) && read_line(&ascent, text, &found))
			return found;
	}
	return answer(&ascent, &(struct assignment){.told = TOLD_PERHAPS});
}
