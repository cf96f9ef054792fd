// SPDX-License-Identifier: GPL-2.0-only
/* Its debug information is rewritten as Go's compiler has it: an expression in DWARF 4 as a block, and a
 * struct with a part behind its end. */
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

int main(void)
{
	for (long i = 1; i < 4; i++)
		printf("sum %ld\n", sum((struct two){i, 2 * i}, i));
	return 0;
}
