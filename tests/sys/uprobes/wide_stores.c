// SPDX-License-Identifier: GPL-2.0-only
/* Loops that set a static array, and are passed once a byte: of 256 rounds gcc makes some stores of 16 bytes, without
 * a register for the address. */
#include <stdio.h>

unsigned char lengths[256];
int kind, factor;

__attribute__((noinline)) int start(const char *name)
{
	int i;

	if (!name) {
		kind = 1;
		for (i = 0; i < 256; ++i)
			lengths[i] = 1; /* HERE */
		factor = 1;
		return 0;
	}
	return name[0] + kind;
}

int main(int argc, char **argv)
{
	int sum = start(argc > 9 ? argv[0] : NULL);

	for (int i = 0; i < 256; i++)
		sum += lengths[i];
	printf("%d\n", sum);
	return sum != 256;
}
