// SPDX-License-Identifier: GPL-2.0-only
/* gcc says behind a join what `taken` and `added` are on one way to a join before it: where ways met that
 * have 0 in the register or the slot. */
#include <stdio.h>
#include <stdlib.h>

struct change {
	struct change *link;
	long line0, line1, taken, added;
	int ignored;
};

__attribute__((noipa)) static void *fresh(size_t size)
{
	return malloc(size);
}

static struct change *cons(struct change *old, long line0, long line1, long taken, long added)
{
	struct change *new;

	if (!(new = fresh(sizeof(*new))))
		return NULL;

	new->link = old;
	new->line0 = line0;
	new->line1 = line1; /* HERE */
	new->taken = taken;
	new->added = added;
	new->ignored = 0;
	return new;
}

struct sides {
	char *changed0, *changed1;
	long len0, len1;
};

__attribute__((weak)) int script(struct sides *sides, struct change **ret)
{
	struct change *found = NULL, *change;
	char *changed0 = sides->changed0, *changed1 = sides->changed1;
	long i0, i1, line0, line1;

	for (i0 = sides->len0, i1 = sides->len1; i0 >= 0 || i1 >= 0; i0--, i1--)
		if (changed0[i0 - 1] || changed1[i1 - 1]) {
			for (line0 = i0; changed0[i0 - 1]; i0--)
				;
			for (line1 = i1; changed1[i1 - 1]; i1--)
				;
			if (!(change = cons(found, i0, i1, line0 - i0, line1 - i1))) {
				while (found) {
					change = found->link;
					free(found);
					found = change;
				}
				return -1;
			}
			found = change;
		}
	*ret = found;
	return 0;
}

int main(void)
{
	static char one[16] = {[6] = 1, [8] = 1, [9] = 1}, other[16] = {[3] = 1, [4] = 1, [8] = 1};
	static const int taken[] = {2, 1, 0}, added[] = {0, 1, 2};
	struct sides sides = {one + 2, other + 2, 12, 12};
	struct change *changes;

	for (int i = 0; i < 3; i++)
		printf("taken=%d added=%d\n", taken[i], added[i]);
	return script(&sides, &changes);
}
