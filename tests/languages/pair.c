// SPDX-License-Identifier: GPL-2.0-only
/* Its debug information is rewritten as Go's compiler has it: an expression in DWARF 4 as a block, a
 * struct with a part behind its end, and results among the parameters. */
#include <stdio.h>

struct two {
	long first, second;
};

__attribute__((noinline)) long sum(struct two t, long n)
{
	long local = n * 2;

	__asm__ volatile("" : "+m"(local));
	return t.first + t.second + local;
}

__attribute__((noinline)) void keep(long n)
{
	__asm__ volatile("" : : "r"(n));
}

int main(void)
{
	keep(3);
	for (long i = 1; i < 4; i++)
		printf("sum %ld\n", sum((struct two){i, 2 * i}, i));
	return 0;
}
