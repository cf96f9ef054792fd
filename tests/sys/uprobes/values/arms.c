/* clang makes arms of a switch of the ways on which compare() comes to -1, 0 and 1, and says in each that it came to 0. */
#include <stdio.h>

int sink;

__attribute__((noinline)) static int take(int *a, int *b, int n)
{
	sink += n;
	return *a - *b + n;
}

static inline int compare(int *a, int *b)
{
	if (*a != *b)
		return *a > *b ? 1 : -1;
	for (int i = 0; i < 3; i++)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

__attribute__((noinline)) int subtract(int *a, int *b, int n)
{
	int diff = 0;
	int result;

	result = compare(a, b);
	switch (result) {
	case -1:
		diff = take(b, a, n);
		diff = diff > 2 ? sink : 5;
		break;
	case 0:
		diff = n;
		sink++;
		break;
	case 1:
		diff = take(a, b, n);
		sink = diff > 3;
		break;
	}
	return diff; /* THERE */
}

int main(void)
{
	int x[3] = {1, 2, 3}, y[3] = {1, 2, 4}, sum;

	printf("result=-1\n");
	sum = subtract(x, y, 1);
	printf("result=1\n");
	sum += subtract(y, x, 2);
	printf("result=0\n");
	sum += subtract(x, x, 3);
	return sum < 0;
}
