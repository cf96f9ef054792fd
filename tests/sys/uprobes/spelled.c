// SPDX-License-Identifier: GPL-2.0-only
/* Functions inside functions, as GNU C has them (scopes): each says that it was called, and with
 * what. `twin` is also the name of a function outside all others, in another unit
 * (spelled_twin.c). */
#include <stdio.h>

int outside(int n);

static inline __attribute__((always_inline)) int around(int n)
{
	int __attribute__((noinline)) within(int q)
	{
		printf("within n=%d\n", q);
		return q + n;
	}
	return within(n) + within(n + 1);
}

__attribute__((noinline)) int holds(int n)
{
	int total = n;
	int __attribute__((noinline)) inner(int q)
	{
		printf("inner n=%d\n", q);
		total += q;
		return total ^ q;
	}
	int __attribute__((noinline)) twin(int q)
	{
		printf("twin n=%d\n", q);
		return q * 3;
	}

	{
		int __attribute__((noinline)) deeper(int q)
		{
			printf("deeper n=%d\n", q);
			return q - total;
		}
		total += deeper(n);
	}
	return inner(n) + twin(n) + total;
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i < 4; i++)
		sum += holds(i) + around(i) + outside(i);
	return sum == 0;
}
