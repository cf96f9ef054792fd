// SPDX-License-Identifier: GPL-2.0-only
/*
 * `width` gets one of three numbers. gcc leaves the statement of the arm that falls through to where
 * the arms meet, so its list has that number there for all of them.
 */
#include <stdio.h>

static char text[64];
static unsigned length;
static char *at = text;

__attribute__((noipa)) static int flush(void)
{
	length = 0;
	at = text;
	return 1;
}

#define PUT(c) ((length + 5 < sizeof(text) || flush()) && (*(at++) = (char)(c), length++, 1))

static int emit(unsigned value)
{
	int k, width;

	if (value <= 0xff) {
		if (!PUT('x')) return 0;
		width = 2;
	} else if (value <= 0xffff) {
		if (!PUT('u')) return 0;
		width = 4;
	} else {
		if (!PUT('U')) return 0;
		width = 8;
	}
	k = (width - 1) * 4; /* HERE */
	for (; k >= 0; k -= 4) {
		int digit = (value >> k) & 15;

		if (!PUT(digit + (digit < 10 ? '0' : 'A' - 10)))
			return 0;
	}
	return 1;
}

__attribute__((noipa)) int emit_all(const unsigned *values, int count)
{
	for (int i = 0; i < count; i++) {
		if (!values[i] && !PUT(0))
			return 0;
		if (!PUT('\\') || !emit(values[i]))
			return 0;
	}
	return 1;
}

int main(void)
{
	static const unsigned values[] = {3, 0x1234, 0x12345678, 0xfe, 0xfffe};

	for (unsigned i = 0; i < 5; i++) {
		unsigned width = values[i] <= 0xff ? 2 : values[i] <= 0xffff ? 4 : 8;

		printf("width=%u\n", width);
		emit_all(&values[i], 1);
	}
	return 0;
}
