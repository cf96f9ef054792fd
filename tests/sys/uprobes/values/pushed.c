// SPDX-License-Identifier: GPL-2.0-only
/* Calls push arguments: clang counts a local's place from the stack pointer that the prologue left. */
#include <stdio.h>

struct point {
	long x, y, z;
};

__attribute__((noinline)) long sum(long a, long b, long c, long d, long e, long f, long g, long h)
{
	__asm__ volatile("" ::: "memory");
	return a + b + c + d + e + f + g + h;
}

__attribute__((noinline)) long same(long a)
{
	__asm__ volatile("" ::: "memory");
	return a;
}

__attribute__((noinline)) static long work(int n, struct point p)
{
	long r = sum(p.x, p.y, p.z, n, 5, 6, 7, same(n));

	r += sum(p.z, p.y, p.x, n, 5, 6, r, r); /* HERE */
	return r + p.x;
}

int main(void)
{
	for (long i = 0; i < 4; i++) {
		struct point p = {i * 100 + 7, i - 2, -i};

		printf("x=%ld y=%ld\n", p.x, p.y);
		work((int)i, p);
	}
	return 0;
}
