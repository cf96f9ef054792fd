// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an expression that expr_print() wrote. The text may come from anywhere: depth and number of
 * nodes are bounded. What is read is simplified again, as by any other use of the builders.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"

#define DEPTH_MAX 200

struct reading {
	struct arena *arena;
	const char *at;
	expr_read_leaf_fn *leaf;
	void *cookie;
	unsigned depth;
	unsigned count;
};

/* All of these return NULL for text that is no expression. */
static const struct expr *read_any(struct reading *in);

static bool take(struct reading *in, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(in->at, text, length) != 0)
		return false;
	in->at += length;
	return true;
}

static const struct expr *read_number(struct reading *in)
{
	bool is_negative = take(in, "-");
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)*in->at))
		return NULL;
	errno = 0;
	number = strtoull(in->at, &end, 0);
	in->at = end;
	return errno ? NULL : expr_const(in->arena, is_negative ? 0 - number : number);
}

/* "u32" or "s8", and what stands behind it. Moves on only if all of it is there. */
static bool take_width(struct reading *in, const char *behind, bool *is_signed, unsigned *bits)
{
	size_t digits = strspn(in->at + !!*in->at, "0123456789");

	if ((*in->at != 's' && *in->at != 'u') || !digits || digits > 2 ||
	    strncmp(in->at + 1 + digits, behind, strlen(behind)) != 0)
		return false;
	*is_signed = *in->at == 's';
	*bits = (unsigned)strtoul(in->at + 1, NULL, 10);
	in->at += 1 + digits + strlen(behind);
	return true;
}

static const struct expr *read_one(struct reading *in);

/* Behind "*(". */
static const struct expr *read_load(struct reading *in)
{
	bool is_signed, is_user = false;
	const struct expr *address;
	unsigned bits;

	if (!take_width(in, " *)", &is_signed, &bits)) {
		is_user = true;
		if (!take_width(in, " __user *)", &is_signed, &bits))
			return NULL;
	}
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return NULL;
	address = read_one(in);
	return address ? expr_load(in->arena, address, bits / 8, is_signed, is_user) : NULL;
}

static const struct expr *read_call(struct reading *in, enum expr_op op)
{
	const struct expr *a = read_any(in);

	return a && take(in, ")") ? expr_unary(in->arena, op, a) : NULL;
}

static const struct expr *read_unary(struct reading *in, enum expr_op op)
{
	const struct expr *a = read_one(in);

	return a ? expr_unary(in->arena, op, a) : NULL;
}

/* Behind "(": a cast, or any expression. */
static const struct expr *read_parenthesis(struct reading *in)
{
	const struct expr *a;
	bool is_signed;
	unsigned bits;

	if (!take_width(in, ")", &is_signed, &bits)) {
		a = read_any(in);
		return a && take(in, ")") ? a : NULL;
	}
	a = bits >= 1 && bits < 64 ? read_one(in) : NULL;
	return a ? expr_extend(in->arena, a, bits, is_signed) : NULL;
}

static const struct expr *read_operand(struct reading *in)
{
	if (isdigit((unsigned char)*in->at) ||
	    (*in->at == '-' && isdigit((unsigned char)in->at[1])))
		return read_number(in);
	if (take(in, "*("))
		return read_load(in);
	if (take(in, "entry("))
		return read_call(in, EXPR_ENTRY);
	if (take(in, "abs("))
		return read_call(in, EXPR_ABS);
	if (take(in, "-"))
		return read_unary(in, EXPR_NEG);
	if (take(in, "~"))
		return read_unary(in, EXPR_NOT);
	if (take(in, "("))
		return read_parenthesis(in);
	if (take(in, EXPR_NO_VALUE))
		return expr_no_value(in->arena);
	return in->leaf(in->cookie, in->arena, &in->at);
}

static const struct expr *read_one(struct reading *in)
{
	const struct expr *ret;

	if (in->depth == DEPTH_MAX || ++in->count > EXPR_NODES_MAX)
		return NULL;
	in->depth++;
	ret = read_operand(in);
	in->depth--;
	return ret;
}

/* " + ", with the blanks. */
static bool take_operator(struct reading *in, enum expr_op *ret)
{
	size_t length = *in->at == ' ' ? strcspn(in->at + 1, " ") : 0;

	for (enum expr_op op = EXPR_ADD; length && op <= EXPR_GE; op++) {
		const char *text = expr_operator(op);

		if (strlen(text) != length || strncmp(in->at + 1, text, length) != 0 ||
		    in->at[1 + length] != ' ')
			continue;
		in->at += length + 2;
		*ret = op;
		return true;
	}
	return false;
}

static const struct expr *read_any(struct reading *in)
{
	const struct expr *a = read_one(in), *b, *c;
	enum expr_op op;

	if (a && take(in, " ? ")) {
		b = read_one(in);
		c = b && take(in, " : ") ? read_one(in) : NULL;
		return c ? expr_if(in->arena, a, b, c) : NULL;
	}
	if (!a || !take_operator(in, &op))
		return a;
	b = read_one(in);
	return b ? expr_binary(in->arena, op, a, b) : NULL;
}

const struct expr *expr_read(struct arena *arena, const char *text, expr_read_leaf_fn *leaf,
			     void *cookie)
{
	struct reading in = {.arena = arena, .at = text, .leaf = leaf, .cookie = cookie};
	const struct expr *ret = read_any(&in);

	return ret && !*in.at ? ret : NULL;
}
