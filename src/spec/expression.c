// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses an expression into its base and the operations on it, in the order of evaluation. The
 * grammar is C's, without operators that join two values. The surprise: (x)->m and (T)x begin
 * alike, and no types are known here, so a lone name in brackets is a type only if something to
 * cast follows.
 */
#include "spec/parse.h"

#include <limits.h>
#include <string.h>

#include "ktrace/caps.h"

#define DEPTH_MAX 32

#define VALUE_FORMS "a value is VAR[->MEMBER|.MEMBER|[N]][:TYPE], *VAR, &VAR, (TYPE)VAR, or the " \
		    "kernel's syntax: %%di, $retval, +8(%%di):u64"

static struct step *add_step(const struct scan *scan, struct want *want)
{
	return &arena_append(scan->arena, want->steps, want->nsteps);
}

/* Behind a base class's name, before a member: `::`, or `<1, long>::`. */
static bool eat_base(struct scan *scan)
{
	unsigned ahead = 0, depth = 0;

	do {
		int c = scan_peek(scan, ahead);

		if (c == -1)
			return false;
		if (c == '<')
			depth++;
		if (depth)
			ahead++;
		if (c == '>' && depth)
			depth--;
	} while (depth);
	if (scan_peek(scan, ahead) != ':' || scan_peek(scan, ahead + 1) != ':' ||
	    !char_is_name_start(scan_peek(scan, ahead + 2)))
		return false;
	scan->pos += ahead + 2;
	return true;
}

/* The expression as the user wrote it, before a step that begins at `end`: for a hint to type. */
static const char *path_before(const struct scan *scan, const struct want *want, unsigned end)
{
	const char *path = scan_copy(scan, span_of(want->base_span.start, end));

	return strchr(path, ')') ? want->base : path; /* a cast is in front of it */
}

static struct error *parse_member(struct scan *scan, struct want *want, enum step_kind kind)
{
	struct step *step = add_step(scan, want);
	unsigned start = scan->pos;
	struct span name;

	scan->pos += kind == STEP_ARROW ? 2 : 1;
	name = scan_variable(scan);
	if (!span_length(name) || char_is_digit((unsigned char)scan->text[name.start]))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(start, span_length(name) ? name.end :
							   scan->pos),
					     "a member's name is missing after '%s'",
					     kind == STEP_ARROW ? "->" : "."),
				  "write %s%sMEMBER", path_before(scan, want, start),
				  kind == STEP_ARROW ? "->" : ".");
	while (eat_base(scan))
		name.end = scan_variable(scan).end;
	step->kind = kind;
	step->name = scan_copy(scan, name);
	step->span = span_of(start, name.end);
	return NULL;
}

/* path: what the index is of. */
static struct error *parse_number(struct scan *scan, const char *path, struct span before,
				  int64_t *ret)
{
	bool negative = scan_eat(scan, "-");
	struct span number;
	uint64_t value = 0;
	struct error *error = scan_number(scan, "an index", before, INT64_MAX, &value, &number);

	*ret = negative ? -(int64_t)value : (int64_t)value;
	return error ? error_hint(scan->arena, error, "write %s[0]", path) : NULL;
}

/* After `[FIRST`: `..LAST`, inclusive. */
static struct error *parse_last(struct scan *scan, const char *path, struct step *step,
				unsigned start)
{
	struct span dots = span_of(scan->pos, scan->pos + 2);
	struct error *error;

	scan->pos += 2;
	error = parse_number(scan, path, dots, &step->last);
	if (error)
		return error;
	step->kind = STEP_SLICE;
	step->span = span_of(start, scan->pos + (scan_peek(scan, 0) == ']'));
	if (step->last < step->index)
		return error_hint(
			scan->arena,
			scan_error(scan, step->span, "the last index is before the first"),
			"write [%lld..%lld]", (long long)step->last, (long long)step->index);
	if ((uint64_t)step->last - (uint64_t)step->index >= KERNEL_RECORD_MAX)
		return scan_limit(scan, step->span, "a slice has at most %u elements",
				  KERNEL_RECORD_MAX);
	return NULL;
}

static struct error *parse_index(struct scan *scan, struct want *want)
{
	struct span bracket = span_of(scan->pos, scan->pos + 1);
	const char *path = path_before(scan, want, bracket.start);
	struct step *step = add_step(scan, want);
	struct error *error;

	scan->pos++;
	if (scan_peek(scan, 0) == ']')
		return error_hint(scan->arena,
				  scan_error(scan, span_of(bracket.start, scan->pos + 1),
					     "an index is missing between '[' and ']'"),
				  "write %s[0]", path);
	step->kind = STEP_INDEX;
	error = parse_number(scan, path, bracket, &step->index);
	if (error)
		return error;
	if (scan_peek(scan, 0) == ':')
		return error_hint(scan->arena,
				  scan_error(scan, span_of(bracket.start, scan->end),
					     "':' can't be part of an index"),
				  "elements %lld to N are %s[%lld..N]", (long long)step->index,
				  path, (long long)step->index);
	if (scan_peek(scan, 0) == '.' && scan_peek(scan, 1) == '.')
		error = parse_last(scan, path, step, bracket.start);
	if (!error && !scan_eat(scan, "]"))
		return error_hint(scan->arena,
				  scan_error(scan, bracket, "the '[' is not closed"),
				  "an index is a number: %s[0]", path);
	step->span = span_of(bracket.start, scan->pos);
	return error;
}

static struct error *check_slice(const struct scan *scan, const struct want *want, struct span span)
{
	if (!want->nsteps || want->steps[want->nsteps - 1].kind != STEP_SLICE)
		return NULL;
	return error_hint(
		scan->arena,
		scan_error(scan, span, "a slice is a whole value: '%s' can't be done to it",
			   scan_copy(scan, span)),
		"write one element, %s[0], or leave '%s' out",
		path_before(scan, want, want->steps[want->nsteps - 1].span.start),
		scan_copy(scan, span));
}

static struct error *parse_postfix(struct scan *scan, struct want *want)
{
	struct error *error = NULL;

	while (!error) {
		int c = scan_peek(scan, 0);
		bool is_arrow = c == '-' && scan_peek(scan, 1) == '>';

		if (!is_arrow && c != '.' && c != '[')
			break;
		error = check_slice(scan, want, span_of(scan->pos, scan->pos + 1 + is_arrow));
		if (!error)
			error = is_arrow ? parse_member(scan, want, STEP_ARROW) :
				c == '.' ? parse_member(scan, want, STEP_DOT) :
				parse_index(scan, want);
	}
	return error;
}

static struct error *parse_unary(struct scan *scan, struct want *want, unsigned depth);

/* What other tools write behind a place: conditions, and code to run. Returns NULL: none of it. */
static const char *foreign_meaning(const struct scan *scan)
{
	int c = scan_peek(scan, 0);

	if (c == '{' || c == '}' || c == ';')
		return "there is no code to run: name the values to show, or count() by KEY";
	return c > 0 && strchr("<>=!/|", c) ?
		       "a condition is an option: --filter 'NAME OP CONSTANT', as in "
		       "--filter 'size > 1000'" :
		       NULL;
}

static struct error *not_a_value(const struct scan *scan)
{
	struct span rest = scan_rest(scan);
	const char *meaning = foreign_meaning(scan);
	struct error *error;

	if (!span_length(rest))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos - 1, scan->pos),
					     "a variable is missing after '%c'",
					     scan->text[scan->pos - 1]), VALUE_FORMS);
	error = scan_error(scan, rest, "'%s' is not a value", scan_copy(scan, rest));
	if (strspn(scan->text + scan->pos, "0123456789") >= span_length(rest))
		return error_hint(scan->arena, error, "a constant is written \\%s",
				  scan_copy(scan, rest));
	if (meaning)
		return error_hint(scan->arena, error, "%s", meaning);
	return error_hint(scan->arena, error, VALUE_FORMS);
}

/* `(`EXPRESSION`)`. Brackets are not stored: the order of the steps expresses them. */
static struct error *parse_brackets(struct scan *scan, struct want *want, unsigned depth)
{
	struct span bracket = span_of(scan->pos, scan->pos + 1);
	struct error *error;

	scan->pos++;
	error = parse_unary(scan, want, depth);
	scan_blanks(scan);
	if (error || scan_eat(scan, ")"))
		return error;
	if (scan->pos < scan->end)
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos, scan->pos + 1),
					     "unexpected %s between brackets", scan_quote(scan)),
				  scan_peek(scan, 0) == '(' ? "functions can't be called" :
							      "a cast is (TYPE)VAR, with blanks as "
							      "in (struct sock *)sk; there is "
							      "no arithmetic");
	return scan_error(scan, bracket, "the '(' is not closed");
}

static bool starts_operand(int c)
{
	return char_is_name_start(c) || (c > 0 && strchr("(*&$", c));
}

/* Names with a '$' that are not kernel syntax but ktrace's own. */
static bool is_pseudo_variable(const char *name)
{
	return !strcmp(name, CURRENT_TASK) || !strcmp(name, DURATION) ||
	       !strcmp(name, RETURN_VALUE);
}

static struct error *parse_primary(struct scan *scan, struct want *want, unsigned depth)
{
	int c = scan_peek(scan, 0);

	if (c == '(')
		return parse_brackets(scan, want, depth);
	if (c != '$' && !char_is_name_start(c))
		return not_a_value(scan);
	want->base_span.start = scan->pos;
	if (c == '$')
		scan->pos++;
	want->base_span.end = c == '$' ? scan_identifier(scan).end : scan_variable(scan).end;
	want->base = scan_copy(scan, want->base_span);
	if (c != '$' || is_pseudo_variable(want->base))
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, want->base_span, "'%s' can't be part of an expression",
				     want->base), "only variables, $current and $retval can");
}

static struct error *add_prefix(struct scan *scan, struct want *want, enum step_kind kind,
				const char *type, struct span span)
{
	struct error *error = check_slice(scan, want, span);
	struct step *step;

	if (error)
		return error;
	step = add_step(scan, want);
	step->kind = kind;
	step->name = type;
	step->span = span;
	return NULL;
}

/* A cast, or brackets around an expression. */
static struct error *parse_bracket(struct scan *scan, struct want *want, unsigned depth)
{
	unsigned start = scan->pos++;
	bool is_reference = false;
	const char *type = cast_type(scan, &is_reference);
	bool is_name = type && !strpbrk(type, " *");
	struct span span = span_of(start, scan->pos);
	struct error *error;

	if (type && !starts_operand(scan_peek(scan, 0)) && !is_name)
		return error_hint(scan->arena,
				  scan_error(scan, span, "nothing follows the cast"),
				  "write %s%s", scan_copy(scan, span), "VAR");
	if (!type || !starts_operand(scan_peek(scan, 0))) {
		scan->pos = start;
		error = parse_primary(scan, want, depth);
		return error ? error : parse_postfix(scan, want);
	}
	error = parse_unary(scan, want, depth);
	if (!error && is_reference)
		error = add_prefix(scan, want, STEP_ADDRESS, NULL, span);
	if (!error)
		error = add_prefix(scan, want, STEP_CAST, type, span);
	return error || !is_reference ? error : add_prefix(scan, want, STEP_DEREF, NULL, span);
}

/* As in C, a prefix operator binds weaker than a postfix one. */
static struct error *parse_unary(struct scan *scan, struct want *want, unsigned depth)
{
	struct span span;
	struct error *error;
	int c;

	scan_blanks(scan);
	c = scan_peek(scan, 0);
	span = span_of(scan->pos, scan->pos + 1);
	if (depth > DEPTH_MAX)
		return scan_limit(scan, scan_rest(scan), "more than %u operators before a variable",
				  DEPTH_MAX);
	if (c == '(')
		return parse_bracket(scan, want, depth + 1);
	if (c != '*' && c != '&') {
		error = parse_primary(scan, want, depth);
		return error ? error : parse_postfix(scan, want);
	}
	scan->pos++;
	error = parse_unary(scan, want, depth + 1);
	return error ? error : add_prefix(scan, want, c == '*' ? STEP_DEREF : STEP_ADDRESS, NULL,
					  span);
}

/* Whether $NAME itself stands there, not a longer name that begins so. */
static bool starts_with(const struct scan *scan, const char *name)
{
	size_t length = strlen(name), left = scan->end - scan->pos;

	return left >= length && !memcmp(scan->text + scan->pos, name, length) &&
	       (left == length || !char_is_name((unsigned char)scan->text[scan->pos + length]));
}

static void parse_word(struct scan *scan, struct want *want, enum want_kind kind, const char *name)
{
	want->kind = kind;
	want->base = name;
	want->base_span = span_of(scan->pos, scan->pos + (unsigned)strlen(name));
	scan->pos = want->base_span.end;
}

static struct error *parse_all(struct scan *scan, struct want *want, const char *name)
{
	parse_word(scan, want, WANT_ALL, name);
	if (!want->name)
		return NULL;
	return error_hint(scan->arena,
			  scan_error(scan, want->name_span,
				     "%s is many values, with names of their own", name),
			  "leave '%s=' out", want->name);
}

/* $kstack, $ustack, each also with (DEPTH). */
static struct error *parse_stack(struct scan *scan, struct want *want, const char *name)
{
	unsigned open;
	uint64_t depth;
	struct span span;
	struct error *error;

	want->kind = WANT_STACK;
	want->base = name;
	want->base_span = span_of(scan->pos, scan->pos + (unsigned)strlen(name));
	open = scan->pos = want->base_span.end;
	if (!scan_eat(scan, "("))
		return NULL;
	error = scan_number(scan, "a number of frames", span_of(open, open + 1), STACK_DEPTH_MAX,
			    &depth, &span);
	if (!error && !depth)
		error = scan_error(scan, span, "a stack of no frames");
	if (!error && !scan_eat(scan, ")"))
		error = scan_error(scan, span_of(open, open + 1), "the '(' is not closed");
	want->depth = (unsigned)depth;
	return error ? error_hint(scan->arena, error, "write %s(8) for at most 8 frames", name) :
		       NULL;
}

/* $retval alone is kernel syntax; $retval->x is not. */
static bool is_return_walk(const struct scan *scan)
{
	size_t length = strlen(RETURN_VALUE);

	return starts_with(scan, RETURN_VALUE) && scan->end - scan->pos > length &&
	       strchr("-.[", scan->text[scan->pos + length]);
}

struct error *expression_parse(struct scan *scan, struct want *want)
{
	if (starts_with(scan, ALL_PARAMETERS))
		return parse_all(scan, want, ALL_PARAMETERS);
	if (starts_with(scan, ALL_VARIABLES))
		return parse_all(scan, want, ALL_VARIABLES);
	if (starts_with(scan, KERNEL_STACK))
		return parse_stack(scan, want, KERNEL_STACK);
	if (starts_with(scan, USER_STACK))
		return parse_stack(scan, want, USER_STACK);
	if (starts_with(scan, OWN_LINE) || starts_with(scan, OWN_FUNCTION)) {
		parse_word(scan, want, WANT_PLACE,
			   starts_with(scan, OWN_LINE) ? OWN_LINE : OWN_FUNCTION);
		return NULL;
	}
	if (raw_starts(scan_peek(scan, 0)) && !starts_with(scan, CURRENT_TASK) &&
	    !starts_with(scan, DURATION) && !is_return_walk(scan))
		return raw_parse(scan, want);
	want->kind = WANT_VARIABLE;
	return parse_unary(scan, want, 0);
}
