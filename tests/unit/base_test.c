// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: what base/ has once for all (search in a list, LEB128, edit distance) says what a plain
 * reference says of the same: bsearch(3) and a count, an encoder, and the recursion that defines a distance.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "base/leb.h"
#include "base/search.h"

#define CASES 100000

static uint64_t random_state = 88172645463325252u;
static unsigned passed, failed;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static unsigned below(unsigned limit)
{
	return (unsigned)(draw() >> 20) % limit;
}

static void report(const char *name, unsigned wrong)
{
	printf("%s %s\n", wrong ? "not ok" : "ok", name);
	passed += !wrong;
	failed += !!wrong;
}

static int int_compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void check_search(void)
{
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES; n++) {
		int list[64], wanted = (int)below(40);
		unsigned count = below(65), smaller = 0;
		size_t first;

		for (unsigned i = 0; i < count; i++)
			list[i] = (int)below(40);
		qsort(list, count, sizeof(*list), int_compare);
		for (unsigned i = 0; i < count; i++)
			smaller += list[i] < wanted;
		first = partition_point(count, i, list[i] < wanted);
		wrong += first != smaller;
		wrong += (first < count && list[first] == wanted) !=
			 !!bsearch(&wanted, list, count, sizeof(*list), int_compare);
	}
	report("partition_point: as a count of the smaller ones, and bsearch(3), have it", wrong);
}

/* The encoders of DWARF 5, figures 41 and 42, and `more` bytes that add nothing. */
static size_t encode(uint64_t value, unsigned more, uint8_t *to)
{
	size_t length = 0;

	do {
		to[length] = value & 0x7f;
		value >>= 7;
		if (value || more)
			to[length] |= 0x80;
		length++;
	} while (value);
	for (; more; more--)
		to[length++] = more > 1 ? 0x80 : 0;
	return length;
}

static size_t encode_signed(int64_t value, uint8_t *to)
{
	size_t length = 0;

	for (;;) {
		uint8_t byte = value & 0x7f;

		value >>= 7; /* arithmetic, as gcc and clang do */
		if ((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40)) {
			to[length++] = byte;
			return length;
		}
		to[length++] = byte | 0x80;
	}
}

static void check_leb(void)
{
	unsigned wrong = 0, cut = 0;

	for (unsigned n = 0; n < CASES; n++) {
		uint64_t value = draw() >> below(64), got;
		uint8_t bytes[32];
		/* of its own size, so that a sanitizer sees a byte too many */
		size_t length = encode(value, below(4), bytes);
		uint8_t *copy = memcpy(malloc(length), bytes, length);
		const uint8_t *at = copy;

		wrong += !leb_read(&at, copy + length, &got) || got != value || at != copy + length;
		at = copy;
		cut += leb_read(&at, copy + length - 1, &got) || got || at != copy + length - 1;
		free(copy);
		value = (uint64_t)((int64_t)draw() >> below(64));
		length = encode_signed((int64_t)value, bytes);
		copy = memcpy(malloc(length), bytes, length);
		at = copy;
		wrong += !leb_read_signed(&at, copy + length, &got) || got != value || at != copy + length;
		at = copy;
		cut += leb_read_signed(&at, copy + length - 1, &got) || got;
		free(copy);
	}
	report("leb_read: what was encoded, of either sign, and with more bytes than it needs", wrong);
	report("leb_read: a number that is cut off is none, and nothing behind the end is read", cut);
}

/* As it is defined, which takes three to the power of the lengths. */
static unsigned plain_distance(const char *a, const char *b)
{
	unsigned change, add, leave;

	if (!*a || !*b)
		return (unsigned)(strlen(a) + strlen(b));
	change = plain_distance(a + 1, b + 1) + (*a != *b);
	add = plain_distance(a, b + 1) + 1;
	leave = plain_distance(a + 1, b) + 1;
	change = change < add ? change : add;
	return change < leave ? change : leave;
}

static void check_distance(void)
{
	char a[200], b[200];
	unsigned wrong = 0;

	for (unsigned n = 0; n < CASES / 20; n++) {
		unsigned limit = below(8), is;

		for (unsigned i = 0; i < 5; i++)
			a[i] = (char)('a' + below(3));
		for (unsigned i = 0; i < 6; i++)
			b[i] = (char)('a' + below(3));
		a[below(6)] = b[below(7)] = '\0';
		a[5] = b[6] = '\0';
		is = plain_distance(a, b);
		wrong += edit_distance(a, b, limit) != (is > limit ? limit + 1 : is);
	}
	report("edit_distance: as the recursion that defines it has it, up to a limit", wrong);
	memset(a, 'a', sizeof(a));
	a[128] = '\0';
	strcpy(b, a);
	b[64] = 'b';
	wrong = edit_distance(a, b, 3) != 1;
	a[128] = 'a';
	a[129] = '\0';
	wrong += edit_distance(a, b, 3) != 4;
	report("edit_distance: words of 128 characters are compared, and longer ones are not near", wrong);
}

int main(void)
{
	check_search();
	check_leb();
	check_distance();
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
