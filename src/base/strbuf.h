/* SPDX-License-Identifier: GPL-2.0-only */
/* A text that grows, in malloc'd memory: for output and for text of unknown length. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct strbuf {
	char *data; /* NUL-terminated once anything was added; NULL before */
	size_t length;
	size_t size;
};

void strbuf_init(struct strbuf *buf);
void strbuf_deinit(struct strbuf *buf);
void strbuf_grow(struct strbuf *buf, size_t more);

/* Room for `more` bytes; strbuf_end() then makes them part of the text. */
static inline char *strbuf_room(struct strbuf *buf, size_t more)
{
	if (buf->size - buf->length <= more)
		strbuf_grow(buf, more);
	return buf->data + buf->length;
}

/* end: behind the last byte written. */
static inline void strbuf_end(struct strbuf *buf, char *end)
{
	buf->length = (size_t)(end - buf->data);
	*end = '\0';
}

static inline void strbuf_add(struct strbuf *buf, const void *data, size_t length)
{
	char *to = strbuf_room(buf, length);

	if (length)
		memcpy(to, data, length);
	strbuf_end(buf, to + length);
}

static inline void strbuf_puts(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

static inline void strbuf_putc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

/* Appends texts unescaped, up to a NULL. */
void strbuf_join(struct strbuf *buf, ...) __attribute__((sentinel));
/* printf(3) of strings, characters and integers. %s escapes its text: see escape.h. */
void strbuf_printf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* Appends text with every `mark` replaced. */
void strbuf_expand(struct strbuf *buf, const char *text, char mark, const char *with);
#endif
