/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends of a function that are alike: gcc stores the result in one place, and leaves the mark of one
 * statement there. */
#include <stdio.h>

static __attribute__((noinline)) int decode(int *result, const unsigned char *text)
{
	int c, c1, c2;
	long l;

	c = text[0];
	if (c < 0x80) {
		*result = c;
		return 1;
	}
	c1 = text[1] ^ 0x80;
	if (c1 & 0xc0)
		goto bad;
	if (c < 0xe0) {
		if (c < 0xc0)
			goto bad;
		l = ((c << 6) | c1) & 0x7ff;
		if (l <= 0x7f)
			goto bad;
		*result = l; /* HERE */
		return 2;
	}
	c2 = text[2] ^ 0x80;
	if (c2 & 0xc0)
		goto bad;
	if (c < 0xf0) {
		l = ((((c << 6) | c1) << 6) | c2) & 0xffff;
		if (l <= 0x7ff)
			goto bad;
		*result = l;
		return 3;
	}
bad:
	*result = 0xfffd;
	return 1;
}

int main(void)
{
	static const unsigned char text[] = "abc \xc3\xa9 d \xe2\x82\xac e \xff f \xc3\xb6 \xc2";
	int sum = 0, rune;

	for (const unsigned char *p = text; *p; sum += rune)
		p += decode(&rune, p);
	printf("%d\n", sum);
	return 0;
}
