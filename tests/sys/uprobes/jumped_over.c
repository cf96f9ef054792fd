/* SPDX-License-Identifier: GPL-2.0-only */
/* A test that is known on a way, so that gcc goes on behind it; and the same code of a goto. */
#include <stdio.h>

static volatile int sink, total;

static __attribute__((noinline)) int set(int n)
{
	sink = n;
	return n & 1;
}

static __attribute__((noinline)) void known(int n, const int *shown)
{
	int skip = 0;
	int ret = set(n);

	if (!n)
		skip = 1;
	if (!skip && *shown && !ret) /* HERE */
		sink = 1;
	total += ret;
}

static __attribute__((noinline)) void told(int n, const int *shown)
{
	int ret = set(n);

	if (!n)
		goto out;
	if (*shown && !ret) /* GOTO */
		sink = 1;
out:
	total += ret;
}

int main(void)
{
	static const int shown = 1;

	for (int i = 0; i < 12; i++) {
		known(i % 3, &shown);
		told(i % 3, &shown);
	}
	printf("%d\n", total);
	return 0;
}
