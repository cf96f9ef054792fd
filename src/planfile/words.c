// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of a row. What isn't plain ASCII is written \xHH, so that a plan is safe to show, and
 * each of its rows is one line.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "planfile/internal.h"

/* No '=': it stands between a member's name and its value. No '#' and no ';': they end a row. */
static const char bare[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+-@%$*,&<>()[]~!?^|";

void put_word(struct strbuf *out, const char *text)
{
	char escaped[8];

	if (*text && !text[strspn(text, bare)]) {
		strbuf_puts(out, text);
		return;
	}
	strbuf_putc(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c > 0x7e) {
			snprintf(escaped, sizeof(escaped), "\\x%02x", c);
			strbuf_puts(out, escaped);
			continue;
		}
		if (c == '"' || c == '\\')
			strbuf_putc(out, '\\');
		strbuf_putc(out, (char)c);
	}
	strbuf_putc(out, '"');
}

static bool read_escape(const char **at, char *ret)
{
	const char *c = *at + 1;
	char digits[3] = {0};

	if (*c != 'x') {
		*ret = *c;
		*at = c + 1;
		return *c == '"' || *c == '\\';
	}
	for (unsigned i = 0; i < 2 && isxdigit((unsigned char)c[1 + i]); i++)
		digits[i] = c[1 + i];
	*ret = (char)strtoul(digits, NULL, 16);
	*at = c + 3;
	return digits[1] && *ret;
}

/* Behind the opening quote. */
static struct error *read_quoted(struct reading *reading, const char **ret)
{
	char *text = arena_alloc(reading->arena, strcspn(reading->at, "\n") + 1);
	size_t length = 0;

	*ret = text;
	while (*reading->at != '"') {
		if (!*reading->at || *reading->at == '\n')
			return bad(reading, "a quote isn't closed");
		if (*reading->at != '\\')
			text[length++] = *reading->at++;
		else if (!read_escape(&reading->at, &text[length++]))
			return bad(reading, "a text has an escape other than \\\", \\\\ and \\xHH");
	}
	reading->at++;
	if (*reading->at && !strchr(" \t\n;", *reading->at))
		return bad(reading, "a blank is missing behind a quote");
	return NULL;
}

static struct error *read_value(struct reading *reading, const char **ret)
{
	size_t length = strspn(reading->at, bare);

	if (*reading->at == '"') {
		reading->at++;
		return read_quoted(reading, ret);
	}
	*ret = arena_strndup(reading->arena, reading->at, length);
	reading->at += length;
	return NULL;
}

struct error *next_word(struct reading *reading, const char **name, const char **value)
{
	struct error *error;

	*name = *value = NULL;
	reading->at += strspn(reading->at, " \t");
	if (!*reading->at || strchr("\n;#", *reading->at))
		return NULL;
	if (*reading->at == '"')
		return read_value(reading, value);
	error = read_value(reading, name);
	if (!error && *reading->at == '=') {
		reading->at++;
		error = read_value(reading, value);
	}
	if (!error && *reading->at && !strchr(" \t\n;", *reading->at))
		error = bad(reading, "a word has a character that belongs in quotes");
	return error;
}
