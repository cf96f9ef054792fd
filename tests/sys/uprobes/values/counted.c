// SPDX-License-Identifier: GPL-2.0-only
/*
 * gcc counts the rounds of both loops by the pointer alone, and says in all of them that `n`, or
 * `left`, is one less than what the function was given.
 */
#include <stdio.h>

static unsigned long total;

__attribute__((weak)) void put(unsigned long number)
{
	total += number;
}

__attribute__((weak)) int count(const char *text, int n)
{
	int sum = 0;

#ifdef AFTER
	for (; n; n--, text++) {
#else
	for (; n > 0; text++) {
		n--;
#endif
		put((unsigned char)*text); /* HERE */
		sum += *text;
	}
	return sum;
}

__attribute__((weak)) int count_local(const char *text, int n)
{
	int sum = 0;
	int left = n;

	while (left--) {
		put((unsigned char)*text); /* THERE */
		sum += *text++;
	}
	return sum;
}

int main(void)
{
	for (int left = 7; left >= 0; left--)
#ifdef AFTER
		printf("n=%d left=%d\n", left + 1, left);
#else
		printf("n=%d left=%d\n", left, left);
#endif
	return count("abcdefgh", 8) + count_local("ijklmnop", 8) == 12345;
}
