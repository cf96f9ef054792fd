/* Without optimisation: what has been stored by instructions that don't name the slot, or by AVX's. */
#include <stdio.h>

struct big {
	long list[90];
	int n;
};

static volatile int sink;

__attribute__((noinline)) static int fill(int n, double d)
{
	struct big c = {{n}};
	int m = n + 1;
	struct big *at = &c;

	sink = n + (int)c.list[0] + (int)d; /* HERE */
	at->n = n + 2;
	sink = c.n; /* THERE */
	return m;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 3; i++) {
		fill(argc + i, i + 0.5);
		printf("n=%d m=%d d=%.1f first=%d n2=%d\n", argc + i, argc + i + 1, i + 0.5, argc + i, argc + i + 2);
	}
	return 0;
}
