// SPDX-License-Identifier: GPL-2.0-only
/* What becomes of n behind get() is kept in a register, and nothing reads its memory any more. */
#include <stdio.h>

static volatile int seen;

__attribute__((noinline)) static int get(int i, int *n)
{
	*n += i * 10;
	__asm__ volatile("" : : : "memory");
	return i & 1;
}

__attribute__((noinline)) static int told(int i)
{
	int n = i * 7;

	seen = i; /* THERE */
	if (get(i, &n))
		n += 3;
	seen = n; /* HERE */
	return n;
}

int main(void)
{
	for (int i = 1; i < 9; i++)
		printf("n=%d first=%d\n", told(i), i * 7);
	return 0;
}
