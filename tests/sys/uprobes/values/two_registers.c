/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc doesn't follow a number that takes two registers, and names those it has in most of the code. */
#include <stdio.h>

static volatile long sink;

__attribute__((noinline)) static void use(long value)
{
	sink += value;
}

__attribute__((noinline)) static __int128 add(__int128 a, __int128 b)
{
	__int128 sum = a + b;

	use(sum);
	sum -= 5;
	return sum; /* THERE */
}

int main(void)
{
	for (int i = 1; i < 6; i++) {
		printf("a=%d b=%d\n", i * 3, i);
		sink += add(i * 3, i);
	}
	return 0;
}
