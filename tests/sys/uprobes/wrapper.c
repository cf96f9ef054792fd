/* A function of which a header has a wrapper with its name, as libc's headers with _FORTIFY_SOURCE, and which its
 * own source calls otherwise, as libc does. It says what it was called with. */
#include <stdio.h>

extern int taken(int count) __asm__("take"); /* the name of the symbol */
extern int take(int count);
extern inline __attribute__((gnu_inline, always_inline)) int take(int count)
{
	return count > 1000 ? -1 : taken(count);
}

__attribute__((noinline)) int take_it(int given)
{
	printf("given=%d\n", given);
	return given;
}
__asm__(".globl take\n.type take, @function\n.set take, take_it\n");

int main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
	for (int i = 0; i < 3; i++)
		sum += take(10 * i + argc);
	sum += take(2000);
	return sum + taken(77) == 0;
}
