// SPDX-License-Identifier: GPL-2.0-only
/* Prints a filter's tree as canonical text, with no more brackets than the tree needs. */
#include "spec/spec.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"

static void print_filter(struct strbuf *buf, const struct filter *filter);

static const char *filter_op_text(enum filter_op op)
{
	switch (op) {
	case FILTER_AND:
		return "&&";
	case FILTER_OR:
		return "||";
	case FILTER_NOT:
		return "!";
	case FILTER_EQ:
		return "==";
	case FILTER_NE:
		return "!=";
	case FILTER_LT:
		return "<";
	case FILTER_LE:
		return "<=";
	case FILTER_GT:
		return ">";
	case FILTER_GE:
		return ">=";
	case FILTER_BITS:
		return "&";
	case FILTER_MATCH:
		return "~";
	}
	return "?";
}

/* Larger binds tighter. */
static unsigned filter_binding(enum filter_op op)
{
	return op == FILTER_OR ? 1 : op == FILTER_AND ? 2 : op == FILTER_NOT ? 4 : 3;
}

static void print_side(struct strbuf *buf, const struct filter *side, unsigned least)
{
	bool brackets = filter_binding(side->op) < least;

	if (brackets)
		strbuf_putc(buf, '(');
	print_filter(buf, side);
	if (brackets)
		strbuf_putc(buf, ')');
}

/* Printed as it is: the kernel takes it so, and knows no escapes. */
static void put_string(struct strbuf *buf, const char *string)
{
	char quote = strchr(string, '"') ? '\'' : '"';

	strbuf_putc(buf, quote);
	strbuf_puts(buf, string);
	strbuf_putc(buf, quote);
}

static void print_constant(struct strbuf *buf, const struct filter *filter)
{
	if (filter->constant)
		strbuf_puts(buf, filter->constant);
	else if (filter->decimal)
		strbuf_puts(buf, filter->decimal);
	else if (filter->is_string)
		put_string(buf, filter->string);
	else if (filter->is_negative)
		strbuf_printf(buf, "-%" PRIu64, -filter->number);
	else if (filter->op == FILTER_BITS)
		strbuf_printf(buf, "0x%" PRIx64, filter->number);
	else
		strbuf_printf(buf, "%" PRIu64, filter->number);
}

static void print_filter(struct strbuf *buf, const struct filter *filter)
{
	unsigned binding = filter_binding(filter->op);

	if (filter->op == FILTER_NOT) {
		strbuf_putc(buf, '!');
		print_side(buf, filter->left, 4);
	} else if (filter->op == FILTER_AND || filter->op == FILTER_OR) {
		print_side(buf, filter->left, binding);
		strbuf_join(buf, " ", filter_op_text(filter->op), " ", NULL);
		print_side(buf, filter->right, binding + 1);
	} else {
		strbuf_join(buf, filter->field, " ", filter_op_text(filter->op), " ", NULL);
		print_constant(buf, filter);
	}
}

char *filter_print(struct arena *arena, const struct filter *filter)
{
	struct strbuf buf;
	char *text;

	strbuf_init(&buf);
	print_filter(&buf, filter);
	text = arena_strndup(arena, buf.data, buf.length);
	strbuf_deinit(&buf);
	return text;
}
