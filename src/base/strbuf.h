/* SPDX-License-Identifier: GPL-2.0-only */
/* A text that grows, on malloc: for output and for text of unknown length. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>

struct strbuf {
	char *data; /* NUL-terminated once anything was added; NULL before */
	size_t length;
	size_t size;
};

void strbuf_init(struct strbuf *buf);
void strbuf_deinit(struct strbuf *buf);
void strbuf_add(struct strbuf *buf, const void *data, size_t length);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
void strbuf_printf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* text with every `mark` replaced. */
void strbuf_expand(struct strbuf *buf, const char *text, char mark, const char *with);
/* "text" with quotes and escapes, as a JSON string (RFC 8259); bytes that are no UTF-8 become
 * U+FFFD. */
void strbuf_json(struct strbuf *buf, const char *text, size_t length);

#endif
