/* SPDX-License-Identifier: GPL-2.0-only */
/* A getter that compilers call once where the source does twice: debug information has one copy. */
#include <stdio.h>

struct slice { int first, length; };

static int passes, sum;
static volatile int asked;

static int length_of(struct slice slice)
{
	return slice.length | 1; /* HERE */
}

static int end_of(struct slice slice)
{
	return slice.first + length_of(slice);
}

__attribute__((noinline)) static int use(struct slice slice, int at)
{
	if (at >= length_of(slice))
		return -1;
	asked++;
	return end_of(slice) - at;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 20 * argc; i++) {
		int rest = use((struct slice){i, 8 * argc}, i);

		sum += rest;
		passes += 1 + (rest >= 0);
	}
	printf("%d %d\n", passes, sum);
	return 0;
}
