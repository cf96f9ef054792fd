/* Behind a nested function of GNU C, the outer one goes on. */
#include <stdio.h>

static int total;

static inline __attribute__((always_inline)) int add(int a, int b)
{
	int c = a * 3 + b;

	total += c;
	return c;
}

__attribute__((noinline)) static int outer(int n, int *v)
{
	int k = n * 7;
	int __attribute__((noinline)) inner(int q)
	{
		k += q;
		return k ^ q;
	}
	int r = inner(v[0]);

	printf("a=%d b=%d\n", r, v[1]);
	r += add(r, v[1]);
	return r + k;
}

int main(int argc, char **argv)
{
	int v[2] = {argc, argc + 5}, sum = 0;

	(void)argv;
	for (int i = 0; i < 3; i++)
		sum += outer(i, v);
	return sum & 0;
}
