// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses one argument: [NAME=]EXPRESSION[:TYPE][@user], where the first character of the expression
 * tells kernel syntax from the source's.
 */
#include "spec/parse.h"

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

/* NAME= at the beginning; kernel syntax has no '=' except in a constant text. */
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

	if (want->kind == WANT_ALL)
		return error_hint(scan->arena, error, "%s is many values, and stands alone",
				  want->base);
	if (want->kind == WANT_STACK)
		return error_hint(scan->arena, error, "write %s, or %s(8) for at most 8 frames",
				  want->base, want->base);
	if (want->kind == WANT_PLACE)
		return error_hint(scan->arena, error,
				  "%s is a text, and takes no operators", want->base);
	if (want->kind == WANT_RAW)
		return error;
	if (c == '(')
		return error_hint(
			scan->arena, error,
			want->base && (!strcmp(want->base, "str") || !strcmp(want->base, "buf")) ?
				"functions can't be called; text is VAR:string, bytes VAR:x8[16]" :
				"functions can't be called; aggregates are count(), sum(E), "
				"avg(E), min(E), max(E) and hist(E)");
	return error_hint(scan->arena, error,
			  "a value is VAR[->MEMBER|.MEMBER|[N]][:TYPE]; there is no arithmetic");
}

/* Many values, or a word: neither takes a type. */
static bool stands_alone(const struct want *want)
{
	return want->kind == WANT_ALL || want->kind == WANT_PLACE;
}

/* :TYPE and @user, in either order. */
static struct error *want_tail(struct scan *scan, struct want *want)
{
	struct error *error = NULL;

	if (want->kind == WANT_STACK && scan->pos < scan->end)
		return want_unexpected(scan, want);
	while (!error && scan->pos < scan->end) {
		struct span colon = span_of(scan->pos, scan->pos + 1);

		if (stands_alone(want)) {
			error = want_unexpected(scan, want);
		} else if (scan_peek(scan, 0) == '@') {
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
		error = expression_parse(scan, want);
	if (!error && want->kind == WANT_VARIABLE && want->nsteps)
		want->path = spec_print_path(scan->arena, want);
	if (!error)
		error = want_tail(scan, want);
	return error;
}
