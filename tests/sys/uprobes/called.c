/* SPDX-License-Identifier: GPL-2.0-only */
/* A statement that begins with an inlined call, whose result clang knows where the copy ends: the statement has no other
 * code of its own but what runs if it is wrong. Prints how often it is executed. */
#include <stdio.h>
#include <stdlib.h>

int list[] = {7, 15, 3, 23, 7};
static volatile int count = 5;
static int called, sum;

__attribute__((noinline, noreturn)) static void fail(int status)
{
	fprintf(stderr, "%d\n", status);
	exit(status);
}

static inline int has_only(const int *from, int n, int flags)
{
	for (int i = 0; i < n; i++)
		if ((from[i] & flags) != flags)
			return 0;
	return 1;
}

__attribute__((noinline)) static void add(const int *from, int n, int flags)
{
	called++;
	if (!has_only(from, n, flags)) fail(n); /* AT CALLED */
	for (int i = 0; i < n; i++)
		sum += from[i];
}

int main(void)
{
	for (int i = 0; i < count; i++)
		add(list + i % 2, i, 3 - i % 2);
	fprintf(stderr, "%d\n", sum);
	printf("CALLED %d\n", called);
	return 0;
}
