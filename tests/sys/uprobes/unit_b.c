/* SPDX-License-Identifier: GPL-2.0-only */
/* The other: see unit_a.c. */
#include <stdio.h>
#include "units.h"

static int mine = 700;

SEEN int second(struct item *item, int k)
{
	int r = small(k);

	mine -= k;
	printf("second k=%d x=%d mine=%d\n", k, item->x, mine); /* SECOND */
	item->name++;
	return r + mine + item->x + k;
}
