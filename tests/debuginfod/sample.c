// SPDX-License-Identifier: GPL-2.0-only
/* A program to be stripped: it prints what a tracer of it should see. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
	int first;
	long second;
};

static __attribute__((noinline)) long combine(const struct pair *pair, int factor)
{
	long result = pair->first * factor + pair->second;

	result ^= factor;
	printf("combine first=%d second=%ld factor=%d result=%ld\n", pair->first, pair->second, factor, result);
	return result;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 3;
	long sum = 0;

	for (int i = 0; i < count; i++) {
		struct pair pair = {i, sum + 7};

		sum += combine(&pair, i + 2);
	}
	return sum == 1;
}
