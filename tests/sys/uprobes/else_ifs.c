/* SPDX-License-Identifier: GPL-2.0-only */
/* A test that is known where the first one of its chain failed early; and the same chain, of which each test is done. */
#include <stdio.h>

struct node {
	int bound;
	int op;
};

static volatile int kinds[4];

static __attribute__((noinline)) int even(const struct node *node)
{
	kinds[3]++;
	return node->op % 2 == 0;
}

static __attribute__((noinline)) void sort(const struct node *node)
{
	if (!node->bound && node->op == 3) {
		kinds[0]++;
	} else if (!node->bound && node->op == 2 && even(node)) { /* HERE */
		kinds[1]++;
	} else if (!node->bound) { /* THERE */
		kinds[2]++;
		kinds[3] += even(node);
	} else {
		kinds[2]++;
		kinds[3] += node->op;
	}
}

static __attribute__((noinline)) void tested(const struct node *node)
{
	if (node->op == 3) {
		kinds[0]++;
	} else if (!node->bound) { /* EACH */
		kinds[1]++;
	} else {
		kinds[2]++;
		kinds[3] += node->op;
	}
}

int main(void)
{
	for (int i = 0; i < 12; i++) {
		struct node node = {i % 3, i % 4};

		sort(&node);
		tested(&node);
	}
	printf("%d %d %d %d\n", kinds[0], kinds[1], kinds[2], kinds[3]);
	return 0;
}
