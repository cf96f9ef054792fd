// SPDX-License-Identifier: GPL-2.0-only
/* Statics and globals: memory is what debug information has of them, though gcc stores to it before the statement's mark,
 * and behind a loop that has it in a register. */
#include <stdio.h>

static volatile int sink;
long total;
int last = 5;

__attribute__((noinline)) static void add(const int *list, int n)
{
	for (int i = 0; i < n; i++) {
		total += list[i];
		sink = 7; /* HERE */
	}
}

__attribute__((noinline)) static int take(int blocks)
{
	static int left = 40;

	if (blocks > left)
		left = 100;
	sink = blocks;
	last = left * 3;
	left -= blocks; /* THERE */
	return left;
}

int main(int argc, char **argv)
{
	const int list[] = {2, 3, 5, 7, 11, 13};
	int left = 40;

	(void)argv;
	add(list, 5 + argc);
	for (int i = 0, sum = 0; i < 6; i++) {
		int before = 17 > left ? 100 : left;

		sum += list[i];
		left = take(16 + argc);
		printf("total=%d left=%d last=%d\n", sum, before, before * 3);
	}
	return 0;
}
