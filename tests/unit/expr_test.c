// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: an expression made by expr/'s builders, which simplify, has the value of the plain
 * tree it was made of, worked out by an interpreter of this file that shares no code with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr/expr.h"

#define CASES   200000
#define FETCHES 4

struct plain {
	enum expr_op op;
	unsigned bits;
	bool is_signed;
	uint64_t value;
	struct plain *a;
	struct plain *b;
	struct plain *c; /* EXPR_IF: a ? b : c */
};

static uint64_t random_state = 88172645463325252u;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Small numbers, masks and the ends of the range are where the rewrites are. */
static uint64_t interesting(void)
{
	switch (random_number() % 6) {
	case 0: return random_number() % 70;
	case 1: return ((uint64_t)1 << (random_number() % 64)) - 1;
	case 2: return -(random_number() % 70);
	case 3: return (uint64_t)1 << (random_number() % 64);
	default: return random_number();
	}
}

static struct plain *grow(struct arena *arena, unsigned depth)
{
	static const enum expr_op binary[] = {
		EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_DIVU, EXPR_MOD, EXPR_AND, EXPR_OR,
		EXPR_XOR, EXPR_SHL, EXPR_SHR, EXPR_SHRA, EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE,
		EXPR_IF,
	};
	struct plain *node = arena_new(arena, struct plain);
	unsigned kind = depth ? random_number() % 10 : random_number() % 2;

	if (kind < 2) {
		node->op = kind ? EXPR_CONST : EXPR_FETCH;
		node->value = kind ? interesting() : random_number() % FETCHES;
	} else if (kind == 2) {
		node->op = EXPR_NEG + random_number() % 3;
		node->a = grow(arena, depth - 1);
	} else if (kind == 4 && depth > 1 && random_number() % 2) { /* x << n >> n */
		node->op = EXPR_SHR + random_number() % 2;
		node->b = grow(arena, 0);
		node->a = arena_new(arena, struct plain);
		node->a->op = EXPR_SHL;
		node->a->a = grow(arena, depth - 2);
		node->a->b = random_number() % 8 ? node->b : grow(arena, 0);
	} else if (kind < 5) {
		node->op = EXPR_EXTEND;
		node->bits = 1 + (unsigned)(random_number() % 64);
		node->is_signed = random_number() & 1;
		node->a = grow(arena, depth - 1);
	} else {
		node->op = binary[random_number() % (sizeof(binary) / sizeof(*binary))];
		node->a = grow(arena, depth - 1);
		node->b = grow(arena, depth - 1);
		node->c = node->op == EXPR_IF ? grow(arena, depth - 1) : NULL;
	}
	return node;
}

static const struct expr *build(struct arena *arena, const struct plain *node)
{
	switch (node->op) {
	case EXPR_CONST: return expr_const(arena, node->value);
	case EXPR_FETCH: return expr_leaf(arena, EXPR_FETCH, node->value);
	case EXPR_EXTEND:
		return expr_extend(arena, build(arena, node->a), node->bits, node->is_signed);
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_ABS: return expr_unary(arena, node->op, build(arena, node->a));
	case EXPR_IF:
		return expr_if(arena, build(arena, node->a), build(arena, node->b),
			       build(arena, node->c));
	default:
		return expr_binary(arena, node->op, build(arena, node->a), build(arena, node->b));
	}
}

/* 128-bit and signed arithmetic where expr.c works on 64 unsigned bits. */
static bool interpret(const struct plain *node, const uint64_t *fetches, uint64_t *ret)
{
	uint64_t a = 0, b = 0;
	__int128 sa, sb;

	if (node->a && !interpret(node->a, fetches, &a))
		return false;
	if (node->op == EXPR_IF)
		return interpret(a ? node->b : node->c, fetches, ret);
	if (node->b && !interpret(node->b, fetches, &b))
		return false;
	sa = (int64_t)a;
	sb = (int64_t)b;
	switch (node->op) {
	case EXPR_CONST: *ret = node->value; break;
	case EXPR_FETCH: *ret = fetches[node->value]; break;
	case EXPR_NEG: *ret = (uint64_t)-sa; break;
	case EXPR_NOT: *ret = (uint64_t)(-sa - 1); break;
	case EXPR_ABS: *ret = (uint64_t)(sa < 0 ? -sa : sa); break;
	case EXPR_EXTEND: {
		__int128 range = (__int128)1 << node->bits, low = (__int128)a % range;

		*ret = (uint64_t)(node->is_signed && low >= range / 2 ? low - range : low);
		break;
	}
	case EXPR_ADD: *ret = (uint64_t)(sa + sb); break;
	case EXPR_SUB: *ret = (uint64_t)(sa - sb); break;
	case EXPR_MUL: *ret = (uint64_t)((unsigned __int128)a * b); break;
	case EXPR_DIV:
		if (!b)
			return false;
		*ret = (uint64_t)(sa / sb);
		break;
	case EXPR_DIVU:
		if (!b)
			return false;
		*ret = (uint64_t)((unsigned __int128)a / b);
		break;
	case EXPR_MOD:
		if (!b)
			return false;
		*ret = (uint64_t)((unsigned __int128)a % b);
		break;
	case EXPR_AND: *ret = a & b; break;
	case EXPR_OR: *ret = a | b; break;
	case EXPR_XOR: *ret = a ^ b; break;
	case EXPR_SHL: *ret = b > 63 ? 0 : (uint64_t)((unsigned __int128)a << b); break;
	case EXPR_SHR: *ret = b > 63 ? 0 : a >> b; break;
	case EXPR_SHRA: *ret = (uint64_t)(sa >> (b > 63 ? 64 : b)); break;
	case EXPR_EQ: *ret = sa == sb; break;
	case EXPR_NE: *ret = sa != sb; break;
	case EXPR_LT: *ret = sa < sb; break;
	case EXPR_LE: *ret = sa <= sb; break;
	case EXPR_GT: *ret = sa > sb; break;
	case EXPR_GE: *ret = sa >= sb; break;
	default: return false;
	}
	return true;
}

static const char *leaf_text(void *cookie, struct arena *arena, const struct expr *leaf)
{
	(void)cookie;
	return arena_printf(arena, "f%u", (unsigned)leaf->value);
}

static const struct expr *read_leaf(void *cookie, struct arena *arena, const char **at)
{
	(void)cookie;
	if ((*at)[0] != 'f' || (*at)[1] < '0' || (*at)[1] >= '0' + FETCHES)
		return NULL;
	*at += 2;
	return expr_leaf(arena, EXPR_FETCH, (uint64_t)((*at)[-1] - '0'));
}

/* Whether it is equal to what its text is read as, which has the same text. */
static bool survives_text(struct arena *arena, const struct expr *expr, const uint64_t *fetches)
{
	const char *text = expr_print(arena, expr, leaf_text, NULL);
	const struct expr *again = expr_read(arena, text, read_leaf, NULL);
	uint64_t a = 0, b = 0;

	if (!again || strcmp(expr_print(arena, again, leaf_text, NULL), text) != 0) {
		printf("not ok '%s' is read as '%s'\n", text, again ? expr_print(arena, again, leaf_text, NULL) : "nothing");
		return false;
	}
	return expr_eval(expr, fetches, &a) == expr_eval(again, fetches, &b) && a == b;
}

int main(void)
{
	unsigned failed = 0, valued = 0;

	for (unsigned i = 0; i < CASES && failed < 10; i++) {
		uint64_t fetches[FETCHES], wanted = 0, got = 0;
		struct plain *plain;
		struct arena arena;
		bool has, does;

		arena_init(&arena);
		plain = grow(&arena, 1 + i % 6);
		for (unsigned j = 0; j < FETCHES; j++)
			fetches[j] = interesting();
		has = interpret(plain, fetches, &wanted);
		does = expr_eval(build(&arena, plain), fetches, &got);
		if (has != does || (has && got != wanted)) {
			printf("not ok case %u: %#" PRIx64 " (%d) is wanted, %#" PRIx64 " (%d) is had\n",
			       i, wanted, has, got, does);
			failed++;
		}
		failed += !survives_text(&arena, build(&arena, plain), fetches);
		valued += has;
		arena_deinit(&arena);
	}
	if (valued < CASES / 2) {
		printf("not ok only %u cases had a value\n", valued);
		failed++;
	}
	printf("%s %u expressions\n", failed ? "not ok" : "ok", valued);
	printf("%u passed, %u failed\n", failed ? 0 : 1, failed);
	return failed != 0;
}
