// SPDX-License-Identifier: GPL-2.0-only
/* clang loads `of.count[i & 1]` in front of the loop, counts it in a register, and stores it behind the loop: in the loop memory has
 * what it was before. */
#include <stdio.h>

struct table {
	int n;
	short count[2];
	unsigned char last[4];
};

__attribute__((noinline)) static int look(struct table *of)
{
	static volatile int seen;

	return seen += of->n + of->count[0] + of->last[1];
}

__attribute__((weak)) int turn(struct table given, unsigned w, int rounds)
{
	struct table of = given;

	for (int i = 0; i < rounds; i++) {
		int left = i + 2;

		look(&of);
		while (left > 0) {
			of.last[w & 3] = w;
			w >>= 1; /* HERE */
			of.count[i & 1]--;
			left--;
		}
	}
	return look(&of);
}

int main(void)
{
	int even = 10, odd = 20;

	for (int i = 0; i < 3; i++)
		for (int left = i + 2; left > 0; left--) {
			printf("even=%d odd=%d\n", even, odd);
			*(i & 1 ? &odd : &even) -= 1;
		}
	return !turn((struct table){1, {10, 20}}, 77, 3);
}
