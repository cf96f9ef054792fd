// SPDX-License-Identifier: GPL-2.0-only
/* gcc makes code of its own for `is_short`, where `least` is 0, and says that it is 0 everywhere. */
#include <stdio.h>

enum { MANY = 8 };

_Bool is_short;
int texts[MANY] = {3, 0, 7, 0, 1, 0, 0, 2};

__attribute__((weak)) int find(const int *text, int len) { return *text != len; }
__attribute__((weak)) int space(int c) { return c == 3; }
__attribute__((weak)) int has_pattern = 1;

__attribute__((weak)) long count(const int *list, long first, long last, int rounds)
{
	_Bool trivial = __builtin_expect(is_short, 0) || has_pattern;
	size_t least = is_short - 1;
	_Bool skips = __builtin_expect(is_short, 0) && has_pattern;
	long found = 0, i;

	do {
		for (i = first; i <= last && trivial; i++) {
			size_t len = list[i];
			const int *p = list + i;

			if (skips)
				for (; *p; p++)
					if (!space(*p))
						break;
			if (len != least && (!has_pattern || find(p, len)))
				trivial = 0;
			found += i;
		}
		for (i = last; i >= first && trivial; i--) {
			size_t len = list[i]; /* HERE */
			const int *p = list + i;

			if (skips)
				for (; *p; p++)
					if (!space(*p))
						break;
			if (len != least && (!has_pattern || find(p, len)))
				trivial = 0;
			found += i;
		}
	} while (rounds--);
	return found;
}

int main(void)
{
	for (int i = 0; i < MANY; i++)
		puts("least=18446744073709551615");
	count(texts, 0, MANY - 1, 0);
	return 0;
}
