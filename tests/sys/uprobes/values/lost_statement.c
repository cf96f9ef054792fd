// SPDX-License-Identifier: GPL-2.0-only
/* A swap behind a loop that is left out, as only what it computes is: clang loses the swap with the
 * block that it was alone in, and a register that the variable left has it for good. */
#include <stdio.h>

static long seen;

__attribute__((noinline)) static void see(long n)
{
	seen += n;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static long swap(long base, int next)
{
	unsigned long rest = next;
	int turn = (short)rest;
	int last = 1;
	int rounds = (next >> 3) & 7;

	while (rounds) {
		rest -= turn;
		turn ^= rounds;
		rounds--;
	}
	long kept = last;
	last = next;
	next = kept;
	for (int i = 0; i < 3; i++)
		see(next); /* HERE */
	int left = base & 7;
	while (left-- > 0) { /* THERE */
		base -= last;
		last += left;
	}
	return next + last + base;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 3; j++)
			printf("next=1 last=%d\n", argc * i + 2);
		see(swap(argc * 8, argc * i + 2));
	}
	return seen == 12345;
}
