// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line that is executed in 10 of 20 calls. gcc runs its code in each: it makes both results, and
 * chooses without a branch.
 */
#include <stdio.h>

static volatile int sink;

static __attribute__((noinline)) const char *word(int n)
{
	if (n > 9)
		return "many"; /* HERE */
	sink++;
	return "few";
}

int main(void)
{
	for (int i = 0; i < 20; i++)
		sink += word(i)[0];
	printf("%d\n", sink);
	return 0;
}
