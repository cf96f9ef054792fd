// SPDX-License-Identifier: GPL-2.0-only
/* gcc splits the function, and gives the part behind its head `n` as the head was given it. */
#include <stdio.h>

int low[64], high[64];

__attribute__((weak)) void say(int n)
{
	low[63] = n;
}

static void put(int *table, int n, int more)
{
	n -= 2;
	if (__builtin_expect(n < 8, 1))
		return;
	n -= 8; /* HERE */
	for (int i = 0; i < n; i++) {
		table[i & 63] ^= n + more * i;
		if (table[i & 63] > 1000)
			table[i & 63] /= more + 3;
		if (table[i & 63] < -1000)
			table[i & 63] *= more + 3;
	}
	say(n);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 6; i++) {
		if (5 * i + argc >= 10)
			printf("n=%d\n", 5 * i + argc - 2);
		put(low, 5 * i + argc, i);
		if (3 * i + argc >= 10)
			printf("n=%d\n", 3 * i + argc - 2);
		put(high, 3 * i + argc, i + 1);
	}
	return 0;
}
