// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks one name of a place, and removes its escapes. "::" is part of a C++ or Rust name; only a
 * single ':' ends one.
 */
#include "base/source_name.h"
#include "spec/parse.h"

#include <string.h>

bool place_is_scope(const char *text, size_t end, size_t at)
{
	int c = at + 2 < end ? (unsigned char)text[at + 2] : 0;

	return c && text[at] == ':' && text[at + 1] == ':' &&
	       (char_is_name_start(c) || strchr("~*?<${(", c));
}

unsigned operator_symbol(const char *text, unsigned start, unsigned at, unsigned end)
{
	/* longer ones first; '*' alone stays a glob, which the operator matches */
	static const char *const symbols[] = {
		"->*", "<=>", "<<=", ">>=", "()", "[]", "->", "<<", ">>", "<=", ">=", "==", "!=",
		"&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",
		">",   "!",   "~",   "+",   "-",  "/",	"%",  "^",  "&",  "|",	",",  "=",
	};
	static const char word[] = "operator";
	unsigned before = at - (unsigned)strlen(word);

	if (at < start + strlen(word) || memcmp(text + before, word, strlen(word)) != 0 ||
	    (before > start && char_is_name((unsigned char)text[before - 1])))
		return 0;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		size_t length = strlen(symbols[i]);

		if (length > end - at || memcmp(text + at, symbols[i], length) != 0)
			continue;
		/* EVENT=PLACE, where the event is called "operator": C++'s own is always a
		 * method */
		return *symbols[i] == '=' && length == 1 && before == start ? 0 : (unsigned)length;
	}
	return 0;
}

static const char nameless_namespace[] = "(anonymous namespace)";

/* Whether the name's part before `at` may have template arguments. */
static bool is_behind_name(const char *text, unsigned start, unsigned at, unsigned end)
{
	if (at > start && char_is_name((unsigned char)text[at - 1]))
		return !operator_symbol(text, start, at, end);
	for (unsigned i = at > start + 3 ? at - 3 : start; i < at; i++)
		if (i + operator_symbol(text, start, i, end) == at)
			return true;
	return false;
}

unsigned blank_part(const char *text, unsigned start, unsigned at, unsigned end)
{
	unsigned depth = 0;

	if (text[at] == '(')
		return end - at >= strlen(nameless_namespace) &&
		       !memcmp(text + at, nameless_namespace, strlen(nameless_namespace)) ?
		       (unsigned)strlen(nameless_namespace) : 0;
	if (text[at] != '<' || !is_behind_name(text, start, at, end))
		return 0;
	for (unsigned i = at; i < end && text[i] && !strchr("'\"", text[i]); i++) {
		i += text[i] == '\\' && i + 1 < end;
		depth += text[i] == '<';
		if (text[i] == '>' && text[i - 1] != '-' && !--depth)
			return i + 1 - at;
	}
	return 0;
}

struct span place_part(struct scan *scan)
{
	unsigned start = scan->pos;
	int c;

	while ((c = scan_peek(scan, 0)) >= 0) {
		unsigned symbol = operator_symbol(scan->text, start, scan->pos, scan->end) ?:
				  blank_part(scan->text, start, scan->pos, scan->end);

		if (symbol)
			scan->pos += symbol;
		else if (c == '\\')
			scan->pos += scan_peek(scan, 1) < 0 ? 1 : 2;
		else if (c == '\'' || c == '"')
			scan->pos = text_skip_quotes(scan->text, scan->pos, scan->end);
		else if (place_is_scope(scan->text, scan->end, scan->pos))
			scan->pos += 2;
		else if (c && strchr(PLACE_SPECIAL, c))
			break;
		else
			scan->pos++;
	}
	return span_of(start, scan->pos);
}

bool place_is_file(const char *name)
{
	/* a function of Go's may well be called main.f; with a '/' before it, such a name is a
	 * file's */
	static const char *const others[] = {"d", "f", "F", "m", "v"};
	const char *dot = strrchr(name, '.');

	if (strchr(name, '/'))
		return true;
	for (size_t i = 0; dot && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(dot + 1, others[i]))
			return false;
	return is_source_name(name);
}

/* The bytes of span without their quotes and escapes. */
static struct error *place_unescape(const struct scan *scan, struct span span, char **ret)
{
	char *name = arena_alloc(scan->arena, span_length(span) + 1), quote = 0;
	size_t n = 0;

	for (unsigned i = span.start; i < span.end; i++) {
		char c = scan->text[i];

		if (c == quote || (!quote && (c == '\'' || c == '"'))) {
			quote = quote ? 0 : c;
			continue;
		}
		if (c == '\\' && !quote) {
			if (i + 1 == span.end || !strchr(PLACE_SPECIAL "\\", scan->text[i + 1]))
				return error_hint(scan->arena,
						  scan_error(scan, span_of(i, i + 1),
							     "the '\\' escapes nothing"),
						  "it goes before one of = @ + : ; %% \\");
			c = scan->text[++i];
		}
		name[n++] = c;
	}
	*ret = name;
	return NULL;
}

const char *place_text(const struct scan *scan, struct span span)
{
	char *name;

	return place_unescape(scan, span, &name) ? scan_copy(scan, span) : name;
}

/* c++filt(1) has "main::{lambda(long)#1}::operator()" for what debug information knows as a method
 * of a class without a name. */
static struct error *hint_lambda(const struct scan *scan, struct span span, struct error *error)
{
	unsigned end = span.start;

	while (end < span.end && scan->text[end] != '(' && scan->text[end] != '{')
		end++;
	while (end > span.start && scan->text[end - 1] == ':')
		end--;
	return error_hint(scan->arena, error,
			  "a lambda is %s%s(anonymous)::operator(), or a line in it, FILE:LINE",
			  scan_copy(scan, span_of(span.start, end)), end > span.start ? "::" : "");
}

static struct error *place_bad_char(const struct scan *scan, struct span span, unsigned at,
				    const char *what)
{
	struct scan here = scan_within(scan, span_of(at, span.end));
	struct error *error = scan_error(scan, span_of(at, at + 1), "%s can't be part of %s",
					 scan_quote(&here), what);

	if (scan_peek(&here, 0) == '(' && strstr(scan_copy(scan, span), "{lambda"))
		hint_lambda(scan, span, error);
	else if (scan_peek(&here, 0) == '(' && at > span.start)
		error_hint(scan->arena, error, "write the name alone: %s",
			   scan_copy(scan, span_of(span.start, at)));
	else if (scan_peek(&here, 0) == '(')
		error_hint(scan->arena, error,
			   "an anonymous namespace is (anonymous)::, or may be left out");
	if (scan_peek(&here, 0) == '-')
		error_hint(scan->arena, error, "write FUNC:LINE or FUNC+OFFSET");
	return error;
}

static bool char_is_function(int c)
{
	return char_is_name(c) || (c && strchr(".*?$~:<>, {}#", c));
}

/* The length of "(*T)" in Go's "main.(*T).Sum"; 0: not a receiver. */
static unsigned receiver_length(const struct scan *scan, struct span span, unsigned at)
{
	unsigned end = at + 2;

	if (at == span.start || scan->text[at - 1] != '.' || end >= span.end ||
	    scan->text[at + 1] != '*')
		return 0;
	while (end < span.end && char_is_name((unsigned char)scan->text[end]))
		end++;
	return end > at + 2 && end < span.end && scan->text[end] == ')' ? end + 1 - at : 0;
}

/* Brackets that are part of a name: an anonymous namespace, Go's receiver.
 * Returns their length; 0: they enclose arguments. */
static unsigned bracket_length(const struct scan *scan, struct span span, unsigned at)
{
	static const char nameless[] = "(anonymous)";

	return at + strlen(nameless) <= span.end &&
	       !memcmp(scan->text + at, nameless, strlen(nameless)) ? (unsigned)strlen(nameless) :
	       receiver_length(scan, span, at);
}

/* Inside quotes special characters are ordinary, but quotes are not. at: the first byte; the
 * last one on return. */
static struct error *place_check_quoted(const struct scan *scan, struct span span, unsigned *at,
					bool is_file)
{
	const char *what = is_file ? "a file's name" : "a function's name";
	unsigned behind = text_skip_quotes(scan->text, *at, span.end);

	if (behind < *at + 3 || scan->text[behind - 1] != scan->text[*at])
		return place_bad_char(scan, span, *at, what);
	for (unsigned i = *at + 1; i + 1 < behind; i++) {
		int c = (unsigned char)scan->text[i];

		if (c < 0x20 || c == 0x7f || c == '\'' || c == '"' ||
		    !(is_file || char_is_function(c) || strchr(PLACE_SPECIAL "\\", c)))
			return place_bad_char(scan, span, i, what);
	}
	*at = behind - 1;
	return NULL;
}

/* Checks the characters of a function's name as written; globs are the resolver's to read. */
static struct error *place_check_function(const struct scan *scan, struct span span)
{
	struct error *error = NULL;
	unsigned bracket = 0;
	bool inside = false;

	for (unsigned i = span.start; i < span.end && !error; i++) {
		int c = (unsigned char)scan->text[i];
		unsigned symbol = operator_symbol(scan->text, span.start, i, span.end) ?:
				  blank_part(scan->text, span.start, i, span.end);

		if (symbol)
			i += symbol - 1;
		else if (c == '\\')
			i++;
		else if (c == '\'' || c == '"')
			error = place_check_quoted(scan, span, &i, false);
		else if (c == '[' && !inside)
			inside = true, bracket = i;
		else if (c == ']' && inside && i > bracket + 1)
			inside = false;
		else if (c == '(' && bracket_length(scan, span, i))
			i += bracket_length(scan, span, i) - 1;
		else if (!char_is_function(c) && !(inside && strchr("-!^[]", c)))
			return place_bad_char(scan, span, i, "a function's name");
	}
	if (inside && !error)
		return error_hint(scan->arena,
				  scan_error(scan, span_of(bracket, bracket + 1),
					     "the '[' is not closed"),
				  "a set of characters is [abc]");
	return error;
}

/* gdb and c++filt write an anonymous namespace in full; within template arguments, debug
 * information does as well. */
static void shorten_nameless(char *name)
{
	static const char brief[] = "(anonymous)";
	size_t length = strlen(nameless_namespace);
	unsigned depth = 0;

	for (char *at = name; *at; at++) {
		depth += *at == '<';
		depth -= *at == '>' && depth;
		if (!depth && !strncmp(at, nameless_namespace, length)) {
			memcpy(at, brief, strlen(brief));
			memmove(at + strlen(brief), at + length, strlen(at + length) + 1);
		}
	}
}

struct error *place_function(const struct scan *scan, struct span span, const char **ret)
{
	struct error *error;
	char *name;

	if (char_is_digit((unsigned char)*place_text(scan, span)))
		return error_hint(scan->arena,
				  scan_error(scan, span, "'%s' is not a function's name",
					     scan_copy(scan, span)),
				  "%s", PLACE_HINT);
	error = place_check_function(scan, span);
	if (!error)
		error = place_unescape(scan, span, &name);
	if (!error)
		shorten_nameless(name);
	if (!error)
		*ret = name;
	return error;
}

struct error *place_file(const struct scan *scan, struct span span, const char **ret)
{
	struct error *error = NULL;
	char *name;

	for (unsigned i = span.start; i < span.end && !error; i++) {
		int c = (unsigned char)scan->text[i];

		if (c == '\'' || c == '"')
			error = place_check_quoted(scan, span, &i, true);
		else if (c < 0x20 || c == 0x7f)
			return place_bad_char(scan, span, i, "a file's name");
	}
	if (!error)
		error = place_unescape(scan, span, &name);
	if (!error)
		*ret = name;
	return error;
}

struct error *place_module(const struct scan *scan, struct span span, const char **ret)
{
	for (unsigned i = span.start; i < span.end; i++) {
		int c = (unsigned char)scan->text[i];

		if (!char_is_name(c) && c != '-')
			return error_hint(scan->arena,
					  place_bad_char(scan, span, i, "a module's name"),
					  "a place is FUNC:LINE, FILE:LINE or MODULE:FUNC");
	}
	*ret = scan_copy(scan, span);
	return NULL;
}
