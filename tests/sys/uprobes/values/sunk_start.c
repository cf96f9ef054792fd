// SPDX-License-Identifier: GPL-2.0-only
/* gcc moves what a round begins with, `pos = 0`, behind the calls of the round, where `size` is set already; no
 * marker of that line is left. */
#include <stdio.h>

enum { SYMBOLS = 5 };
static int sizes[12], marks[SYMBOLS + 1], symbols = SYMBOLS, trace, total;

__attribute__((noipa)) static void split(int *state, int size, int *left)
{
	for (int i = 1; i <= SYMBOLS; i++)
		left[i] = state[i] = i % (size + 1);
}

__attribute__((noipa)) static int follow(int size, int symbol)
{
	return size + symbol;
}

__attribute__((noipa)) static void put(int pos, int sum, int size)
{
	total += pos + sum + size;
}

__attribute__((noipa)) static void explore(int last)
{
	int state[SYMBOLS + 1], left[SYMBOLS + 1];
	int head = 0, size = 0, sum, pos, symbol, i;

	while (head < last) {
		pos = 0; /* HERE */
		sum = 0;

		for (i = 1; i <= symbols; ++i)
			state[i] = 0;

		size = sizes[++head];

		if (trace)
			printf("size %d:\\n", size);

		split(state, size, left);

		for (symbol = 1; symbol <= symbols; ++symbol) {
			if (left[symbol]) {
				int to = follow(size, symbol);

				state[symbol] = to;
				sum += to;
				marks[++pos] = to;
			} else if (state[symbol] == 3) {
				sum -= 7;
			}
		}
		put(pos, sum, size);
	}
}

int main(void)
{
	int before = 0;

	for (int i = 1; i < 12; i++)
		sizes[i] = 3 * i % 7 + 2;
	for (int i = 1; i < 12; i++) {
		printf("size=%d\n", before);
		before = sizes[i];
	}
	explore(11);
	return 0;
}
