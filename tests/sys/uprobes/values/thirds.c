/* gcc makes a product of the division and describes `total` behind it by shifts of negative counts. */
#include <stdio.h>

__attribute__((noinline)) static int thirds(int total)
{
	while (total > 100) /* HERE */
		total /= 3;
	return total;
}

int main(int argc, char **argv)
{
	for (int n = 306, total; n < 5000; n *= 2) {
		for (total = n; printf("total=%d\n", total), total > 100;)
			total /= 3;
		thirds(n * argc);
	}
	return argv == NULL;
}
