/* A statement whose result debug information has in front of it: before "rv -= p" it is what "rv" says. */
#include <stdio.h>

__attribute__((noinline)) int bits(unsigned x)
{
	return x ? __builtin_clz(x) : 32;
}

static int shift(unsigned *x, int p)
{
	int rv = bits(*x) - 4;

	if (p > 0)
		rv -= p; /* HERE */
	return rv & 31;
}

__attribute__((noinline)) int use(unsigned *x, int p, int *b2)
{
	int i = shift(x, p);

	*b2 += i;
	return i;
}

int main(void)
{
	unsigned x = 77;
	int b2 = 0;

	for (int i = 1; i < 4; i++, x *= 5)
		printf("rv=%d by=%d\n", bits(x) - 4, use(&x, i, &b2));
	return b2 == 0;
}
