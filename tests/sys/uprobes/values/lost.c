/* clang keeps `wide` in a slot, which it finds by a register of its own as the stack is aligned, and forgets to say that. */
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void use(void *buffer, int n)
{
	memset(buffer, n, (size_t)n);
	__asm__ volatile("" ::: "memory", "rbx", "r12", "r13", "r14", "r15");
}

__attribute__((noinline)) static int spilled(long wide, int n, char *out, long a, long b, long c)
{
	_Alignas(64) char fixed[64];
	char some[n];
	unsigned char small = (unsigned char)wide;

	use(some, n);
	use(fixed, 64); /* HERE */
	__asm__ volatile("" ::: "r12", "r13", "r14", "r15", "memory");
	printf("small=%d\n", small);
	use(some, n);
	return small + some[0] + fixed[n] + out[0] + (int)(a + b + c + wide);
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i < 4; i++)
		sum += spilled(1001L * i, i + 8, "x", i, i, i);
	return sum & 0;
}
