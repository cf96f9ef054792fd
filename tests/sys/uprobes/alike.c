/* SPDX-License-Identifier: GPL-2.0-only */
/* Two lines that are alike: gcc makes one of them, with the mark of the second and code of the first. */
#include <stdio.h>

static volatile int sink;

static __attribute__((noinline)) int differ(const unsigned *list, const unsigned char *set, const unsigned char *other,
					    int invert)
{
	for (;;) {
		const unsigned char *end = set + 4;

		if (list[0] == 7) {
			if (invert) {
				do {
					if (*set++ & ~*other++)
						return 0;
				} while (set < end);
			} else {
				do {
					if (*set++ & *other++)
						return 0;
				} while (set < end);
			}
			if (list[1] == 0) return 1; /* HERE */
			list++;
			continue;
		}
		if (list[0] == 5 && sink)
			return 0;
		if (list[1] == 0) return 1;
		list++;
	}
}

int main(void)
{
	static const unsigned one[] = {7, 0}, none[] = {1, 2, 0}, *const lists[] = {one, none, one, none, one, none, one};
	static const unsigned char set[8] = {1, 2, 4}, other[8] = {6, 5, 3};
	int sum = 0;

	for (int i = 0; i < 7; i++)
		sum += differ(lists[i], set, other, 0);
	printf("%d\n", sum);
	return 0;
}
