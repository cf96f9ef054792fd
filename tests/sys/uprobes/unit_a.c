/* SPDX-License-Identifier: GPL-2.0-only */
/* One of two units of a program, C and C++ alike: each has a `mine` of its own, and what one defines the other
 * inlines, where it can. */
#include <stdio.h>
#include "units.h"

static int mine = 5;

SEEN int first(struct item *item, int k)
{
	mine += k;
	printf("first k=%d x=%d mine=%d\n", k, item->x, mine); /* FIRST */
	item->name++;
	return item->x + k + mine;
}

int small(int v)
{
	mine += v;
	printf("small v=%d\n", v); /* SMALL */
	return v * mine;
}

int main(int argc, char **argv)
{
	struct item item = {argc * 10, argv[0]};
	int sum = 0;

	for (int i = 0; i < 7; i++) {
		sum += first(&item, i);
		sum += second(&item, i + 100);
		item.x++;
	}
	printf("sum %d\n", sum);
	return 0;
}
