/* Of a number that is calculated on 32 bits, and where it is needed only, gcc and clang say that a whole register is divided
 * or shifted: half of -1 is 2147483647 then. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int later(int n)
{
	return abs(n);
}

__attribute__((noinline)) int divide(int n, int m, int x)
{
	int half = n / 2;
	int rest = (n - 9) % 16;
	int part = (m >> 3) + 1;
	int sign = -(n != x);

	x += later(m); /* HERE */
	if (x > 100) /* THERE */
		return half - rest + part * sign;
	return x;
}

int main(void)
{
	static const int numbers[] = {0, 1, -1, 9, 10, -2, 100, -100, 129, -129, 40000, -40000, 2000000000, -2000000000};
	int sum = 0;

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int n = numbers[i], m = numbers[i] / 2 - 3;

		sum += divide(n, m, (int)i);
		printf("half=%d rest=%d part=%d sign=%d\n", n / 2, (n - 9) % 16, (m >> 3) + 1, -(n != (int)i));
	}
	return sum == 12345;
}
