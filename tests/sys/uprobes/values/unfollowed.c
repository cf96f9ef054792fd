/* Without -fvar-tracking, gcc names one register for all of a function: for `n` one that is never given its value. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void sink(const char *format, int n, long tripled)
{
	printf(format, n, tripled);
}

__attribute__((noinline)) long grow(int n)
{
	char *text = alloca((size_t)n + 16);
	long tripled = n * 3L;

	memset(text, 'a' + n % 5, (size_t)n + 15);
	text[n + 15] = 0;
	sink("n=%d tripled=%ld\n", n, tripled); /* HERE */
	return text[1] + tripled;
}

int main(void)
{
	for (int i = 1; i < 4; i++)
		grow(i * 7);
	return 0;
}
