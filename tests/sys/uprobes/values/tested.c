// SPDX-License-Identifier: GPL-2.0-only
/* clang has what the line makes of `c` where the line begins: the loop's test has loaded it, and a store to `c` is all that is left
 * of the line. */
#include <stdio.h>

__attribute__((noinline)) static int widen(const char *s, unsigned *c)
{
	*c = *c * 2 + (unsigned char)*s;
	return 0;
}

__attribute__((noinline)) static int is_known(unsigned c)
{
	return c != '?';
}

__attribute__((weak)) int name(const char *s)
{
	unsigned c = (unsigned char)*s++;

	if (c > 127)
		s += widen(s, &c);
	if (!is_known(c))
		return 0;
	while (*s) {
		c = (unsigned char)*s; /* HERE */
		if (c > 127) /* THERE */
			s += widen(s, &c);
		++s;
		if (!is_known(c))
			return 0;
	}
	return 1;
}

int main(void)
{
	puts("c=97 next=98\nc=98 next=99\nc=99 next=100");
	return !name("abcd");
}
