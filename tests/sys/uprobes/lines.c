// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts how often each of its lines that begin with AT is passed, for tests/sys/uprobes/lines:
 *
 *	lines ROUNDS
 *
 * and prints, at the end, a line for each: FUNCTION LINE COUNT SUM, where SUM adds up `size` at each pass, if the
 * line is below the declaration of `size` (else it is "-").
 */
#include <stdio.h>
#include <stdlib.h>

struct passed {
	const char *function;
	long count;
	long sum;
	int has_size;
};

static struct passed passed[400];

/* The barrier is an instruction of the line's own, which no optimiser merges with another line's. */
#define NOTE(HAS, SUM) do { \
	__asm__ volatile("nop # %0" : : "i"(__LINE__)); \
	passed[__LINE__].function = __func__; passed[__LINE__].count++; \
	passed[__LINE__].has_size = HAS; passed[__LINE__].sum += SUM; } while (0)
#define AT NOTE(0, 0)
#define SIZED NOTE(1, size)

__attribute__((noipa)) static long inner(long x)
{
	AT;
	if (x & 1) {
		AT;
		return x * 3 + 1;
	}
	AT;
	return x / 2;
}

static inline __attribute__((always_inline)) long nested(long x)
{
	AT;
	for (volatile int i = 0; i < 2; i++)
		AT;
	return x + 1;
}

__attribute__((noipa)) long paths(long x)
{
	AT;
	{
		volatile long size = inner(x);

		SIZED;
		switch (x % 5) {
		case 0:
			SIZED;
			break;
		case 1:
			SIZED;
			/* fall through */
		case 2:
			SIZED;
			x = nested(x);
			break;
		default:
			SIZED;
			goto out;
		}
		while (x > 3) {
			SIZED;
			x /= 2;
			if (x == 5) {
				SIZED;
				x--;
			}
		}
		x += size;
	}
	AT;
	if (x > 100)
		return x;
	AT;
	return nested(x);
out:
	AT;
	return -x;
}

__attribute__((noipa)) long again(long x)
{
	AT;
	if (x <= 1)
		return 1;
	AT;
	return again(x - 1) + again(x - 2);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 100, sum = 0;

	for (long i = 0; i < rounds; i++)
		sum += paths(i * 7);
	sum += again(9);
	for (unsigned i = 0; i < sizeof(passed) / sizeof(*passed); i++)
		if (passed[i].function) {
			char text[32] = "-";

			if (passed[i].has_size)
				snprintf(text, sizeof(text), "%ld", passed[i].sum);
			printf("%s %u %ld %s\n", passed[i].function, i, passed[i].count, text);
		}
	fprintf(stderr, "%ld\n", sum);
	return 0;
}
