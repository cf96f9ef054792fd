/* A name before its declaration in a block is the one around the block, though debug information has the inner one
 * in all of the block. */
#include <stdio.h>

__attribute__((noinline)) static int pass(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

__attribute__((noinline)) static int work(int count)
{
	int x = pass(count) + 100, sum = 0;

	for (int n = 0; n < count; n++) {
		printf("x=%d none=-77\n", x); /* HERE */
		int *to = &sum, x = pass(n);
		*to += pass(x); /* THERE */
		int late = pass(n);
		*to += pass(late);
	}
	return sum;
}

int main(void)
{
	return work(4) + work(3) < 0;
}
