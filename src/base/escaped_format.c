// SPDX-License-Identifier: GPL-2.0-only
/*
 * printf into a strbuf, except that %s escapes its text (escape.h). Names from a program are
 * printed in no other way, so none can be forgotten.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

#define FLAGS "-+ #0"

struct directive {
	char text[32]; /* without '*' and the length */
	char length;   /* 0, 'l', 'z'; 'q': ll */
	char kind;
};

/* Reads a directive, with '*' replaced: "%-*d" and 7 give "%-7d". Returns its end. */
static const char *read_directive(const char *p, va_list *args, struct directive *ret)
{
	size_t n = 0;

	*ret = (struct directive){0};
	do {
		if (*p == '*')
			n += (size_t)snprintf(ret->text + n, sizeof(ret->text) - n, "%d",
					      va_arg(*args, int));
		else
			ret->text[n++] = *p;
		p++;
	} while (*p && strchr(FLAGS "123456789.*", *p) && n < sizeof(ret->text) - 16);
	if (*p == 'l' || *p == 'z')
		ret->length = *p++;
	if (*p == 'l') {
		ret->length = 'q';
		p++;
	}
	ret->kind = *p;
	return p + !!*p;
}

static void put_string(struct strbuf *buf, const struct directive *directive, const char *text)
{
	const char *dot = strchr(directive->text, '.');
	int width = atoi(directive->text + 1 + strspn(directive->text + 1, FLAGS));
	int most = dot ? atoi(dot + 1) : -1;
	size_t start = buf->length, length, pad;

	text = text ? text : "(null)";
	strbuf_shown(buf, text, most < 0 ? strlen(text) : strnlen(text, (size_t)most), "\t");
	length = buf->length - start;
	if ((size_t)width <= length || width < 0)
		return;
	pad = (size_t)width - length;
	memset(strbuf_room(buf, pad), ' ', pad);
	strbuf_end(buf, buf->data + buf->length + pad);
	if (strchr(directive->text, '-'))
		return;
	memmove(buf->data + start + pad, buf->data + start, length);
	memset(buf->data + start, ' ', pad);
}

static void put_number(struct strbuf *buf, struct directive *directive, va_list *args)
{
	size_t end = strlen(directive->text);
	char text[512];

	directive->text[end] = 'l';
	directive->text[end + 1] = 'l';
	directive->text[end + 2] = directive->kind;
	if (strchr("di", directive->kind))
		snprintf(text, sizeof(text), directive->text,
			 directive->length == 'q' ? va_arg(*args, long long) :
			 directive->length	  ? (long long)va_arg(*args, long) :
						    (long long)va_arg(*args, int));
	else
		snprintf(text, sizeof(text), directive->text,
			 directive->length == 'q' ? va_arg(*args, unsigned long long) :
			 directive->length ? (unsigned long long)va_arg(*args, unsigned long) :
			 (unsigned long long)va_arg(*args, unsigned));
	strbuf_puts(buf, text);
}

/* All directives that this program uses; the compiler checks the rest. */
static void put_directive(struct strbuf *buf, struct directive *directive, va_list *args)
{
	switch (directive->kind) {
	case 's':
		put_string(buf, directive, va_arg(*args, const char *));
		break;
	case 'c':
		strbuf_putc(buf, (char)va_arg(*args, int));
		break;
	case 'd':
	case 'i':
	case 'u':
	case 'x':
		put_number(buf, directive, args);
		break;
	case '%':
		strbuf_putc(buf, '%');
		break;
	default:
		abort();
	}
}

void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
{
	struct directive directive;
	va_list rest;

	va_copy(rest, args);
	while (*format) {
		size_t plain = strcspn(format, "%");

		strbuf_add(buf, format, plain);
		format += plain;
		if (!*format)
			break;
		format = read_directive(format, &rest, &directive);
		put_directive(buf, &directive, &rest);
	}
	va_end(rest);
}

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(buf, format, args);
	va_end(args);
}
