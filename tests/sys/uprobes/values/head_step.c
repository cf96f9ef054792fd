// SPDX-License-Identifier: GPL-2.0-only
/* gcc -Os counts a loop's rounds down at its head, by a number from which it computes the pointer
 * that the source counts by: in the loop that is a step too far. */
#include <stdio.h>

static int table[16];
static long seen;

__attribute__((noinline)) static void see(long n)
{
	seen += n;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) long count(int n)
{
	for (int *at = table; at < table + 6; at++) {
		see(n); /* HERE */
		n += (int)seen;
	}
	return n;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 16; i++)
		table[i] = argc * i;
	for (int i = 0; i < 6; i++)
		printf("at=%lu\n", (unsigned long)&table[i]);
	count(argc);
	return seen == table[7];
}
