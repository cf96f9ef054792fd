/* SPDX-License-Identifier: GPL-2.0-only */
/* A function whose inlined copy begins at an instruction with a lock prefix, and itself doesn't; and one that adds to a
 * static, so that no call of it can go. */
#include <stdio.h>

static int total;
static int last;

int next(int *to) { /* NEXT */
	__atomic_add_fetch(&total, 1, __ATOMIC_SEQ_CST);
	return *to += total;
}

static int (*volatile out_of_line)(int *to) = next;

int kept(int n)
{
	last += n;
	return n + 1; /* KEPT */
}

static __attribute__((noinline)) int doubled(int *to)
{
	return next(to) * 2 + kept(total);
}

int main(void)
{
	int sum = 0, n = 0;

	for (int i = 0; i < 5; i++)
		sum += doubled(&n) + out_of_line(&n) + kept(i);
	printf("%d %d\n", last, sum);
	return 0;
}
