/* clang has -(n != x) as a number of one bit, whose type has a size of one byte: 1 instead of -1; and it has turned the
 * condition into its opposite. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int later(int n)
{
	return abs(n);
}

__attribute__((noinline)) static long choose(int n, int x)
{
	short sign = (x < x) - (n != x);
	long sum = later(n); /* HERE */

	return sum + later(x) + sign * 5;
}

int main(void)
{
	long sum = 0;

	for (int n = 0; n < 6; n++) {
		printf("sign=%d\n", -(n != n / 2 * 2));
		sum += choose(n, n / 2 * 2);
	}
	return sum == 12345;
}
