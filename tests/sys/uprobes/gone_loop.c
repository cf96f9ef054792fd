/* SPDX-License-Identifier: GPL-2.0-only */
/* A loop of which only the last value counts, one that is small enough to be unrolled, and one that stays. */
#include <stdio.h>

static volatile int seen[4];

static __attribute__((noinline)) unsigned last(unsigned n)
{
	int left = n & 7;

	while (left-- > 0) /* HERE */
		n++;
	return n;
}

static __attribute__((noinline)) int mixed(int n, int by)
{
	int ret = by;

	for (int i = 0; i < 4; i++) /* THERE */
		ret = (ret ^ n) + i;
	return ret;
}

static __attribute__((noinline)) int kept(int n)
{
	int ret = 0;

	for (int i = 0; i < n; i++) { /* EACH */
		seen[i & 3]++;
		ret += seen[0];
	}
	return ret;
}

int main(void)
{
	unsigned sum = 0;

	for (int i = 0; i < 6; i++)
		sum += last((unsigned)i) + (unsigned)mixed(i, 3) + (unsigned)kept(i);
	printf("%u\n", sum);
	return 0;
}
