// SPDX-License-Identifier: GPL-2.0-only
/* gcc does a line before it is decided whether it is passed: it has more events than passes. */
#include <stdio.h>
#include <stdlib.h>

static int passes;

__attribute__((weak)) long obtain(long x) { return x % 4 ? x : -x - 1; }
__attribute__((weak)) int permit(long x) { return x > 30; }
__attribute__((weak)) void note(int error) { passes += error < 0; }

__attribute__((weak)) int update(long x)
{
	int error;
	long object;

	note(0);
	object = obtain(x);
	if (object < 0) {
		error = (int)object; /* HERE */
		goto out;
	}
	error = permit(object);
	if (error)
		goto out;
	note(1);
out:
	note(error);
	return error;
}

int main(int argc, char **argv)
{
	long sum = 0;

	for (long i = 0; i < atol(argv[argc - 1]); i++)
		sum += update(i);
	printf("%d\n", passes);
	return !sum;
}
