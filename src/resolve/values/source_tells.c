// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what a line of the source says of a variable: what an assignment makes of it, and what a
 * condition would be if it were the constant that debug information has.
 *
 * The surprise: the source isn't parsed. What isn't one of a few plain forms may be anything, and
 * what a call returns or memory holds may be a constant to the compiler.
 */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "expr/expr.h"
#include "resolve/source_words.h"
#include "resolve/values/source_tells.h"

enum { LENGTH_MOST = 400, WORD_MOST = 64 };

static bool is_any(const char *text, size_t length, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_text(text, length, words[i]))
			return true;
	return false;
}

static bool ends_in(const char *begin, const char *text, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(text - begin) >= length && starts_with(text - length, word);
}

/* The number that the text stands for: digits, a word of C's, or an enumerator of the variable's
 * type. Returns false when it is none of them. */
static bool read_number(struct teller *teller, const char *text, size_t length,
			uint64_t *ret)
{
	const struct walk *walk = teller->walk;
	bool is_negative = length && *text == '-';
	struct enumerator *list;
	unsigned count;
	char *end;

	if (isdigit((unsigned char)text[is_negative])) {
		*ret = strtoull(text + is_negative, &end, 0);
		*ret = is_negative ? -*ret : *ret;
		return end + strspn(end, "uUlL") == text + length;
	}
	*ret = is_text(text, length, "true");
	if (*ret || is_text(text, length, "false") || is_text(text, length, "NULL"))
		return true;
	if (walk->variable->type->kind != TYPE_ENUM ||
	    debuginfo_enumerators(walk->resolver->info, walk->variable->type, &list, &count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		*ret = list[i].number;
		if (is_text(text, length, list[i].name))
			return true;
	}
	return false;
}

bool source_names(struct teller *teller, const char *line)
{
	return next_use(line, teller->name);
}

/* The bits of the constant, or of another number, that the variable has. */
static uint64_t cut(struct teller *teller, uint64_t number)
{
	uint64_t size = teller->walk->variable->type->size;

	return size && size < 8 ? number << (64 - 8 * size) : number;
}

static uint64_t constant_of(struct teller *teller)
{
	return cut(teller, teller->walk->variable->loc.expr->value);
}

/* Up to the end of the expression, which may be some lines further down. */
static size_t expression_length(const char *text)
{
	size_t length = 0;
	int depth = 0;

	for (; text[length] && length < LENGTH_MOST && depth >= 0; length++) {
		char c = text[length];

		depth += (c == '(') - (c == ')');
		if (depth < 0 || c == ';' || c == '{' || c == '}' || (c == ',' && !depth))
			break;
	}
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return length;
}

/* The index of the variable that the word is, if that is no constant; -1: it isn't one. */
static int changing(struct teller *teller, const char *word, size_t length)
{
	const struct walk *walk = teller->walk;

	if (!teller->is_read &&
	    debuginfo_variables(walk->resolver->info, walk->instance, teller->at, false,
				&teller->others, &teller->count))
		teller->count = 0;
	teller->is_read = true;
	for (unsigned i = 0; i < teller->count; i++) {
		const struct variable *other = &teller->others[i];

		if (other->source == walk->variable->source ||
		    other->scope == SCOPE_STATIC || !is_text(word, length, other->name))
			continue;
		return other->loc.kind == LOC_MEMORY ||
				       (other->loc.kind == LOC_VALUE && !is_constant(other)) ?
			       (int)i : -1;
	}
	return -1;
}

/* Whether what is at the text may be a constant whatever its operands are: what is called, what a
 * pointer leads to, the size of something. */
static bool may_be_constant(const char *text, size_t length)
{
	if (!length)
		return strchr("\"'.[", *text) || starts_with(text, "->") ||
		       (*text == '*' && text[1] != ' ');
	return *skip_blanks(text + length) == '(' || is_text(text, length, "sizeof");
}

/* An expression of what changes isn't the constant; but `a - a`, which has a variable twice, may be
 * one. */
static enum told expression_told(struct teller *teller, const char *text, size_t length,
				 uint64_t *operands)
{
	uint64_t seen = 0;

	for (size_t i = 0, word; i < length; i += word ?: 1) {
		int found;

		word = word_length(text + i);
		if (may_be_constant(text + i, word))
			return TOLD_PERHAPS;
		found = word ? changing(teller, text + i, word) : -1;
		if (found >= 64 || (found >= 0 && seen >> found & 1))
			return TOLD_PERHAPS;
		seen |= found < 0 ? 0 : (uint64_t)1 << found;
	}
	*operands = seen;
	return seen ? TOLD_COMPUTED : TOLD_PERHAPS;
}

/* Of `a = b = 0`, the number is behind the last `=`. */
static const char *behind_assignments(const char *text, size_t length)
{
	const char *behind = text;

	for (size_t i = 1; i + 1 < length; i++)
		if (text[i] == '=' && text[i + 1] != '=' && !strchr("=!<>", text[i - 1]))
			behind = text + i + 1;
	return behind + strspn(behind, " \t\n");
}

static enum told value_told(struct teller *teller, const char *text, uint64_t *operands)
{
	const char *end;
	uint64_t number;
	size_t length;

	text += strspn(text, " \t\n");
	end = text + expression_length(text);
	text = behind_assignments(text, (size_t)(end - text));
	length = (size_t)(end - text);
	if (!read_number(teller, text, length, &number))
		return expression_told(teller, text, length, operands);
	return cut(teller, number) == constant_of(teller) ? TOLD_SAME : TOLD_LITERAL;
}

static bool is_step(const char *text)
{
	return starts_with(text, "++") || starts_with(text, "--");
}

static bool is_condition(const char *text, size_t length)
{
	static const char *const words[] = {"if", "for", "while", "switch"};

	return is_any(text, length, words, sizeof(words) / sizeof(*words));
}

/* Where the condition ends that the line begins with; the line itself: it begins with none. */
static const char *condition_end(const char *line)
{
	const char *text = skip_blanks(line);
	bool is_arm = false;
	int depth = 0;

	text = skip_blanks(text + (*text == '}'));
	if (is_text(text, word_length(text), "else")) {
		text = skip_blanks(text + strlen("else"));
		is_arm = true;
	}
	is_arm |= is_text(text, word_length(text), "case");
	if (!is_condition(text, word_length(text)))
		return is_arm ? text : line;
	for (; *text && *text != '\n'; text++) {
		depth += (*text == '(') - (*text == ')');
		if (*text == ')' && depth <= 0)
			break;
	}
	return text;
}

/* Whether that is in the last part of a `for`'s head, which isn't executed before the first
 * round. */
static bool is_step_of_for(const char *line, const char *use)
{
	const char *text = skip_blanks(line);

	return is_text(text, word_length(text), "for") && memchr(line, ';', (size_t)(use - line));
}

struct assignment source_assigns(struct teller *teller, const char *line)
{
	size_t length = strlen(teller->name);
	const char *condition = condition_end(line);
	struct assignment found = {0};

	for (const char *use = line; (use = next_use(use, teller->name)); use += length) {
		const char *next = skip_blanks(use + length);
		enum told told = TOLD_NOTHING;
		uint64_t operands = 0;

		if (*next == '=' && next[1] != '=')
			told = is_step_of_for(line, use) ? TOLD_PERHAPS :
						  value_told(teller, next + 1, &operands);
		else if (is_step(next) || (use > line + 1 && is_step(use - 2)) ||
			 (*next && strchr("+-*/%&|^", *next) && next[1] == '=') ||
			 starts_with(next, "<<=") || starts_with(next, ">>="))
			told = TOLD_PERHAPS;
		else if (is_address_taken(line, use))
			told = TOLD_GIVEN;
		if (told)
			found = (struct assignment){
				told, condition > line && use > condition, operands,
			};
	}
	return found;
}

static bool ends_in_word(const char *begin, const char *text, const char *word)
{
	if (!ends_in(begin, text, word))
		return false;
	text -= strlen(word);
	return text == begin || !is_word_char(text[-1]);
}

/* Whether an operand of && and || ends, or begins, there, with or without brackets. condition: the
 * end of the whole one. */
static bool ends_operand(const char *text, const char *condition)
{
	while (*text == ')' && text != condition)
		text = skip_blanks(text + 1);
	return *text == ')' || starts_with(text, "&&") || starts_with(text, "||");
}

static bool begins_operand(const char *line, const char *text)
{
	while (text > line && strchr(" \t(", text[-1]))
		text--;
	return ends_in(line, text, "&&") || ends_in(line, text, "||") ||
	       ends_in_word(line, text, "if") || ends_in_word(line, text, "while");
}

static bool is_comparison(const char *text)
{
	return ((*text == '=' || *text == '!') && text[1] == '=') ||
	       ((*text == '<' || *text == '>') && text[1] != *text);
}

/* Whether the constant is so to the number. */
static bool compares(struct teller *teller, const char *operator, uint64_t number)
{
	const struct type *type = teller->walk->variable->type;
	uint64_t a = constant_of(teller), b = cut(teller, number);
	bool is_less = type->kind == TYPE_INT && type->is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (*operator) {
	case '=': return a == b;
	case '!': return a != b;
	case '<': return is_less || (operator[1] == '=' && a == b);
	default: return !is_less && (operator[1] == '=' || a != b);
	}
}

/* The operand at the name: `n`, `!n`, `n == 3`. */
static void read_operand(struct teller *teller, const char *line, const char *use,
			 const char *condition, struct test *test)
{
	const char *next = skip_blanks(use + strlen(teller->name)), *value;
	bool is_not = use > line && use[-1] == '!', is_equal = *next == '=' || *next == '!';
	uint64_t number = 0;
	size_t length = 0;

	if (ends_operand(next, condition)) {
		next = is_not ? "==" : "!=";
		is_equal = true;
	} else if (!is_comparison(next) || is_not) {
		return;
	} else {
		value = skip_blanks(next + 1 + (next[1] == '='));
		while (length < WORD_MOST && value + length < condition && value[length] != ')' &&
		       !ends_operand(value + length, condition))
			length++;
		if (!ends_operand(value + length, condition))
			return;
		while (length && value[length - 1] == ' ')
			length--;
		if (!read_number(teller, value, length, &number)) {
			test->is_equality |= is_equal; /* perhaps */
			return;
		}
	}
	if (!begins_operand(line, use - is_not))
		return;
	test->is_told = true;
	test->holds = compares(teller, next, number);
	test->is_equality |= is_equal && compares(teller, "==", number);
}

struct test source_tests(struct teller *teller, const char *line)
{
	size_t end = strcspn(line, "\n");
	struct test test = {
		.has_and = memmem(line, end, "&&", 2),
		.has_or = memmem(line, end, "||", 2),
	};
	const char *condition = condition_end(line);

	if (condition == line || memmem(line, end, "!(", 2))
		return test;
	for (const char *use = line; (use = next_use(use, teller->name)) && use < condition;)
		read_operand(teller, line, use++, condition, &test);
	test.is_told &= *condition == ')';
	return test;
}

bool source_begins_loop(const char *line)
{
	static const char *const words[] = {"for", "while", "do"};
	const char *text = skip_blanks(line);

	return is_any(text, word_length(text), words, sizeof(words) / sizeof(*words));
}

bool source_leaves(const char *line, bool for_good)
{
	static const char *const words[] = {"return", "break", "goto", "exit", "abort", "continue"};
	size_t length, count = sizeof(words) / sizeof(*words) - for_good;

	for (; *line && *line != '\n' && !starts_with(line, "/*") && !starts_with(line, "//");
	     line += length ?: 1) {
		length = word_length(line);
		if (length && is_any(line, length, words, count))
			return true;
	}
	return false;
}

bool source_is_case(const char *line)
{
	const char *text = skip_blanks(line);

	return is_text(text, word_length(text), "case") ||
	       is_text(text, word_length(text), "default");
}

bool source_is_comment(const char *line)
{
	const char *text = skip_blanks(line);

	return starts_with(text, "/*") || starts_with(text, "//");
}

bool source_is_in_comment(const char *line, bool is_next)
{
	size_t length = strcspn(line, "\n");

	return (is_next || memmem(line, length, "*/", 2)) && !memmem(line, length, "/*", 2);
}

bool source_is_unsure(const char *line)
{
	const char *text = skip_blanks(line);
	size_t length = word_length(text), capitals = 0;

	while (is_word_char(text[capitals]) && !islower((unsigned char)text[capitals]))
		capitals++;
	if (*text == '#' || (length && capitals == length && *skip_blanks(text + length) == '('))
		return true;
	return length && text[length] == ':' && !is_text(text, length, "default");
}
