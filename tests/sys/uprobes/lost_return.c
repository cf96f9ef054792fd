/* SPDX-License-Identifier: GPL-2.0-only */
/* A return of which gcc makes two copies, for a test that is likely to hold and for the rest, and leaves its mark in one. */
#include <stdio.h>

static int passes;
static volatile int complaints;

__attribute__((noinline)) static const int *find(const int *numbers, int at)
{
	return at < 7 ? &numbers[at] : NULL;
}

__attribute__((noinline)) static int complain(int at)
{
	complaints += at;
	return at;
}

#define EXPECT(condition, at) ((void)(__builtin_expect(!!(condition), 1) || complain(at)))

__attribute__((noinline)) static const int *checked(const int *numbers, int at)
{
	const int *found = find(numbers, at);
	EXPECT(found, at);
	return found; /* HERE */
}

int main(void)
{
	static const int numbers[7] = {1, 2, 3, 4, 5, 6, 7};
	int sum = 0;

	for (int i = 0; i < 9; i++, passes++)
		sum += checked(numbers, i) != NULL;
	printf("%d %d\n", passes, sum);
	return 0;
}
