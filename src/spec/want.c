// SPDX-License-Identifier: GPL-2.0-only
/*
 * One argument's word in, struct want out: [NAME=]OPERAND[:TYPE], where the first character of
 * the operand tells the kernel's syntax from a variable. Prefix operators get their case in
 * want_operand(), slices theirs in want_index(); till then they are refused by name.
 */
#include "spec/parse.h"

#include <limits.h>
#include <string.h>

#include "ktrace/caps.h"

static struct error *want_check_name(const struct scan *scan, const struct want *want)
{
	const char *name = want->name;
	bool is_name = char_is_name_start((unsigned char)*name);

	for (const char *c = name; *c; c++)
		is_name = is_name && char_is_name((unsigned char)*c) && !(*c & 0x80);
	if (!is_name)
		return error_hint(scan->arena,
				  scan_error(scan, want->name_span,
					     "'%s' can't be the name of a value", name),
				  "names have letters, digits and '_': NAME=VARIABLE");
	if (span_length(want->name_span) > KERNEL_ARGNAME_MAX)
		return scan_limit(scan, want->name_span,
				  "the name is %u characters long; the kernel takes %u",
				  span_length(want->name_span), KERNEL_ARGNAME_MAX);
	if (!strncmp(name, "common_", 7) || !strncmp(name, "__probe_", 8))
		return error_hint(scan->arena,
				  scan_error(scan, want->name_span,
					     "the kernel reserves names like '%s'", name),
				  "choose one without '%s' in front",
				  *name == 'c' ? "common_" : "__probe_");
	return NULL;
}

/* NAME= in front; the kernel's own syntax has no '=' except in a constant text. */
static struct error *want_name(struct scan *scan, struct want *want)
{
	const char *start = scan->text + scan->pos;
	const char *equal = memchr(start, '=', scan->end - scan->pos);

	if (!equal || raw_starts(scan_peek(scan, 0)))
		return NULL;
	want->name_span = span_of(scan->pos, scan->pos + (unsigned)(equal - start));
	scan->pos = want->name_span.end + 1;
	if (!span_length(want->name_span))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos - 1, scan->pos),
					     "a name is missing before '='"),
				  "write NAME=VARIABLE, or the variable alone");
	want->name = scan_copy(scan, want->name_span);
	if (scan->pos == scan->end)
		return error_hint(scan->arena,
				  scan_error(scan, span_of(scan->pos - 1, scan->pos),
					     "a variable is missing after '%s='", want->name),
				  "write %s=VARIABLE", want->name);
	return want_check_name(scan, want);
}

static struct step *want_step(const struct scan *scan, struct want *want)
{
	unsigned n = want->nsteps++;

	if (!(n & (n - 1)))
		want->steps = arena_grow(scan->arena, want->steps, n * sizeof(*want->steps),
					 (n ? 2 * n : 1) * sizeof(*want->steps));
	return &want->steps[n];
}

static struct error *want_member(struct scan *scan, struct want *want, enum step_kind kind)
{
	struct step *step = want_step(scan, want);
	unsigned start = scan->pos;
	struct span name;

	scan->pos += kind == STEP_ARROW ? 2 : 1;
	name = scan_identifier(scan);
	if (!span_length(name) || char_is_digit((unsigned char)scan->text[name.start]))
		return error_hint(scan->arena,
				  scan_error(scan, span_of(start, span_length(name) ? name.end :
							   scan->pos),
					     "a member's name is missing after '%s'",
					     kind == STEP_ARROW ? "->" : "."),
				  "write %s%sMEMBER", want->base, kind == STEP_ARROW ? "->" : ".");
	step->kind = kind;
	step->name = scan_copy(scan, name);
	step->span = span_of(start, name.end);
	return NULL;
}

static struct error *want_slice(const struct scan *scan, unsigned start)
{
	struct error *error = scan_error(scan, span_of(start, scan->end),
					 "slices are not supported yet");

	return error_hint(scan->arena, error, "take one element, [N], or an array type, :x8[16]");
}

static struct error *want_index(struct scan *scan, struct want *want)
{
	struct span bracket = span_of(scan->pos, scan->pos + 1), number;
	struct step *step = want_step(scan, want);
	struct error *error;
	uint64_t value = 0;
	bool negative;

	scan->pos++;
	negative = scan_eat(scan, "-");
	if (scan_peek(scan, 0) == ']')
		return error_hint(scan->arena,
				  scan_error(scan, span_of(bracket.start, scan->pos + 1),
					     "an index is missing between '[' and ']'"),
				  "write %s[0]", want->base);
	error = scan_number(scan, "an index", bracket, INT64_MAX, &value, &number);
	if (error)
		return error_hint(scan->arena, error, "write %s[0]", want->base);
	if (scan_peek(scan, 0) == ':' || (scan_peek(scan, 0) == '.' && scan_peek(scan, 1) == '.'))
		return want_slice(scan, bracket.start);
	if (!scan_eat(scan, "]"))
		return error_hint(scan->arena,
				  scan_error(scan, bracket, "the '[' is not closed"),
				  "an index is a number: %s[0]", want->base);
	step->kind = STEP_INDEX;
	step->index = negative ? -(int64_t)value : (int64_t)value;
	step->span = span_of(bracket.start, scan->pos);
	return NULL;
}

static struct error *want_steps(struct scan *scan, struct want *want)
{
	struct error *error = NULL;

	while (!error) {
		int c = scan_peek(scan, 0);

		if (c == '-' && scan_peek(scan, 1) == '>')
			error = want_member(scan, want, STEP_ARROW);
		else if (c == '.')
			error = want_member(scan, want, STEP_DOT);
		else if (c == '[')
			error = want_index(scan, want);
		else
			break;
	}
	return error;
}

static struct error *want_variable(struct scan *scan, struct want *want)
{
	want->kind = WANT_VARIABLE;
	want->base_span = scan_identifier(scan);
	want->base = scan_copy(scan, want->base_span);
	return want_steps(scan, want);
}

/* Names with a '$' that are no kernel syntax: ktrace knows what they are. */
static const char *const pseudo_variables[] = {CURRENT_TASK, DURATION, RETURN_VALUE};

static const char *want_pseudo(const struct scan *scan)
{
	const char *text = scan->text + scan->pos;
	size_t left = scan->end - scan->pos;

	for (size_t i = 0; i < sizeof(pseudo_variables) / sizeof(*pseudo_variables); i++) {
		const char *name = pseudo_variables[i];
		size_t length = strlen(name);

		if (left < length || memcmp(text, name, length) != 0 ||
		    (left > length && char_is_name((unsigned char)text[length])))
			continue;
		if (strcmp(name, RETURN_VALUE) != 0 ||
		    (left > length && strchr("-.[", text[length])))
			return name;
	}
	return NULL;
}

static struct error *want_pseudo_variable(struct scan *scan, const char *name, struct want *want)
{
	want->kind = WANT_VARIABLE;
	want->base_span = span_of(scan->pos, scan->pos + (unsigned)strlen(name));
	want->base = name;
	scan->pos = want->base_span.end;
	return want_steps(scan, want);
}

static struct error *want_refuse(const struct scan *scan)
{
	int c = scan_peek(scan, 0);
	struct error *error;

	if (c == '*' || c == '&' || c == '(') {
		error = scan_error(scan, span_of(scan->pos, scan->pos + 1),
				   "%s are not supported yet",
				   c == '*' ? "dereferences (*VAR)" :
				   c == '&' ? "addresses (&VAR)" : "casts ((TYPE)VAR)");
		return error_hint(scan->arena, error, "%s",
				  c == '*' ? "write VAR->MEMBER, or VAR[0]" :
				  c == '&' ? "name a variable or its member" :
					     "write the type behind the variable: VAR:u32");
	}
	error = scan_error(scan, scan_rest(scan), "'%s' is not a value",
			   scan_copy(scan, scan_rest(scan)));
	if (strspn(scan->text + scan->pos, "0123456789") == scan->end - scan->pos)
		return error_hint(scan->arena, error, "a constant is written \\%s",
				  scan_copy(scan, scan_rest(scan)));
	return error_hint(scan->arena, error, "a value is VAR[->MEMBER|.MEMBER|[N]][:TYPE], or the "
			  "kernel's syntax: %%di, $retval, +8(%%di):u64");
}

static struct error *want_operand(struct scan *scan, struct want *want)
{
	int c = scan_peek(scan, 0);

	if (want_pseudo(scan))
		return want_pseudo_variable(scan, want_pseudo(scan), want);
	if (raw_starts(c))
		return raw_parse(scan, want);
	if (char_is_name_start(c))
		return want_variable(scan, want);
	return want_refuse(scan);
}

static struct error *want_user(struct scan *scan, struct want *want)
{
	unsigned start = scan->pos++;
	struct span word = scan_identifier(scan);

	word.start = start;
	if (want->kind == WANT_RAW)
		return error_hint(scan->arena,
				  scan_error(scan, word, "'%s' can't follow the kernel's syntax",
					     scan_copy(scan, word)),
				  "user memory is written +u0(...) or :ustring there");
	if (!scan_is(scan, word, "@user"))
		return error_hint(scan->arena,
				  scan_error(scan, word, "unknown '%s' after a variable",
					     scan_copy(scan, word)),
				  "only @user can stand here: the memory is user space");
	if (want->user)
		return scan_error(scan, word, "'@user' is given twice");
	want->user = true;
	return NULL;
}

static struct error *want_unexpected(const struct scan *scan, const struct want *want)
{
	int c = scan_peek(scan, 0);
	struct error *error = scan_error(scan, span_of(scan->pos, scan->pos + 1),
					 "unexpected %s after '%s'", scan_quote(scan),
					 scan_copy(scan, span_of(want->span.start, scan->pos)));

	if (want->kind == WANT_RAW)
		return error;
	if (c == '(')
		return error_hint(scan->arena, error, "functions can't be called");
	return error_hint(scan->arena, error,
			  "a value is VAR[->MEMBER|.MEMBER|[N]][:TYPE]; there is no arithmetic");
}

/* :TYPE and @user, in either order. */
static struct error *want_tail(struct scan *scan, struct want *want)
{
	struct error *error = NULL;

	while (!error && scan->pos < scan->end) {
		struct span colon = span_of(scan->pos, scan->pos + 1);

		if (scan_peek(scan, 0) == '@') {
			error = want_user(scan, want);
		} else if (scan_peek(scan, 0) != ':') {
			error = want_unexpected(scan, want);
		} else if (want->type) {
			error = scan_error(scan, scan_rest(scan), "a second type");
		} else {
			scan->pos++;
			error = type_parse(scan, colon, want);
		}
	}
	return error;
}

struct error *want_parse(struct scan *scan, struct want *want)
{
	struct error *error;

	want->span = scan_rest(scan);
	error = want_name(scan, want);
	if (!error)
		error = want_operand(scan, want);
	if (!error)
		error = want_tail(scan, want);
	return error;
}
