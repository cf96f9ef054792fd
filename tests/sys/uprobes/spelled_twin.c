// SPDX-License-Identifier: GPL-2.0-only
/* See spelled.c. */
#include <stdio.h>

static __attribute__((noinline)) int twin(int q)
{
	printf("twin n=%d\n", q);
	return q + 1;
}

int outside(int n)
{
	return twin(n) + twin(n + 7);
}
