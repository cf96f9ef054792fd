/* SPDX-License-Identifier: GPL-2.0-only */
/* A statement whose result is needed on one way behind the next line's branch: clang loads it there
 * alone. */
#include <stdio.h>

struct stack {
	int *base;
	int *top;
};

__attribute__((noinline)) int at(struct stack *stack, int n)
{
	int *base;

	base = stack->base; /* HERE */
	if (n < 0)
		return 0;
	return base[n];
}

int main(void)
{
	int list[] = {1, 2, 3, 4};
	struct stack stack = {list, list};
	int sum = 0;

	for (int i = -5; i < 3; i++)
		sum += at(&stack, i);
	printf("%d\n", sum);
	return 0;
}
