/* clang unrolls the loop wholly, and describes the three calls of apply() as one inlined copy. Prints the passes. */
#include <stdio.h>

static volatile int applied;

__attribute__((noinline)) static void note(int value)
{
	applied++;
	__asm__ volatile("" : : "r"(value) : "memory");
}

__attribute__((noinline)) static void other(int value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

static inline __attribute__((always_inline)) void apply(int times, int value)
{
	int product = times * value + 3;

	note(product); /* HERE */
}

int main(void)
{
	for (int i = 1; i < 4; i++) {
		other(i);
		apply(i, 2 * i);
	}
	printf("%d\n", applied);
	return 0;
}
