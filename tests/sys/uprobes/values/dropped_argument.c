// SPDX-License-Identifier: GPL-2.0-only
/* gcc drops an argument that nothing needs, and says of it what a statement further down makes of
 * it. */
#include <stdio.h>

static long seen;

__attribute__((noinline)) static void see(long n)
{
	seen += n;
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static long forget(unsigned n)
{
	long rest = n & 7; /* HERE */

	rest = 1 >> 2;
	n = (unsigned)rest;
	see(n);
	return rest + n;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 6; i++) {
		printf("n=%d\n", argc * i + 2);
		see(forget((unsigned)(argc * i + 2)));
	}
	return seen == 12345;
}
