// SPDX-License-Identifier: GPL-2.0-only
/* A call is inlined, in a loop that one call of the function doesn't enter. The test makes of the debug information what
 * llvm-bolt leaves, or has each block in a section of its own. */
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;

static inline __attribute__((always_inline)) void take(long value)
{
	sink += value;
	sink ^= value << 3;
}

__attribute__((noinline)) void unused(long value)
{
	sink -= value;
}

__attribute__((noinline)) long spread(int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++) {
		if (__builtin_expect(i == 77, 0)) {
			unused(i);
			abort();
		}
		take(i);
		sum += sink; /* IN THE LOOP */
	}
	return sum;
}

int main(void)
{
	int rounds = 13;

	printf("%d rounds, %ld\n", rounds, spread(0) + spread(rounds));
	return 0;
}
