// SPDX-License-Identifier: GPL-2.0-only
/* gcc keeps `&all` in a register for a whole loop, and stores to `all` through it behind the next line's beginning. */
#include <stdio.h>

struct hold {
	int n;
	short a[2];
	unsigned char c[4];
};

struct hold all;
int other = 12345;
static long total;

__attribute__((noipa)) static struct hold turn(struct hold hold)
{
	hold.n = hold.n * 3 + 1;
	hold.a[0]++;
	hold.a[1] = (short)(hold.n % 50);
	hold.c[0] ^= 7;
	return hold;
}

__attribute__((noipa)) static void use(int number)
{
	total += number;
}

__attribute__((noipa)) static void work(int last)
{
	for (int i = 0; i < last; i++) {
		use(i);
		all = turn(all);
		int rest = other % 10 + i; /* HERE */
		total += i;
		use(1);
		total ^= rest;
		use(rest);
		if (all.c[0] & 1)
			all = turn(all);
		use(all.a[1]);
	}
}

int main(void)
{
	struct hold hold = all;

	for (int i = 0; i < 9; i++) {
		hold = turn(hold);
		printf("n=%d\n", hold.n);
		if (hold.c[0] & 1)
			hold = turn(hold);
	}
	work(9);
	return total == 12345;
}
