/* Texts that gcc knows in a copy of a function: no pointer, and bytes without a type. */
#include <stdio.h>

__attribute__((noinline)) static int note(const char *why, const unsigned char *raw,
					  const short *list, int n)
{
	int sum = why[0] + raw[1] * 2 + list[1] * 3 + n;

	printf("%d\n", sum);
	return sum;
}

int main(void)
{
	static const short numbers[] = {-5, 6, 700};

	for (int n = 0; n < 3; n++)
		note("a text of more than eight bytes", (const unsigned char *)"\x81\xfe", numbers,
		     n);
	return 0;
}
