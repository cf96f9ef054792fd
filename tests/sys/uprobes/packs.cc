// SPDX-License-Identifier: GPL-2.0-only
/* Functions with a pack of parameters, one called and one inlined; each call prints what it was given. */
#include <cstdio>

template <typename... A> __attribute__((noinline)) long sum(int first, A... rest)
{
	long all = first;

	((all += (long)rest), ...);
	asm volatile("" ::"g"(all) : "memory");
	return all;
}

template <typename... A> static inline __attribute__((always_inline)) long mix(int first, A... rest)
{
	long all = first;

	((all = all * 3 + (long)rest), ...);
	asm volatile("nop" ::"g"(all) : "memory");
	return all;
}

__attribute__((noinline)) static long use(int a, long b, short c)
{
	return mix(7, a, b, c);
}

int main(int argc, char **)
{
	long all = sum(argc) + sum(argc, 2);

	for (int i = 0; i < 7; i++) {
		int a = argc * 11 + i;
		long b = argc * 1000003L * i;
		short c = (short)(-argc * i);

		printf("sum r0=%d r1=%ld r2=%d\n", a, b, c);
		all += sum(i, a, b, c);
		printf("mix r0=%d r1=%ld r2=%d\n", a, b, c);
		all += use(a, b, c);
	}
	return all == 1;
}
