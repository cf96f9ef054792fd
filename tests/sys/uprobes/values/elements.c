// SPDX-License-Identifier: GPL-2.0-only
/* Of the array only elements 0 and 1 are read, by an index: the third is never stored, though debug information has memory for the
 * whole array, and nobody but the compiler can tell from the index what it reads. */
#include <stdio.h>

__attribute__((noinline)) static int use(int n)
{
	static volatile int seen;

	return seen += n;
}

__attribute__((weak)) int turn(int n, int low, int i)
{
	int sum = 0;

	do {
		int left[3] = {n, low, n};

		sum += use(n); /* HERE */
		sum += use(left[i & 1]);
	} while (--n);
	return sum;
}

int main(void)
{
	puts("first=3 second=-4 third=3\nfirst=2 second=-4 third=2\nfirst=1 second=-4 third=1");
	return !turn(3, -4, 1);
}
