// SPDX-License-Identifier: GPL-2.0-only
/* A growing, contiguous, NUL-terminated text. */
#include "base/strbuf.h"

#include <stdarg.h>
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

void strbuf_join(struct strbuf *buf, ...)
{
	const char *text;
	va_list args;

	va_start(args, buf);
	while ((text = va_arg(args, const char *)))
		strbuf_puts(buf, text);
	va_end(args);
}
