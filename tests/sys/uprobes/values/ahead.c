// SPDX-License-Identifier: GPL-2.0-only
/* The inner loop needs n - 1, so gcc decrements n in front of it, and debug information once more behind it. */
#include <stdio.h>

enum { GROUPS = 6, WIDTH = 258 };
static struct all {
	int count, width, spent, noise, sizes[WIDTH];
	unsigned char lengths[GROUPS][WIDTH];
} all;

__attribute__((noinline)) static void note(int a, int b, int c, int d)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}

__attribute__((noinline)) static int told(struct all *s, int groups)
{
	int first = 0, last, n, rest, each, sum, v;

	n = groups;
	rest = s->count;
	while (n > 0) {
		each = rest / n;
		last = first - 1;
		sum = 0;
		while (sum < each && last < s->width - 1) {
			last++;
			sum += s->sizes[last];
		}
		if (last > first && n != groups && n != 1 && (groups - n) % 2 == 1) {
			sum -= s->sizes[last];
			last--;
		}
		if (s->noise >= 3)
			note(n, first, last, sum);
		for (v = 0; v < s->width; v++)
			if (v >= first && v <= last)
				s->lengths[n - 1][v] = 0;
			else
				s->lengths[n - 1][v] = 15;
		n--; /* HERE */
		s->spent += sum; /* THERE */
		first = last + 1;
		rest -= sum;
	}
	return first;
}

int main(void)
{
	all.width = 40;
	for (int i = 0; i < all.width; i++)
		all.count += all.sizes[i] = i * 7 % 11 + 1;
	for (int n = GROUPS; n > 0; n--)
		printf("n=%d less=%d\n", n, n - 1);
	return !told(&all, GROUPS);
}
