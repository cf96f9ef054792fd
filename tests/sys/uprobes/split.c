/* SPDX-License-Identifier: GPL-2.0-only */
/* A function whose unlikely part lies elsewhere, under two names. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

struct node *list[4];

__attribute__((cold, noinline)) void bad(int n)
{
	if (n > 100)
		abort();
}

__attribute__((noinline)) int work(int n, struct node *p)
{
	if (__builtin_expect(n > 50, 0)) {
		bad(n);
		bad(n + 1);
		return -n;
	}
	return n + p->value; /* AT */
}

int other(int n, struct node *p) __attribute__((alias("work")));

int main(int argc, char **argv)
{
	struct node first = {argc, NULL};

	(void)argv;
	list[0] = &first;
	printf("%d\n", work(argc, &first) + other(argc + 1, list[0]));
	return 0;
}
