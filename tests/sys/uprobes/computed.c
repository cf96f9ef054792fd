/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that only compute: some of their calls are known when it is compiled, and leave nothing. */
#include <stdio.h>

static unsigned calls_of_size, calls_of_half;

unsigned size_of(unsigned count)
{
	return count * 24 + 16;
}

__attribute__((always_inline)) static inline unsigned half_of(unsigned count)
{
	return count / 2;
}

__attribute__((noinline)) static unsigned work(unsigned (*size)(unsigned), unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += size(i) + size_of(2) + size_of(3);
		calls_of_size += 3;
		sum += half_of(i) + half_of(8);
		calls_of_half += 2;
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned sum = work(argc > 5 ? (unsigned (*)(unsigned))(void *)argv : size_of, 4 * (unsigned)argc);

	fprintf(stderr, "sum %u\n", sum);
	printf("size_of %u\nhalf_of %u\n", calls_of_size, calls_of_half);
	return 0;
}
