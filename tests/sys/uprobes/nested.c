// SPDX-License-Identifier: GPL-2.0-only
/*
 * GNU C's nested functions, inlined or not: lines inside them, and behind them. Each marked line
 * counts how often it was executed. Lines: TAG COUNT.
 */
#include <stdio.h>

enum { INSIDE, BEHIND, MIXED, DEEP, AFTER, BARE, NEXT, LAST };

static const char *const names[] = {"INSIDE", "BEHIND", "MIXED", "DEEP", "AFTER", "BARE", "NEXT"};
static volatile long passes[LAST], sink;

static __attribute__((noinline)) long work(const long *v, long n)
{
	long total = 0;
	long add(long x)
	{
		sink = x;
		passes[INSIDE]++, total += x * sink; /* AT INSIDE */
		return total;
	}
	for (long i = 0; i < n; i++) {
		long y = add(v[i]) + sink * add(sink);
		passes[BEHIND]++, sink = y * 3; /* AT BEHIND */
		passes[MIXED]++, total ^= add(y) + (sink += y); /* AT MIXED */
	}
	sink = total;
	return total;
}

static __attribute__((noinline)) long deep(long n)
{
	long sum = n;
	long outer(long a)
	{
		long inner(long b)
		{
			passes[DEEP]++, sink = b + sum; /* AT DEEP */
			return sink ^ b;
		}
		long r = inner(a) + inner(a + 1);
		sum += r * sink;
		return sum;
	}
	long last = outer(n) + outer(n + 2);
	for (long i = 0; i < n; i++)
		passes[AFTER]++, last += sum ^ sink; /* AT AFTER */
	return last;
}

/* Nothing is declared behind the inner function: only its calls tell where it ends. */
static __attribute__((noinline)) long bare(long n)
{
	long add(long x)
	{
		sink = x * n;
		return sink + n;
	}
	passes[BARE]++, sink = add(n) * 3 + add(sink); /* AT BARE */
	passes[NEXT]++, sink += n * sink; /* AT NEXT */
	return sink;
}

int main(int argc, char **argv)
{
	long v[] = {1, argc, 3, 4};

	(void)argv;
	sink = work(v, 4) + deep(3) + bare(5);
	for (int i = 0; i < LAST; i++)
		printf("%s %ld\n", names[i], passes[i]);
	return 0;
}
