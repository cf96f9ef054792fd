// SPDX-License-Identifier: GPL-2.0-only
/* clang -Os leaves a loop out, and says of its counter for good what the first round makes of it. */
#include <stdio.h>

static int table[16];
static long seen;

__attribute__((noinline)) static void see(long n)
{
	seen += n;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) unsigned count(short n)
{
	unsigned char low = table[n & 15];
	long rest = (16 + n) & ((low + n) - low);
	int left = 7;

	while (left-- > 0) {
		low++;
		rest ^= left;
	}
	see(rest); /* HERE */
	return low;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 16; i++)
		table[i] = argc * i;
	for (int i = 0; i < 4; i++) {
		printf("left=-1\n");
		see(count((short)(argc * i)));
	}
	return seen == table[7];
}
