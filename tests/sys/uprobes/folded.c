// SPDX-License-Identifier: GPL-2.0-only
/* Functions whose code is the same, which compilers and linkers make one; and one with an alias. It says
 * how often each was called. */
#include <stdio.h>

struct point { int x, y; };
struct pair { int first, second; };

__attribute__((noinline)) int get_x(struct point *point, int n)
{
	int result = point->x + n;

	for (int i = 0; i < n; i++)
		result ^= result << 1;
	return result;
}

__attribute__((noinline)) int get_first(struct pair *pair, int m)
{
	int result = pair->first + m;

	for (int i = 0; i < m; i++)
		result ^= result << 1;
	return result;
}

__attribute__((noinline)) static int get_hidden(struct point *point, int k)
{
	int result = point->x + k;

	for (int i = 0; i < k; i++)
		result ^= result << 1;
	return result;
}

__attribute__((noinline)) int plain(int n)
{
	return n * 7 + 1;
}

int other_name(int n) __attribute__((alias("plain")));

int main(int argc, char **argv)
{
	struct point point = {argc, 2};
	struct pair pair = {argc, 3};
	int sum = 0;

	(void)argv;
	for (int i = 0; i < 5; i++)
		sum += get_x(&point, i);
	for (int i = 0; i < 3; i++)
		sum += get_first(&pair, i);
	for (int i = 0; i < 2; i++)
		sum += get_hidden(&point, i);
	for (int i = 0; i < 4; i++)
		sum += plain(i) + other_name(sum);
	printf("get_x 5\nget_first 3\nget_hidden 2\nplain 8\n");
	return sum == -1;
}
