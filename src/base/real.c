// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts floating-point numbers from bytes and text to long double, which holds each of the three
 * sizes exactly. x87 bytes are decoded by hand: some patterns no processor accepts.
 */
#include "base/real.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* x87: 64 bits of mantissa with its leading one, 15 of exponent, the sign; six bytes unused. */
static long double decode_x87(const void *bytes)
{
	uint64_t mantissa;
	uint16_t top;
	long double number;
	int exponent;

	memcpy(&mantissa, bytes, 8);
	memcpy(&top, (const uint8_t *)bytes + 8, 2);
	exponent = top & 0x7fff;
	if (exponent && !(mantissa >> 63)) /* invalid for the processor */
		number = (long double)NAN;
	else if (exponent == 0x7fff)
		number = mantissa << 1 ? (long double)NAN : (long double)INFINITY;
	else
		number = ldexpl((long double)mantissa, (exponent ? exponent : 1) - 16383 - 63);
	return top & 0x8000 ? -number : number;
}

long double real_decode(const void *bytes, unsigned size)
{
	double value;
	float narrow;

	if (size == sizeof(narrow)) {
		memcpy(&narrow, bytes, sizeof(narrow));
		return (long double)narrow;
	}
	if (size != sizeof(value))
		return decode_x87(bytes);
	memcpy(&value, bytes, sizeof(value));
	return (long double)value;
}

bool real_parse(const char *text, unsigned size, long double *ret)
{
	char *end;

	*ret = size == 4 ? (long double)strtof(text, &end) :
	       size == 8 ? (long double)strtod(text, &end) : strtold(text, &end);
	return end != text && !*end;
}
