// SPDX-License-Identifier: GPL-2.0-only
/* Bytes in, one contiguous NUL-terminated text out. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/last.h"

void strbuf_init(struct strbuf *buf)
{
	*buf = (struct strbuf){0};
}

void strbuf_deinit(struct strbuf *buf)
{
	free(buf->data);
	strbuf_init(buf);
}

void strbuf_grow(struct strbuf *buf, size_t more)
{
	size_t size = buf->size ? buf->size : 256;
	char *data;

	while (size && size - buf->length <= more)
		size *= 2;
	data = size ? realloc(buf->data, size) : NULL;
	if (!data)
		out_of_memory();
	buf->data = data;
	buf->size = size;
}

void strbuf_expand(struct strbuf *buf, const char *text, char mark, const char *with)
{
	for (; *text; text++) {
		if (*text == mark)
			strbuf_puts(buf, with);
		else
			strbuf_putc(buf, *text);
	}
}

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	char *room = strbuf_room(buf, 0);
	size_t size = buf->size - buf->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(room, size, format, args);
	va_end(args);
	if ((size_t)length >= size) {
		va_start(args, format);
		vsnprintf(strbuf_room(buf, (size_t)length), (size_t)length + 1, format, args);
		va_end(args);
	}
	buf->length += (size_t)length;
}

/* Bytes of the UTF-8 sequence at p, 0 where it is none (RFC 3629: no surrogates, no overlong). */
static size_t utf8_length(const unsigned char *p, size_t left)
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
	if (rune < least[length] || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000))
		return 0;
	return length;
}

/* What stands for itself in a JSON string. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Writes what doesn't; how many bytes of the text that was. */
static size_t json_escape(struct strbuf *buf, const unsigned char *p, size_t left)
{
	size_t n = utf8_length(p, left);

	if (!n)
		strbuf_puts(buf, "\\ufffd");
	else if (n > 1)
		strbuf_add(buf, p, n);
	else if (*p == '"' || *p == '\\')
		strbuf_printf(buf, "\\%c", *p);
	else if (*p == '\n')
		strbuf_puts(buf, "\\n");
	else if (*p == '\t')
		strbuf_puts(buf, "\\t");
	else
		strbuf_printf(buf, "\\u%04x", *p);
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
