// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses one JSON value into a tree. Numbers stay text, since a double doesn't hold all that ktrace
 * counts.
 */
#include "base/json_tree.h"

#include "base/escape.h"

#define DEPTH_MAX 64u

struct reader {
	struct arena *arena;
	const char *at;
	const char *end;
	unsigned depth;
};

static const struct json *read_value(struct reader *reader, const char *name);

static void skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && *reader->at && strchr(" \t\n\r", *reader->at))
		reader->at++;
}

static bool eat(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if (length > (size_t)(reader->end - reader->at) || memcmp(reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

/* Reads the four digits of \uXXXX. Returns UINT32_MAX when there aren't four. */
static uint32_t read_unit(struct reader *reader)
{
	uint32_t unit = 0;

	for (unsigned i = 0; i < 4; i++) {
		char c = reader->at < reader->end ? *reader->at++ : 0;
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') :
				 (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ?
							(unsigned)((c | 0x20) - 'a' + 10) :
							16;

		if (digit > 15)
			return UINT32_MAX;
		unit = unit << 4 | digit;
	}
	return unit;
}

static void put_utf8(struct strbuf *out, uint32_t code)
{
	if (code < 0x80) {
		strbuf_putc(out, (char)code);
	} else if (code < 0x800) {
		strbuf_putc(out, (char)(0xc0 | code >> 6));
		strbuf_putc(out, (char)(0x80 | (code & 63)));
	} else if (code < 0x10000) {
		strbuf_putc(out, (char)(0xe0 | code >> 12));
		strbuf_putc(out, (char)(0x80 | (code >> 6 & 63)));
		strbuf_putc(out, (char)(0x80 | (code & 63)));
	} else {
		strbuf_putc(out, (char)(0xf0 | code >> 18));
		strbuf_putc(out, (char)(0x80 | (code >> 12 & 63)));
		strbuf_putc(out, (char)(0x80 | (code >> 6 & 63)));
		strbuf_putc(out, (char)(0x80 | (code & 63)));
	}
}

/* A character beyond 16 bits is written as two \uXXXX. */
static bool read_code(struct reader *reader, struct strbuf *out)
{
	uint32_t code = read_unit(reader), low;

	if (code >= 0xd800 && code < 0xdc00) {
		low = eat(reader, "\\u") ? read_unit(reader) : 0;
		if (low < 0xdc00 || low >= 0xe000)
			return false;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xdc00 && code < 0xe000) {
		return false;
	}
	if (!code || code > 0x10ffff)
		return false;
	put_utf8(out, code);
	return true;
}

static bool read_escape(struct reader *reader, struct strbuf *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char c = reader->at < reader->end ? *reader->at++ : 0;
	const char *found = c ? strchr(letters, c) : NULL;

	if (c == 'u')
		return read_code(reader, out);
	if (found)
		strbuf_putc(out, meant[found - letters]);
	return found;
}

/* Reads a string from behind its first quote. Returns NULL when it isn't valid. */
static const char *read_text(struct reader *reader)
{
	struct strbuf out = {0};
	const char *ret = NULL;
	bool good = true;

	while (good && reader->at < reader->end && *reader->at != '"') {
		char c = *reader->at++;

		good = (unsigned char)c >= 0x20;
		if (c == '\\')
			good = read_escape(reader, &out);
		else if (good)
			strbuf_putc(&out, c);
	}
	if (good && eat(reader, "\""))
		ret = arena_strndup(reader->arena, out.data ? out.data : "", out.length);
	strbuf_deinit(&out);
	return ret;
}

static bool read_digits(struct reader *reader)
{
	const char *start = reader->at;

	while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
		reader->at++;
	return reader->at > start;
}

static const char *read_number(struct reader *reader)
{
	const char *start = reader->at;
	bool good;

	eat(reader, "-");
	good = read_digits(reader);
	if (good && eat(reader, "."))
		good = read_digits(reader);
	if (good && (eat(reader, "e") || eat(reader, "E"))) {
		if (!eat(reader, "-"))
			eat(reader, "+");
		good = read_digits(reader);
	}
	return good ? arena_strndup(reader->arena, start, (size_t)(reader->at - start)) : NULL;
}

/* Reads a member's "name":. Returns NULL when it isn't there. */
static const char *read_name(struct reader *reader)
{
	const char *name;

	skip_blanks(reader);
	name = eat(reader, "\"") ? read_text(reader) : NULL;
	skip_blanks(reader);
	return name && eat(reader, ":") ? name : NULL;
}

/* Reads what is in an array or object, up to the closing bracket. */
static bool read_inside(struct reader *reader, struct json *json, const char *close)
{
	const struct json **last = &json->first;

	skip_blanks(reader);
	if (eat(reader, close))
		return true;
	do {
		const char *name = json->kind == JSON_OBJECT ? read_name(reader) : NULL;
		const struct json *element =
			json->kind == JSON_OBJECT && !name ? NULL : read_value(reader, name);

		if (!element)
			return false;
		*last = element;
		last = (const struct json **)&element->next;
		skip_blanks(reader);
	} while (eat(reader, ","));
	return eat(reader, close);
}

static bool read_kind(struct reader *reader, struct json *json)
{
	if (eat(reader, "null"))
		return true;
	json->kind = JSON_FALSE;
	if (eat(reader, "false"))
		return true;
	json->kind = JSON_TRUE;
	if (eat(reader, "true"))
		return true;
	json->kind = JSON_TEXT;
	if (eat(reader, "\""))
		return (json->text = read_text(reader));
	json->kind = JSON_ARRAY;
	if (eat(reader, "["))
		return read_inside(reader, json, "]");
	json->kind = JSON_OBJECT;
	if (eat(reader, "{"))
		return read_inside(reader, json, "}");
	json->kind = JSON_NUMBER;
	return (json->text = read_number(reader));
}

static const struct json *read_value(struct reader *reader, const char *name)
{
	struct json *json = arena_new(reader->arena, struct json);
	bool good;

	json->name = name;
	if (reader->depth == DEPTH_MAX)
		return NULL;
	reader->depth++;
	skip_blanks(reader);
	good = read_kind(reader, json);
	reader->depth--;
	return good ? json : NULL;
}

const struct json *json_read(struct arena *arena, const char *text, size_t length)
{
	struct reader reader = {.arena = arena, .at = text, .end = text + length};
	const struct json *json = read_value(&reader, NULL);

	skip_blanks(&reader);
	return reader.at == reader.end ? json : NULL;
}

const struct json *json_member(const struct json *object, const char *name)
{
	const struct json *member = object && object->kind == JSON_OBJECT ? object->first : NULL;

	while (member && strcmp(member->name, name) != 0)
		member = member->next;
	return member;
}

bool json_integer(const struct json *json, __int128 *ret)
{
	const char *at = json && json->kind == JSON_NUMBER ? json->text : "";
	bool is_negative = *at == '-';
	__int128 number = 0;

	at += is_negative;
	if (!*at)
		return false;
	for (; *at; at++) {
		if (*at < '0' || *at > '9' || number > ((__int128)1 << 126) / 10)
			return false;
		number = number * 10 + (*at - '0');
	}
	*ret = is_negative ? -number : number;
	return true;
}

bool json_counter(const struct json *json, uint64_t *ret)
{
	__int128 number;

	if (!json_integer(json, &number) || number < 0 || number > UINT64_MAX)
		return false;
	*ret = (uint64_t)number;
	return true;
}

void json_write(struct strbuf *out, const struct json *json)
{
	static const char *const words[] = {"null", "false", "true"};
	const struct json *element;

	switch (json->kind) {
	case JSON_TEXT: strbuf_json(out, json->text, strlen(json->text)); return;
	case JSON_NUMBER: strbuf_puts(out, json->text); return;
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	default: strbuf_puts(out, words[json->kind]); return;
	}
	strbuf_putc(out, json->kind == JSON_ARRAY ? '[' : '{');
	for (element = json->first; element; element = element->next) {
		if (element != json->first)
			strbuf_putc(out, ',');
		if (element->name) {
			strbuf_json(out, element->name, strlen(element->name));
			strbuf_putc(out, ':');
		}
		json_write(out, element);
	}
	strbuf_putc(out, json->kind == JSON_ARRAY ? ']' : '}');
}
