// SPDX-License-Identifier: GPL-2.0-only
/* gcc and clang drop an argument that nothing needs, and say of it what a statement further down makes
 * of it: a constant, or where the other argument is. */
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

__attribute__((noinline)) static long replace(unsigned mask, unsigned other, unsigned n)
{
	long first = other; /* THERE */
	unsigned long rest = mask >> 2;

	n = other;
	first = first + n + seen - first;
	other += first | ((rest - mask) ^ mask);
	for (int left = 4; left; left--)
		see(mask - 7);
	see(other != n);
	see(rest + other);
	return n + other;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 6; i++) {
		printf("n=%d\n", argc * i + 2);
		see(forget((unsigned)(argc * i + 2)));
		see(replace(argc + 7u, argc + 24u, (unsigned)(argc * i + 2)));
	}
	return seen == 12345;
}
