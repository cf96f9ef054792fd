// SPDX-License-Identifier: GPL-2.0-only
/* Atomic additions, whose instructions have a lock prefix: the kernel takes no uprobe there. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_long calls;

__attribute__((noinline)) long counted(long n)
{
	calls++;
	return n * 3;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 5; i++)
		sum += counted(i);
	printf("calls=%ld sum=%ld\n", calls, sum);
	return 0;
}
