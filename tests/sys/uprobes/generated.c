/* SPDX-License-Identifier: GPL-2.0-only */
/* A source as lex and yacc write it: a function of this file has lines of another one, words.l. It is compiled
 * several times, under several names of the one file. */
#include <stdio.h>

#ifndef NAME
#define NAME scan
int other_scan(int n);
#endif

static int kept;

static inline __attribute__((always_inline)) int keep(int n)
{
	kept += n;
	return kept & 0xff; /* AT KEEP */
}

static int helper(int n)
{
	return n * 3 + kept;
}

static int __attribute__((noinline)) step(int n)
{
	__asm__ volatile ("" : "+r" (n));
	return n - 5;
}

int __attribute__((noinline)) NAME(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		switch ((n + i) % 3) {
		case 0:
#line 40 "words.l"
			{ sum += keep(i); sum ^= helper(i); }
#line 40 "generated.c"
			break;
		case 1:
#line 50 "words.l"
			sum += step(sum);
#line 45 "generated.c"
			break;
		}
	}
	return sum;
}

#ifndef OTHER
int main(void)
{
	int sum = 0;

	for (int n = 0; n < 9; n++)
		sum += scan(n) + other_scan(n);
	/* of scan(n), the rounds with (n + i) % 3 == 0, and == 1 */
	int words[2] = {0, 0};

	for (int n = 0; n < 9; n++)
		for (int i = 0; i < n; i++)
			if ((n + i) % 3 < 2)
				words[(n + i) % 3] += 2;
	printf("%d %d %d\n", words[0], words[1], sum & 1);
	return 0;
}
#endif
