// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is UTF-8 and what isn't, as the C library's iconv(3) has it: in text, letters stay as they are and what is
 * none is escaped; in JSON nothing is ever left that isn't UTF-8, nor that RFC 8259 wants escaped.
 */
#include <iconv.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdint.h>
#include <wctype.h>

#include "base/escape.h"

#define DRAWS 300000

/* The character of all the bytes; 0: they are not one. */
static wint_t decoded(iconv_t converter, const unsigned char *bytes, size_t length)
{
	char *in = (char *)bytes, *out;
	uint32_t runes[4];
	size_t left = length, room = sizeof(runes);

	out = (char *)runes;
	iconv(converter, NULL, NULL, NULL, NULL);
	if (iconv(converter, &in, &left, &out, &room) == (size_t)-1 || sizeof(runes) - room != sizeof(*runes))
		return 0;
	return runes[0];
}

static void judge(iconv_t converter, const unsigned char *bytes, size_t length)
{
	wint_t rune = decoded(converter, bytes, length);
	struct strbuf text, json;
	bool is_kept;

	strbuf_init(&text);
	strbuf_init(&json);
	strbuf_shown(&text, (const char *)bytes, length, "");
	strbuf_json(&json, (const char *)bytes, length);
	is_kept = text.length == length && !memcmp(text.data, bytes, length);
	if (rune && iswalpha(rune) && !is_kept)
		fail_msg("U+%04X becomes '%s'", rune, text.data);
	if (!rune && is_kept)
		fail_msg("'%s' is no UTF-8, and stays", text.data);
	if (!rune && !strstr(json.data, "\\ufffd"))
		fail_msg("%02x %02x... is %s in JSON", bytes[0], bytes[1], json.data);
	for (size_t i = 0; i < json.length; i++)
		assert_true((unsigned char)json.data[i] >= 0x20);
	for (size_t i = 0; i < text.length; i++)
		assert_true((unsigned char)text.data[i] >= 0x20 && text.data[i] != 0x7f);
	strbuf_deinit(&text);
	strbuf_deinit(&json);
}

/* One character each, or none: the first byte says how many belong to it, as in RFC 3629. */
static void all_of_two_bytes(void **state)
{
	iconv_t converter = iconv_open("UTF-32LE", "UTF-8");

	for (unsigned a = 0xc0; a < 0x100; a++)
		for (unsigned b = 0x80; b < 0xc0; b++)
			judge(converter, (unsigned char[]){(unsigned char)a, (unsigned char)b}, 2);
	iconv_close(converter);
	(void)state;
}

static void many_of_three_and_four(void **state)
{
	iconv_t converter = iconv_open("UTF-32LE", "UTF-8");
	uint32_t random = 2463534242u;

	for (unsigned i = 0; i < DRAWS; i++) {
		unsigned char bytes[4];
		size_t length = 3 + i % 2;

		for (size_t j = 0; j < 4; j++) {
			random ^= random << 13;
			random ^= random >> 17;
			random ^= random << 5;
			bytes[j] = (unsigned char)(0x80 | (random >> 8 & 0x3f));
		}
		bytes[0] = (unsigned char)(length == 3 ? 0xe0 | (bytes[0] & 0xf) : 0xf0 | (bytes[0] & 7));
		judge(converter, bytes, length);
	}
	iconv_close(converter);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_two_bytes),
		cmocka_unit_test(many_of_three_and_four),
	};
	int failed;

	setlocale(LC_CTYPE, "C.UTF-8");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fflush(stderr);
	printf("%d passed, %d failed\n", 2 - failed, failed);
	return failed != 0;
}
