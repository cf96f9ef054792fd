// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines with one event a pass, of which nothing is to be said: calls that one macro makes twice,
 * checks that the compiler puts in, a condition's second line of which a part is moved out of a
 * loop, calls that don't come back.
 * Lines: TAG COUNT.
 */
#include <stdio.h>
#include <stdlib.h>

enum { CALLS, CHECKS, SECOND, FAILS, FAILS_TOO, LAST };

static const char *const names[] = {"CALLS", "CHECKS", "SECOND", "FAILS", "FAILS_TOO"};
static volatile long passes[LAST], sink;

static __attribute__((noinline)) long called(long v)
{
	sink = v;
	return v + sink;
}

#define BOTH(v) (called(v) ^ called((v) + 1))

static __attribute__((noinline)) long calls(const long *a, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++) {
		s += sink;
		passes[CALLS]++, s += BOTH(a[i]); /* AT CALLS */
		sink = s;
	}
	return s;
}

#define PUSH(l, h) do { low[top] = (l); high[top] = (h); top++; } while (0)

static __attribute__((noinline)) int checks(const int *a, int n, int k)
{
	int low[20], high[20], top = 0, s = 0;

	for (int i = 0; i < n; i++) {
		passes[CHECKS]++;
		PUSH(a[i] * k, a[i + 1] + k); /* AT CHECKS */
		sink = s;
		s += low[i / 2];
	}
	for (int i = 0; i < top; i++)
		s += high[i];
	return s;
}

static __attribute__((noinline)) long second(const long *a, long n)
{
	long s = 0;

	sink = n;
	for (long i = 0; i < n; i++) {
		passes[SECOND]++;
		if (sink == 12345 ||
		    (a[i] ^ 0x123456789abcdef1) < 0x123456789abcdd00) /* AT SECOND */
			s += sink;
		sink = s + i;
	}
	return s;
}

static __attribute__((noinline)) void fail(long v)
{
	printf("%ld\n", v);
	exit(1);
}

#define REQUIRE(c) ((c) ? (void)0 : fail(__LINE__))

/* clang puts the calls of fail() behind the function's code, one behind the other. */
static __attribute__((noinline)) long fails(const long *a, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++) {
		REQUIRE(a[i] != 77);
		s += called(a[i]);
		passes[FAILS]++, REQUIRE(s != -5); /* AT FAILS */
		s ^= called(s);
		passes[FAILS_TOO]++, REQUIRE(sink != 3); /* AT FAILS_TOO */
	}
	return s;
}

int main(int argc, char **argv)
{
	long a[16];
	int b[16];

	(void)argv;
	for (int i = 0; i < 16; i++)
		b[i] = (int)(a[i] = i * i + argc);
	sink = calls(a, 7) + checks(b, 12, argc + 3) + second(a, 9) + fails(a, 8);
	for (int i = 0; i < LAST; i++)
		printf("%s %ld\n", names[i], passes[i]);
	return 0;
}
