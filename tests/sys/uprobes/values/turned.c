// SPDX-License-Identifier: GPL-2.0-only
/* gcc -O3 counts the rounds of the copy's loop by a pointer, and has the 1 that `i` begins with in
 * all of them. */
#include <assert.h>
#include <stdio.h>

static const unsigned char length_of[256] = {
	[0x80 ... 0xbf] = 255, [0xc0 ... 0xdf] = 2, [0xe0 ... 0xef] = 3, [0xf0 ... 0xf7] = 4,
};
static const unsigned char bits_of[256] = {
	[0x80 ... 0xbf] = 0x3f, [0xc0 ... 0xdf] = 0x1f, [0xe0 ... 0xef] = 0x0f, [0xf0 ... 0xf7] = 7,
};
static const int first_of[] = {0, 0, 128, 0x800, 0x10000};

const char *next(const char *in, const char *end, int *ret)
{
	assert(in <= end);
	if (in == end)
		return NULL;
	int code = -1;
	unsigned char first = (unsigned char)in[0];
	int length = length_of[first];
	if (!(first & 0x80)) {
		code = first;
		length = 1;
	} else if (length == 0 || length == 255) {
		length = 1;
	} else if (in + length > end) {
		length = (int)(end - in);
	} else {
		code = ((unsigned)in[0]) & bits_of[first];
		for (int i = 1; i < length; i++) {
			unsigned ch = (unsigned char)in[i];
			if (length_of[ch] != 255) {
				code = -1;
				length = i;
				break;
			}
			code = (code << 6) | (ch & 0x3f); /* HERE */
		}
		if (code < first_of[length])
			code = -1;
		if (0xd800 <= code && code <= 0xdfff)
			code = -1;
		if (code > 0x10ffff)
			code = -1;
	}
	assert(length > 0);
	*ret = code;
	return in + length;
}

__attribute__((noinline)) int is_valid(const char *in, const char *end)
{
	int code;

	while ((in = next(in, end, &code)))
		if (code == -1)
			return 0;
	return 1;
}

int main(void)
{
	static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";

	for (const char *at = text; *at; at++) {
		int length = length_of[(unsigned char)*at];

		for (int i = 1; i < length && length != 255; i++)
			printf("i=%d\n", i);
	}
	return !is_valid(text, text + sizeof(text) - 1);
}
