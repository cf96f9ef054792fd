// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes JSON member by member. The last byte written tells whether a comma is due, so no state is
 * kept: a value never ends in a byte that begins something.
 */
#include "base/json.h"

#include "base/escape.h"

static void begin_element(struct strbuf *out, const char *key)
{
	if (out->length && !strchr("{[\n", out->data[out->length - 1]))
		strbuf_putc(out, ',');
	if (key)
		strbuf_join(out, "\"", key, "\":", NULL);
}

void json_object(struct strbuf *out, const char *key)
{
	begin_element(out, key);
	strbuf_putc(out, '{');
}

void json_object_end(struct strbuf *out)
{
	strbuf_putc(out, '}');
}

void json_array(struct strbuf *out, const char *key)
{
	begin_element(out, key);
	strbuf_putc(out, '[');
}

void json_array_end(struct strbuf *out)
{
	strbuf_putc(out, ']');
}

void json_raw(struct strbuf *out, const char *key, const char *text)
{
	begin_element(out, key);
	strbuf_puts(out, text);
}

void json_text(struct strbuf *out, const char *key, const char *text)
{
	if (text)
		json_bytes(out, key, text, strlen(text));
	else
		json_null(out, key);
}

void json_bytes(struct strbuf *out, const char *key, const char *bytes, size_t length)
{
	begin_element(out, key);
	strbuf_json(out, bytes, length);
}

void json_number(struct strbuf *out, const char *key, uint64_t number)
{
	begin_element(out, key);
	strbuf_printf(out, "%llu", (unsigned long long)number);
}

void json_bool(struct strbuf *out, const char *key, bool is)
{
	begin_element(out, key);
	strbuf_puts(out, is ? "true" : "false");
}

void json_null(struct strbuf *out, const char *key)
{
	begin_element(out, key);
	strbuf_puts(out, "null");
}

void json_address(struct strbuf *out, const char *key, uint64_t address)
{
	begin_element(out, key);
	strbuf_printf(out, "\"%#llx\"", (unsigned long long)address);
}
