// SPDX-License-Identifier: GPL-2.0-only
/* gcc stores `*to` before it compares with `most`, so that memory behind `to` has the new number when that line begins. */
#include <stdio.h>

static int copy(const int *from, int *to, const int *marks, int count)
{
	int least = 1000, most = 0;

	for (int i = 0; i < count; i++) {
		if (marks[i]) {
			if (least > from[i])
				least = from[i];
			if (most < from[i]) /* HERE */
				most = from[i];
			*to++ = from[i];
			*to++ = marks[i];
		}
	}
	return least + most;
}

static int (*volatile copies)(const int *, int *, const int *, int) = copy;

int main(void)
{
	static const int from[] = {5, 7, 3, 11, 2, 9}, marks[] = {1, 0, 1, 1, 0, 1};
	static int to[12] = {100, 101, 102, 103, 104, 105, 106, 107};

	for (int i = 0; i < 4; i++)
		printf("old=%d\n", to[2 * i]);
	fprintf(stderr, "%d\n", copies(from, to, marks, 6));
	return 0;
}
