// SPDX-License-Identifier: GPL-2.0-only
/* A function that leaves its frame early, in the middle of its code, and once more at its end. */
#include <stdio.h>

struct pair {
	long a, b;
};

__attribute__((noinline)) struct pair fail(long a, long b, const char *why)
{
	puts(why);
	return (struct pair){b, a};
}

__attribute__((noinline)) int kind(long a)
{
	__asm__ volatile("" : "+r"(a));
	return (int)(a & 7);
}

__attribute__((noinline)) long fill(int *sign, long b)
{
	*sign = b < 0 ? -1 : 1;
	return b * 3;
}

__attribute__((noinline)) struct pair keep(long a, long b)
{
	return (struct pair){a, b};
}

__attribute__((noinline)) struct pair signs(long n, long b, long c)
{
	int sign;
	struct pair ret;

	if (kind(n) != 4)
		return fail(b, c, "another kind");
	ret = keep(fill(&sign, b), c);
	kind(c);
	return fail(ret.a, sign + ret.b + n, "a sign");
}

int main(int argc, char **argv)
{
	(void)argv;
	return signs(argc + 3, argc, 2).a == signs(argc, argc, 3).b;
}
