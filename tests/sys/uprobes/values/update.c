// SPDX-License-Identifier: GPL-2.0-only
/* clang makes one instruction of two statements, and has what both begin at the first one. */
#include <stdio.h>

enum { COUNT = 8 };

static short price_of[512];

static inline int price(const int *table, int n)
{
	int bit = n & 1;
	n |= 8; n >>= 1; /* HERE */
	int sum = price_of[(bit ? 2048 - table[n] : table[n]) >> 2];

	bit = n & 1; n >>= 1; sum += price_of[(bit ? 2048 - table[n] : table[n]) >> 2];
	return sum + price_of[(n & 1 ? 2048 - table[1] : table[1]) >> 2];
}

__attribute__((weak)) void set_prices(int *prices, const int *table, int count)
{
	int first = price_of[table[0] >> 2];

	for (int i = 0; i < count; i++)
		prices[i] = first + price(table, i);
}

int main(int argc, char **argv)
{
	int table[16], prices[COUNT];

	for (int i = 0; i < 16; i++)
		table[i] = 100 * i + argc;
	for (int i = 0; i < 512; i++)
		price_of[i] = (short)(i * 7 % 61);
	for (int i = 0; i < COUNT; i++)
		printf("n=%d\n", i);
	set_prices(prices, table, COUNT);
	return prices[3] == argc;
}
