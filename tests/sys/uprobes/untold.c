/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc inlines a test of which nothing is left: jumps lead past it, as its result is known, and its marks are gone with it. */
#include <stdio.h>

#define END -2
static volatile int size = 6;
static int passes, sum;

int is_valid(int at)
{
	return at != END; /* HERE */
}

static int next(int at)
{
	do
		if (++at >= size)
			return END;
	while (at % 2);
	return at;
}

int main(void)
{
	for (int at = next(-1); is_valid(at); at = next(at))
		sum += at, passes++;
	printf("%d %d\n", passes + 1, sum);
	return 0;
}
