// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the text of --filter into a tree of comparisons. `1000 < size` becomes `size > 1000`; 'a'
 * is a character, so a string of one character is written "a" (or stands after ~).
 */
#include "spec/operand.h"
#include "spec/spec.h"

#include <string.h>

#define FILTER_DEPTH_MAX 64  /* of ( and !, nested */
#define FILTER_NODES_MAX 1024 /* the tree is walked by recursion */

struct filter_scan {
	struct scan scan;
	unsigned depth;
	unsigned nodes;
};

static struct error *filter_or(struct filter_scan *in, const struct filter **ret) must_check;

static struct error *filter_node(struct filter_scan *in, enum filter_op op, struct span span,
				 struct filter **ret)
{
	struct filter *filter = arena_new(in->scan.arena, struct filter);

	if (++in->nodes > FILTER_NODES_MAX)
		return scan_limit(&in->scan, span, "the filter has more than %u parts",
				  FILTER_NODES_MAX);
	filter->op = op;
	filter->span = span;
	*ret = filter;
	return NULL;
}

static bool filter_operator(struct scan *scan, enum filter_op *ret)
{
	static const struct {
		const char *text;
		enum filter_op op;
	} ops[] = {
		{"==", FILTER_EQ}, {"!=", FILTER_NE}, {"<=", FILTER_LE}, {">=", FILTER_GE},
		{"<", FILTER_LT},  {">", FILTER_GT},  {"&", FILTER_BITS}, {"~", FILTER_MATCH},
	};

	if (scan_peek(scan, 0) == '&' && scan_peek(scan, 1) == '&')
		return false;
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		if (scan_eat(scan, ops[i].text)) {
			*ret = ops[i].op;
			return true;
		}
	}
	return false;
}

static struct error *filter_no_operator(const struct scan *scan, const struct operand *left)
{
	int c = scan_peek(scan, 0);
	struct span here = span_of(scan->pos, scan->pos + 1);
	const char *field = left->field ? left->field : "NAME";

	if (c == '=')
		return error_hint(scan->arena, scan_error(scan, here, "unknown operator '='"),
				  "%s", scan_peek(scan, 1) == '>' ? "write >=" :
				  scan_peek(scan, 1) == '<' ? "write <=" :
				  scan_peek(scan, 1) == '~' ? "a pattern is written ~" :
							      "equal is written ==");
	if (left->field && (c == '.' || c == '[' || (c == '-' && scan_peek(scan, 1) == '>')))
		return error_hint(scan->arena,
				  scan_error(scan, here, "a member's name or an index is missing"),
				  "a filter names a path as the spec does: it->kind, it->list[2]");
	if (c > 0 && strchr("+-*/%^", c))
		return error_hint(scan->arena, scan_error(scan, here, "a filter has no arithmetic"),
				  "write %s OP CONSTANT", field);
	if (left->field && !strcmp(field, "not"))
		return error_hint(scan->arena, scan_error(scan, left->span, "unexpected 'not'"),
				  "write !(NAME OP CONSTANT)");
	return error_hint(scan->arena,
			  scan_error(scan, left->span, "'%s' is not compared with anything",
				     scan_copy(scan, left->span)),
			  "write %s OP CONSTANT, e.g. %s != 0", field, field);
}

static enum filter_op filter_reverse(enum filter_op op)
{
	switch (op) {
	case FILTER_LT:
		return FILTER_GT;
	case FILTER_LE:
		return FILTER_GE;
	case FILTER_GT:
		return FILTER_LT;
	case FILTER_GE:
		return FILTER_LE;
	default:
		return op;
	}
}

/* If both sides are names, the right one may be an enum's constant: plan/ knows. */
static struct error *filter_check_sides(const struct scan *scan, enum filter_op op,
					const struct operand *left, const struct operand *right)
{
	if (left->field && right->field && op == FILTER_MATCH)
		return error_hint(scan->arena,
				  scan_error(scan, right->span,
					     "'%s' is not a constant", right->field),
				  "a string goes in quotes: \"%s\"; two values can't be compared",
				  right->field);
	if (!left->field && !right->field)
		return operand_hint(scan,
				    scan_error(scan, span_of(left->span.start, right->span.end),
					       "two constants are compared"));
	return NULL;
}

static struct error *filter_check_type(const struct scan *scan, enum filter_op op,
				       struct span mark, struct operand *value)
{
	if (op == FILTER_MATCH && value->is_char)
		value->is_string = true;
	if (op == FILTER_MATCH && !value->is_string)
		return error_hint(scan->arena,
				  scan_error(scan, value->span, "~ matches strings"),
				  "write NAME ~ \"*text*\"");
	if (value->is_string && op != FILTER_EQ && op != FILTER_NE && op != FILTER_MATCH)
		return error_hint(scan->arena,
				  scan_error(scan, mark, "'%s' can't compare strings",
					     scan_copy(scan, mark)),
				  "strings take ==, != and ~");
	return NULL;
}

static struct error *filter_fill(struct filter_scan *in, enum filter_op op,
				 const struct operand *name, const struct operand *value,
				 struct filter **ret)
{
	struct span span = span_of(name->span.start, value->span.end);
	struct error *error;

	if (name->span.start > value->span.start)
		span = span_of(value->span.start, name->span.end);
	error = filter_node(in, op, span, ret);
	if (error)
		return error;
	(*ret)->field = name->field;
	(*ret)->field_span = name->span;
	(*ret)->value_span = value->span;
	(*ret)->constant = value->field ? value->field : value->word;
	(*ret)->decimal = value->decimal;
	(*ret)->is_string = value->is_string;
	(*ret)->is_negative = value->is_negative;
	(*ret)->number = value->is_string ? 0 : value->number;
	(*ret)->string = value->is_string ? value->string : NULL;
	return NULL;
}

static struct error *filter_chained(const struct scan *scan, const struct filter *first)
{
	struct error *error = scan_error(scan, span_of(scan->pos, scan->pos + 1),
					 "a comparison can't be compared");

	if (scan_peek(scan, 0) == '&')
		return error_hint(scan->arena, error, "and is written &&");
	return error_hint(scan->arena, error, "write %s OP CONSTANT && %s OP CONSTANT",
			  first->field, first->field);
}

static struct error *filter_comparison(struct filter_scan *in, const struct filter **ret)
{
	struct scan *scan = &in->scan, ahead;
	struct operand left, right;
	struct filter *filter = NULL;
	enum filter_op op;
	struct span mark;
	struct error *error = operand_parse(scan, &left);

	if (error)
		return error;
	scan_blanks(scan);
	mark.start = scan->pos;
	if (!filter_operator(scan, &op))
		return filter_no_operator(scan, &left);
	mark.end = scan->pos;
	scan_blanks(scan);
	error = operand_parse(scan, &right);
	if (!error)
		error = filter_check_sides(scan, op, &left, &right);
	if (!error)
		error = filter_check_type(scan, op, mark, left.field ? &right : &left);
	if (!error)
		error = left.field ? filter_fill(in, op, &left, &right, &filter) :
			filter_fill(in, filter_reverse(op), &right, &left, &filter);
	if (error)
		return error;
	scan_blanks(scan);
	ahead = *scan;
	if (filter_operator(&ahead, &op))
		return filter_chained(scan, filter);
	*ret = filter;
	return NULL;
}

static struct error *filter_group(struct filter_scan *in, const struct filter **ret)
{
	struct scan *scan = &in->scan;
	unsigned open = scan->pos++;
	struct error *error = filter_or(in, ret);

	if (error)
		return error;
	scan_blanks(scan);
	if (scan_eat(scan, ")"))
		return NULL;
	return scan_error(scan, span_of(open, open + 1), "the '(' is not closed");
}

static struct error *filter_not(struct filter_scan *in, const struct filter **ret) must_check;

static struct error *filter_unary(struct filter_scan *in, const struct filter **ret)
{
	const struct filter *left = NULL;
	struct filter *filter = NULL;
	unsigned start = in->scan.pos;
	struct error *error;

	if (scan_peek(&in->scan, 0) == '(')
		return filter_group(in, ret);
	in->scan.pos++;
	error = filter_not(in, &left);
	if (!error)
		error = filter_node(in, FILTER_NOT, span_of(start, in->scan.pos), &filter);
	if (error)
		return error;
	filter->left = left;
	*ret = filter;
	return NULL;
}

static struct error *filter_not(struct filter_scan *in, const struct filter **ret)
{
	struct error *error;
	int c;

	scan_blanks(&in->scan);
	c = scan_peek(&in->scan, 0);
	if (c != '(' && c != '!')
		return filter_comparison(in, ret);
	if (++in->depth > FILTER_DEPTH_MAX)
		return scan_limit(&in->scan, span_of(in->scan.pos, in->scan.pos + 1),
				  "more than %u brackets and ! inside each other",
				  FILTER_DEPTH_MAX);
	error = filter_unary(in, ret);
	in->depth--;
	return error;
}

/* A chain of one binary operator, left-associative. */
static struct error *filter_chain(struct filter_scan *in, enum filter_op op,
				  const struct filter **ret)
{
	const char *mark = op == FILTER_AND ? "&&" : "||";
	const struct filter *left = NULL, *right = NULL;
	struct filter *both = NULL;
	struct error *error = op == FILTER_AND ? filter_not(in, &left) :
			      filter_chain(in, FILTER_AND, &left);

	while (!error) {
		scan_blanks(&in->scan);
		if (!scan_eat(&in->scan, mark))
			break;
		error = op == FILTER_AND ? filter_not(in, &right) :
			filter_chain(in, FILTER_AND, &right);
		if (error)
			break;
		error = filter_node(in, op, span_of(left->span.start, right->span.end), &both);
		if (error)
			break;
		both->left = left;
		both->right = right;
		left = both;
	}
	if (!error)
		*ret = left;
	return error;
}

static struct error *filter_or(struct filter_scan *in, const struct filter **ret)
{
	return filter_chain(in, FILTER_OR, ret);
}

static struct error *filter_trailing(struct scan *scan)
{
	struct error *error;
	struct span word;
	int c = scan_peek(scan, 0);
	unsigned start = scan->pos;

	word = scan_identifier(scan);
	if (!span_length(word))
		word.end++;
	scan->pos = start;
	error = scan_error(scan, word, "unexpected %s", span_length(word) > 1 ?
			   arena_printf(scan->arena, "'%s'", scan_copy(scan, word)) :
			   scan_quote(scan));
	if (c == '|' || c == ')')
		return error_hint(scan->arena, error,
				  c == '|' ? "or is written ||" : "there is no '(' for it");
	if (scan_is(scan, word, "and") || scan_is(scan, word, "or"))
		return error_hint(scan->arena, error, "write %s",
				  scan_is(scan, word, "and") ? "&&" : "||");
	return error_hint(scan->arena, error, "comparisons are joined by && or ||");
}

struct error *filter_parse(struct arena *arena, const char *text, const struct filter **ret)
{
	struct filter_scan in = {0};
	struct error *error = scan_init(&in.scan, arena, text);

	if (error)
		return error;
	scan_blanks(&in.scan);
	if (in.scan.pos == in.scan.end)
		return operand_hint(&in.scan,
				   error_new(arena, ERROR_SYNTAX, "the filter is empty"));
	error = filter_or(&in, ret);
	if (error)
		return error;
	scan_blanks(&in.scan);
	return in.scan.pos < in.scan.end ? filter_trailing(&in.scan) : NULL;
}
