/* gcc puts `d = v & 8` before a call and has it begin, by views, at the statement: behind it lies the padding of the loop. */
#include <stdio.h>

volatile int zero;

__attribute__((noipa)) static int use(int x)
{
	return (x ^ zero) & 0xff;
}

__attribute__((noipa)) static void give(int *p)
{
	*p = (*p + 1 + zero) & 0xfff;
}

struct S { int a; unsigned char c; };
static int count;

__attribute__((noinline)) static int f(int v1, struct S *p1, long c, unsigned d)
{
	int v2 = d % 7;

	d = count;
	give(&v2);
	d = (v1 & 8); /* HERE */
	do {
		d--;
		c = (p1->c >> 3) & 7;
		v2 = use((long)c);
	} while (d > 0);
	switch (c & 3) {
	case 3:
		v2 = use(v1 * 5);
		give(&v2);
	}
	return v2 + d;
}

int main(void)
{
	struct S s = {1, 99};
	int sum = 0;

	for (int i = 8; i < 16; i++) {
		count = i * 3;
		printf("d=%d\n", count);
		sum += f(i, &s, i, i * 5);
	}
	return sum == 12345;
}
