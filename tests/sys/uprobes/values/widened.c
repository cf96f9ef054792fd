// SPDX-License-Identifier: GPL-2.0-only
/* clang widens n for `use(len)` at the function's beginning, and gives that instruction the call's line: there `seen` is what it was
 * before the function. */
#include <stdio.h>

static int list[2] = {3, 7};
static int limit = 5;
static unsigned seen;

__attribute__((noinline)) static void note(int n)
{
	static volatile int noted;

	noted += n;
}

__attribute__((noinline)) static unsigned turned(unsigned n)
{
	static volatile int zero;

	return n * 3 + 1 + zero;
}

__attribute__((noinline)) static int use(long n)
{
	static volatile long total;

	return (total += n) & 1;
}

__attribute__((weak)) int turn(int n)
{
	int len = n - list[n & 1];

	if (n > list[0])
		n = list[0];
	if (list[len & 1] >= limit)
		note(len);
	for (int i = 0; i < (len & 3); i++)
		seen = turned(seen);
	use(len); /* HERE */
	return n % 3;
}

int main(void)
{
	for (int n = 0; n < 4; n++) {
		turn(n);
		printf("seen=%u\n", seen);
	}
	return 0;
}
