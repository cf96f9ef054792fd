/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Variables that lie where a register leads that the function sets itself: with a sanitizer, and
 * in a frame that is realigned and has an array of variable length. The caller's register leads to
 * the caller's own. Each function says what its arguments are.
 */
#include <stdio.h>

struct pair { int x, y; };

__attribute__((noinline)) static void fill(int *list, int n)
{
	for (int i = 0; i < n; i++)
		list[i] = i + n;
}

__attribute__((noinline)) int leaf(struct pair p, int n) { return p.x * 10 + p.y + n; }

__attribute__((noinline)) int deep(struct pair p, int n)
{
	struct pair q = {p.x + 1, p.y + 1};
	_Alignas(64) int wide[16];
	int list[n + 1];

	fill(wide, 16);
	fill(list, n + 1);
	printf("deep x=%d n=%d\n", p.x, n); /* IN DEEP */
	fflush(stdout);
	if (n > 0)
		wide[0] += deep(q, n - 1);
	return wide[0] + list[n] + leaf(p, n);
}

int main(void)
{
	return deep((struct pair){100, 200}, 3) == 5;
}
