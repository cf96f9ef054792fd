// SPDX-License-Identifier: GPL-2.0-only
/* What is shown of a call: a function on one line, tables of constants, variables that a block
 * declares, long values. */
#include <stdio.h>
#include <string.h>

struct pair {
	long first, second;
};

__attribute__((noinline)) static long one_line(long n) { return n * 3 + (n > 2); }

__attribute__((noinline)) static long declares(long n)
{
	static const short table[] = {3, 5, 7};
	static long calls;
	long sum = 0;
	for (long i = 0; i < n; i++) {
		struct pair both = {table[i % 3], i};
		sum += both.first + *&both.second;
	}
	calls++;
	return sum + calls;
}

__attribute__((noinline)) static long grows(long n)
{
	char text[160] = "some text that is longer than what is shown of a value, by far: ";
	for (long i = 0; i < n; i++)
		sprintf(text + strlen(text), "\303\274%ld", i);
	return (long)strlen(text);
}

int main(void)
{
	printf("%ld %ld %ld\n", one_line(3), declares(3), grows(3));
	return 0;
}
