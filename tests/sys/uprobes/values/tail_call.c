// SPDX-License-Identifier: GPL-2.0-only
/*
 * gcc makes loops of the calls of themselves that `walk` and `gcd` end with. `depth` is said to be
 * what the first call was given, or is in its register, where the next call's is there already; `b`
 * is said to be in a register that the caller keeps.
 */
#include <stdio.h>

struct node {
	int kind, value;
	struct node *next;
};

int sums[4], counts[64];

__attribute__((noipa)) int probe(int kind, int depth)
{
	return kind + (depth > 1000);
}

__attribute__((noipa)) int walk(struct node *n, int depth)
{
	if (!n)
		return depth;
	int got = probe(n->kind, depth);
	if (got > 2) {
		sums[0] = got;
		return walk(n->next, depth + 2);
	}
	sums[2] += n->value * got;
	sums[3] ^= sums[2]; /* HERE */
	return walk(n->next, depth - 1);
}

static int gcd(int a, int b, int rounds)
{
	if (b == 0)
		return a + rounds;
	int rest = a % b;
	sums[1] += rest;
	counts[rest & 63]++; /* THERE */
	return gcd(b, rest, rounds + 1);
}

__attribute__((noipa)) int gcd_of(int a, int b)
{
	return gcd(a, b, 0) + gcd(b, a, 5);
}

/* Say what `depth` and `b` are at the lines. */
static void expect_depth(const struct node *nodes, int count, int depth)
{
	for (int i = 0; i < count; i++) {
		if (nodes[i].kind <= 2)
			printf("depth=%d\n", depth);
		depth += nodes[i].kind > 2 ? 2 : -1;
	}
}

static void expect_b(int a, int b)
{
	while (b) {
		int rest = a % b;

		printf("b=%d\n", b);
		a = b;
		b = rest;
	}
}

int main(void)
{
	static struct node nodes[12];

	for (int i = 0; i < 12; i++)
		nodes[i] = (struct node){i % 4, i, i < 11 ? &nodes[i + 1] : NULL};
#ifdef GCD
	expect_b(1071, 462);
	expect_b(462, 1071);
	gcd_of(1071, 462);
#else
	expect_depth(nodes, 12, 5);
	walk(nodes, 5);
#endif
	return 0;
}
