// SPDX-License-Identifier: GPL-2.0-only
/* A function of which the compiler makes several, one for each kind of processor; by that name there is a symbol that chooses one. */
#include <stdio.h>

#ifndef __clang__
__attribute__((noinline))
#endif
__attribute__((target_clones("avx2", "default"))) int sum(const int *from, int count)
{
	int ret = 0;

	for (int i = 0; i < count; i++)
		ret += from[i] * 3;
	return ret;
}

int main(int argc, char **argv)
{
	int numbers[64];

	(void)argv;
	for (int i = 0; i < 64; i++)
		numbers[i] = i * argc;
	for (int count = 10; count < 60; count += 10) {
		int ret = sum(numbers, count);

		printf("count=%d\nretval=%d\n", count, ret);
	}
	return 0;
}
