// SPDX-License-Identifier: GPL-2.0-only
/* clang says from the function's entry on that `left` is one less than what it was given, as the first line makes it. */
#include <stdio.h>

static unsigned long total;

__attribute__((weak)) void put(unsigned long number)
{
	total += number;
}

__attribute__((weak)) unsigned long widen(const unsigned char *text, unsigned long left, char *to)
{
	unsigned long length = 0;
	int due = 0;

	while (left--) { /* HERE */
		unsigned char byte = *text++;

		if (byte < 0x80) {
			if (due)
				return -1ul;
			put(byte);
			if (to)
				to[length] = (char)byte;
			length++;
		} else if (byte < 0xc0) {
			if (!due)
				return -1ul;
			due--;
			put(byte & 0x3f);
		} else {
			due = byte < 0xe0 ? 1 : 2;
		}
	}
	return due ? -1ul : length;
}

int main(void)
{
	static const unsigned char text[] = "a\303\244bc\342\202\254d";
	char to[32];

	for (int round = 0; round < 2; round++)
		for (int left = (int)sizeof(text) - 1; left >= 0; left--)
			printf("left=%d\n", left);
	return widen(text, sizeof(text) - 1, to) + widen(text, sizeof(text) - 1, NULL) == 12345;
}
