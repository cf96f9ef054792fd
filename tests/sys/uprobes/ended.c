/* SPDX-License-Identifier: GPL-2.0-only */
/* A return behind an if whose body returns on its own way: gcc -O2 leaves the return's mark at that way alone. */
#include <stdio.h>

static int complaints;

__attribute__((noinline)) static const char *found(int number)
{
	return number % 2 ? "odd" : NULL;
}

__attribute__((noinline)) static void complain(int number)
{
	complaints += number;
}

__attribute__((noinline)) static const char *checked(int number)
{
	const char *text = found(number);

	if (!text)
		complain(number);
	return text; /* HERE */
}

int main(void)
{
	int odd = 0;

	for (int i = 0; i < 20; i++)
		odd += checked(i) != NULL;
	printf("%d %d\n", odd, complaints);
	return 0;
}
