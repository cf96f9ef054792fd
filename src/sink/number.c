// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a number by its shape: fast writers without printf for every event, and names of enums and
 * errors, floating-point and 128-bit numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/real.h"
#include "base/syscall_name.h"
#include "sink/value.h"

static const char two_digits[] =
	"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
	"4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
	"888990919293949596979899";

/* The number of decimal digits: the logarithm of 10 is that of 2 times 1233 / 4096, or one less. */
static unsigned digits_of(uint64_t number)
{
	static const uint64_t powers[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000u,
	};
	unsigned least = (64u - (unsigned)__builtin_clzll(number | 1)) * 1233 >> 12;

	return least + (number >= powers[least]);
}

/* digits: how many it has. */
static inline char *write_decimal(char *to, uint64_t number, unsigned digits)
{
	char *end = to + digits, *p = end;

	for (; number >= 10; number /= 100)
		memcpy(p -= 2, two_digits + number % 100 * 2, 2);
	if (p > to)
		*to = (char)('0' + number);
	return end;
}

char *write_padded(char *to, uint64_t number, unsigned width, char fill)
{
	unsigned digits = digits_of(number);

	for (; width > digits; width--)
		*to++ = fill;
	return write_decimal(to, number, digits);
}

char *write_micros(char *to, uint32_t micros)
{
	memcpy(to, two_digits + micros / 10000 * 2, 2);
	memcpy(to + 2, two_digits + micros / 100 % 100 * 2, 2);
	memcpy(to + 4, two_digits + micros % 100 * 2, 2);
	return to + 6;
}

static char *write_unsigned(char *to, uint64_t number)
{
	if (number >= 10)
		return write_decimal(to, number, digits_of(number));
	*to = (char)('0' + number);
	return to + 1;
}

/* Eight hexadecimal digits at once, the first one in the lowest byte: each nibble gets a byte, and
 * 'a' is 39 behind '9' + 1. */
static uint64_t hex_digits(uint32_t number)
{
	uint64_t digits = number, letters;

	digits = (digits | digits << 16) & 0x0000ffff0000ffff;
	digits = (digits | digits << 8) & 0x00ff00ff00ff00ff;
	digits = (digits | digits << 4) & 0x0f0f0f0f0f0f0f0f;
	letters = (digits + 0x0606060606060606) >> 4 & 0x0101010101010101;
	return __builtin_bswap64(digits + 0x3030303030303030 + letters * 39);
}

static char *write_hex(char *to, uint64_t number)
{
	unsigned zeros = (unsigned)__builtin_clzll(number | 1) / 4;
	uint64_t digits[2];

	number <<= zeros * 4;
	digits[0] = hex_digits((uint32_t)(number >> 32));
	digits[1] = hex_digits((uint32_t)number);
	memcpy(to, "0x", 2);
	memcpy(to + 2, digits, sizeof(digits));
	return to + 2 + 16 - zeros;
}

char *write_number(char *to, enum digits digits, uint64_t number)
{
	switch (digits) {
	case DIGITS_QUOTED_HEX:
		*to = '"';
		to = write_hex(to + 1, number);
		*to = '"';
		return to + 1;
	case DIGITS_HEX:
		return write_hex(to, number);
	case DIGITS_SIGNED:
		if ((int64_t)number < 0) {
			*to++ = '-';
			number = -number;
		}
		return write_unsigned(to, number);
	default: /* DIGITS_NOT can't happen */
	case DIGITS_UNSIGNED:
		return write_unsigned(to, number);
	}
}

static void put_digits(struct strbuf *out, enum digits digits, uint64_t number)
{
	strbuf_end(out, write_number(strbuf_room(out, NUMBER_ROOM), digits, number));
}

void put_unsigned(struct strbuf *out, uint64_t number)
{
	put_digits(out, DIGITS_UNSIGNED, number);
}

void put_signed(struct strbuf *out, int64_t number)
{
	put_digits(out, DIGITS_SIGNED, (uint64_t)number);
}

void put_hex(struct strbuf *out, uint64_t number)
{
	put_digits(out, DIGITS_HEX, number);
}

static void put_symbol(const struct writer *to, uint64_t number)
{
	const char *symbol = symbol_of(to->context, number);

	if (symbol)
		to->notation->word(to->out, symbol);
	else
		to->notation->hex(to->out, number);
}

static void put_syscall(const struct writer *to, uint64_t number)
{
	const char *name = syscall_name(number);

	if (name)
		to->notation->word(to->out, name);
	else
		put_signed(to->out, (int64_t)number);
}

static void put_reference(const struct writer *to, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "@%#llx", (unsigned long long)number);
	to->notation->word(to->out, text);
}

static void put_plain(const struct writer *to, const struct shape *shape, uint64_t number)
{
	if (shape->is_signed)
		put_signed(to->out, (int64_t)number);
	else
		put_unsigned(to->out, number);
}

static const char *enumerator_name(const struct shape *shape, uint64_t number)
{
	for (unsigned i = 0; i < shape->nenumerators; i++)
		if (shape->enumerators[i].number == number)
			return shape->enumerators[i].name;
	return NULL;
}

static uint64_t bit_mask(unsigned bits)
{
	return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

static bool add_flag(char *text, size_t size, size_t *used, const char *name)
{
	size_t length = strlen(name);

	if (*used + length + 2 > size)
		return false;
	if (*used)
		text[(*used)++] = '|';
	memcpy(text + *used, name, length + 1);
	*used += length;
	return true;
}

/* Names in the order of the list, as the kernel's __print_flags() takes them: a union of bits
 * that comes first stands for all of them. Bits without a name follow as a number. Returns false
 * when no bit has a name, or there is no room. */
static bool flag_names(const struct shape *shape, uint64_t number, char *text, size_t size)
{
	char rest[20];
	size_t used = 0;

	number &= bit_mask(shape->size * 8u);
	for (unsigned i = 0; i < shape->nenumerators; i++) {
		uint64_t bits = shape->enumerators[i].number & bit_mask(shape->size * 8u);

		if (!bits || (number & bits) != bits)
			continue;
		if (!add_flag(text, size, &used, shape->enumerators[i].name))
			return false;
		number &= ~bits;
	}
	snprintf(rest, sizeof(rest), "%#llx", (unsigned long long)number);
	return used && (!number || add_flag(text, size, &used, rest));
}

static void put_enum(const struct writer *to, const struct shape *shape, uint64_t number)
{
	const char *name = enumerator_name(shape, number);
	char flags[1024];

	if (!name && shape->is_flags && flag_names(shape, number, flags, sizeof(flags)))
		name = flags;
	if (name)
		to->notation->word(to->out, name);
	else if (shape->is_flags && number)
		to->notation->hex(to->out, number & bit_mask(shape->size * 8u));
	else
		put_plain(to, shape, number);
}

static void put_errno(const struct writer *to, const struct shape *shape, uint64_t number)
{
	bool is_error = (int64_t)number < 0 && (int64_t)number >= -ERRNO_MAX;
	const char *name = is_error ? errno_name(-(int)(int64_t)number) : NULL;
	char text[32];

	if (name) {
		snprintf(text, sizeof(text), "-%s", name);
		to->notation->word(to->out, text);
	} else if (is_error) {
		put_signed(to->out, (int64_t)number);
	} else {
		put_plain(to, shape, number);
	}
}

/* The fewest digits that tell the number from its neighbours. JSON has no "nan" or "inf": these
 * are words. */
static void put_float(const struct writer *to, long double number, unsigned size)
{
	int digits = size == 4 ? 6 : size == 8 ? 15 : 18;
	int most = size == 4 ? 9 : size == 8 ? 17 : 21;
	char text[64];

	for (; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*Lg", digits, number);
		if (size == 4 ? strtof(text, NULL) == (float)number :
		    size == 8 ? strtod(text, NULL) == (double)number :
				strtold(text, NULL) == number)
			break;
	}
	if (isfinite(number))
		strbuf_puts(to->out, text);
	else
		to->notation->word(to->out, text);
}

const char *symbol_of(const struct sink_context *context, uint64_t address)
{
	return context && context->symbolize ? context->symbolize(context->cookie, address) : NULL;
}

void put_number(const struct writer *to, const struct shape *shape, uint64_t number)
{
	switch (shape->render) {
	case RENDER_SIGNED:
		put_signed(to->out, (int64_t)number);
		break;
	case RENDER_HEX:
		to->notation->hex(to->out, number);
		break;
	case RENDER_CHAR:
		to->notation->character(to->out, number);
		break;
	case RENDER_BOOL:
		strbuf_puts(to->out, number ? "true" : "false");
		break;
	case RENDER_SYMBOL:
		put_symbol(to, number);
		break;
	case RENDER_REFERENCE:
		put_reference(to, number);
		break;
	case RENDER_ENUM:
		put_enum(to, shape, number);
		break;
	case RENDER_ERRNO:
		put_errno(to, shape, number);
		break;
	case RENDER_FLOAT:
		put_float(to, real_decode(&number, shape->size), shape->size); /* little endian */
		break;
	case RENDER_DEV:
		put_dev(to, shape, number);
		break;
	case RENDER_SYSCALL:
		put_syscall(to, number);
		break;
	case RENDER_TIME:
		to->notation->time(to->out,
				   shape->is_signed && (int64_t)number < 0 ? -number : number,
				   shape->is_signed && (int64_t)number < 0);
		break;
	default: /* renderings of bytes; can't happen */
	case RENDER_UNSIGNED:
		put_unsigned(to->out, number);
	}
}

void put_wide(const struct writer *to, const struct shape *shape, const uint8_t *bytes)
{
	unsigned __int128 number;
	char buffer[48];
	char *p = buffer + sizeof(buffer) - 1;
	bool is_hex = shape->render == RENDER_HEX || shape->render == RENDER_SYMBOL;
	bool is_negative;

	if (shape->render == RENDER_FLOAT) {
		put_float(to, real_decode(bytes, shape->size), shape->size);
		return;
	}
	memcpy(&number, bytes, sizeof(number));
	is_negative = shape->is_signed && !is_hex && (__int128)number < 0;
	if (is_negative)
		number = -number;
	*p = '\0';
	do {
		*--p = "0123456789abcdef"[number % (is_hex ? 16 : 10)];
		number /= is_hex ? 16 : 10;
	} while (number);
	if (is_hex)
		*--p = 'x';
	if (is_hex || is_negative)
		*--p = is_hex ? '0' : '-';
	to->notation->wide(to->out, p);
}
