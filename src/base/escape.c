// SPDX-License-Identifier: GPL-2.0-only
/* Escapes untrusted bytes: for people, as a C literal, as JSON. */
#include "base/escape.h"

#include <stdint.h>

/* The length of the UTF-8 sequence at p, bytes. Returns 0 when it isn't valid (RFC 3629: no
 * surrogates, no overlong forms). */
static size_t utf8_length(const unsigned char *p, size_t left, uint32_t *ret)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 :
			p[0] < 0xf8 ? 4 : 0;
	uint32_t rune = length < 2 ? p[0] : p[0] & (0x7fu >> length);

	if (!length || length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		rune = rune << 6 | (p[i] & 0x3f);
	}
	*ret = rune;
	if (rune < least[length] || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000))
		return 0;
	return length;
}

/* Whether it changes the text around it, or the terminal. */
static bool is_acting(uint32_t rune)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0, 0x1f},	  {0x7f, 0x9f},	    {0xad, 0xad},	{0x61c, 0x61c},
		{0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},	{0x2060, 0x206f},
		{0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (rune >= ranges[i].first && rune <= ranges[i].last)
			return true;
	return false;
}

static bool is_ascii(unsigned char c)
{
	return c >= 0x20 && c < 0x7f;
}

static void put_escape(struct strbuf *buf, unsigned char c)
{
	static const char controls[] = "abtnvfr"; /* from 7 on */
	char escape[4] = {'\\', (char)c, (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7))};

	if (c >= 7 && c <= 13)
		escape[1] = controls[c - 7];
	else if (!is_ascii(c))
		escape[1] = (char)('0' + (c >> 6));
	strbuf_add(buf, escape, is_ascii(c) || (c >= 7 && c <= 13) ? 2 : 4);
}

/* How many bytes at p stay as they are; 0: that byte is escaped. */
static size_t shown_length(const unsigned char *p, size_t left, const char *keep)
{
	uint32_t rune;
	size_t length;

	if (is_ascii(*p))
		return 1;
	if (*p && strchr(keep, *p))
		return 1;
	length = utf8_length(p, left, &rune);
	return length && !is_acting(rune) ? length : 0;
}

void strbuf_shown(struct strbuf *buf, const char *text, size_t length, const char *keep)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t done = 0, at = 0;

	while (at < length) {
		size_t shown = shown_length(p + at, length - at, keep);

		at += shown;
		if (shown)
			continue;
		strbuf_add(buf, text + done, at - done);
		put_escape(buf, p[at]);
		done = ++at;
	}
	strbuf_add(buf, text + done, length - done);
}

void strbuf_escaped(struct strbuf *buf, const char *text, size_t length)
{
	const char *end = text + length, *slash;

	for (; (slash = memchr(text, '\\', (size_t)(end - text))); text = slash + 1) {
		strbuf_shown(buf, text, (size_t)(slash - text), "");
		strbuf_puts(buf, "\\\\");
	}
	strbuf_shown(buf, text, (size_t)(end - text), "");
}

bool is_utf8(const char *text, size_t length)
{
	const unsigned char *p = (const unsigned char *)text;
	uint32_t rune;
	size_t n;

	for (; length; p += n, length -= n) {
		n = utf8_length(p, length, &rune);
		if (!n)
			return false;
	}
	return true;
}

void strbuf_literal(struct strbuf *buf, const char *text, size_t length, char quote)
{
	size_t done = 0;

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (is_ascii(c) && c != '\\' && c != (unsigned char)quote)
			continue;
		strbuf_add(buf, text + done, i - done);
		put_escape(buf, c);
		done = i + 1;
	}
	strbuf_add(buf, text + done, length - done);
}

/* Whether it stands for itself in a JSON string. */
static bool is_plain(unsigned char c)
{
	return is_ascii(c) && c != '"' && c != '\\';
}

/* RFC 8259: above U+FFFF as two surrogates. */
static void json_rune(struct strbuf *buf, uint32_t rune)
{
	if (rune >= 0x10000)
		strbuf_printf(buf, "\\u%04x", 0xd7c0 + (rune >> 10));
	strbuf_printf(buf, "\\u%04x", rune >= 0x10000 ? 0xdc00 | (rune & 0x3ff) : rune);
}

/* Escapes the character at p. Returns its length in the text, bytes. */
static size_t json_escape(struct strbuf *buf, const unsigned char *p, size_t left)
{
	uint32_t rune;
	size_t n = utf8_length(p, left, &rune);

	if (!n)
		strbuf_puts(buf, "\\ufffd");
	else if (n > 1 && !is_acting(rune))
		strbuf_add(buf, p, n);
	else if (*p == '"' || *p == '\\')
		strbuf_printf(buf, "\\%c", *p);
	else if (*p == '\n')
		strbuf_puts(buf, "\\n");
	else if (*p == '\t')
		strbuf_puts(buf, "\\t");
	else
		json_rune(buf, rune);
	return n ? n : 1;
}

void strbuf_json(struct strbuf *buf, const char *text, size_t length)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t plain;

	strbuf_putc(buf, '"');
	for (size_t i = 0; i < length; i += plain) {
		for (plain = 0; i + plain < length && is_plain(p[i + plain]); plain++)
			;
		strbuf_add(buf, p + i, plain);
		if (i + plain < length)
			plain += json_escape(buf, p + i + plain, length - i - plain);
	}
	strbuf_putc(buf, '"');
}
