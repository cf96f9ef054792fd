// SPDX-License-Identifier: GPL-2.0-only
/* The edit distance of two words, computed one row of the matrix at a time. */
#include "base/distance.h"

#include <stddef.h>
#include <string.h>

enum { MOST = 128 };

unsigned edit_distance(const char *a, const char *b, unsigned limit)
{
	unsigned row[MOST + 1];
	size_t m = strlen(a), n = strlen(b);

	if (m > MOST || n > MOST || (m > n ? m - n : n - m) > limit)
		return limit + 1;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned diagonal = row[0], least = row[0] = (unsigned)i;

		for (size_t j = 1; j <= n; j++) {
			unsigned cost = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < cost)
				cost = row[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			row[j] = cost;
			if (cost < least)
				least = cost;
		}
		if (least > limit)
			return limit + 1;
	}
	return row[n] > limit ? limit + 1 : row[n];
}
