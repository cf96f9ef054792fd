// SPDX-License-Identifier: GPL-2.0-only
/* gcc says behind two ways that meet what `added` is on one of them, where a register is 0. */
#include <stdio.h>
#include <stdlib.h>

struct change {
	struct change *link;
	long added, taken, line0, line1;
};

static struct change *cons(long line0, long line1, long taken, long added, struct change *old)
{
	struct change *new = malloc(sizeof(*new));

	new->line0 = line0;
	new->line1 = line1;
	new->added = added; /* HERE */
	new->taken = taken;
	new->link = old;
	return new;
}

__attribute__((weak)) struct change *script(const char *changed0, const char *changed1,
					    long len0, long len1)
{
	struct change *ret = NULL;
	long i0 = len0, i1 = len1;

	while (i0 >= 0 || i1 >= 0) {
		if (changed0[i0 - 1] | changed1[i1 - 1]) {
			long line0 = i0, line1 = i1;

			while (changed0[i0 - 1])
				--i0;
			while (changed1[i1 - 1])
				--i1;
			ret = cons(i0, i1, line0 - i0, line1 - i1, ret);
		}
		i0--;
		i1--;
	}
	return ret;
}

int main(void)
{
	static char one[16] = {[6] = 1, [8] = 1, [9] = 1}, other[16] = {[3] = 1, [4] = 1, [8] = 1};
	static const int added[] = {0, 1, 2};

	for (int i = 0; i < 3; i++)
		printf("added=%d\n", added[i]);
	script(one + 2, other + 2, 12, 12);
	return 0;
}
