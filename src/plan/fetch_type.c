// SPDX-License-Identifier: GPL-2.0-only
/*
 * The type of a fetch: printed, read from the user's text, and its size. A record has 4 bytes of a
 * string, which say where it lies; a fetch without a type takes 8.
 */
#include <stdlib.h>

#include "plan/fetch.h"
#include "plan/fetch_type.h"

void fetch_type_print(struct strbuf *out, const struct fetch_type *type)
{
	static const char *const names[] = {
		[FETCH_CHAR] = "char", [FETCH_STRING] = "string", [FETCH_USTRING] = "ustring",
	};

	if (type->kind == FETCH_DEFAULT)
		return;
	strbuf_putc(out, ':');
	if (type->words) {
		strbuf_puts(out, type->words);
		return;
	}
	if (type->kind == FETCH_NUMBER)
		strbuf_printf(out, "%c%u", type->letter, type->bits);
	else if (type->kind == FETCH_BITS)
		strbuf_printf(out, "b%u@%u/%u", type->width, type->shift, type->bits);
	else
		strbuf_puts(out, names[type->kind]);
	if (type->count)
		strbuf_printf(out, "[%u]", type->count);
}

char *fetch_type_text(struct arena *arena, const struct fetch_type *type)
{
	struct strbuf out = {0};
	char *text;

	fetch_type_print(&out, type);
	text = arena_strndup(arena, out.data ? out.data : "", out.length);
	strbuf_deinit(&out);
	return text;
}

struct fetch_type number_type(char letter, unsigned bits)
{
	return (struct fetch_type){.kind = FETCH_NUMBER, .letter = letter, .bits = bits};
}

struct fetch_type array_type(char letter, unsigned bits, unsigned count)
{
	return (struct fetch_type){
		.kind = FETCH_NUMBER, .letter = letter, .bits = bits, .count = count};
}

struct fetch_type read_type(const char *words)
{
	const char *bracket = strchr(words, '[');
	size_t length = bracket ? (size_t)(bracket - words) : strlen(words);
	struct fetch_type type = {.kind = FETCH_OTHER, .words = words};
	char *end;

	if (bracket)
		type.count = (unsigned)strtoul(bracket + 1, NULL, 0);
	if (length == 4 && !strncmp(words, "char", 4)) {
		type.kind = FETCH_CHAR;
	} else if (length == 6 && !strncmp(words, "string", 6)) {
		type.kind = FETCH_STRING;
	} else if (length == 7 && !strncmp(words, "ustring", 7)) {
		type.kind = FETCH_USTRING;
	} else if (words[0] == 'b') {
		type.kind = FETCH_BITS;
		type.width = (uint8_t)strtoul(words + 1, &end, 0);
		type.shift = (uint8_t)strtoul(end + 1, &end, 0);
		type.bits = (unsigned)strtoul(end + 1, NULL, 0);
	} else if (strchr("usx", words[0]) && strtoul(words + 1, NULL, 10)) {
		type.kind = FETCH_NUMBER;
		type.letter = words[0];
		type.bits = (unsigned)strtoul(words + 1, NULL, 10);
	}
	return type;
}

unsigned element_size(const struct fetch_type *type)
{
	if (fetch_type_is_string(type))
		return 4;
	return type->kind == FETCH_CHAR ? 1 : type->bits ? type->bits / 8 : 8;
}

unsigned fetch_size(const struct fetch_type *type)
{
	return element_size(type) * (type->count ? type->count : 1);
}

bool same_type(const struct fetch_type *a, const struct fetch_type *b)
{
	if (a->kind == FETCH_OTHER && b->kind == FETCH_OTHER)
		return !strcmp(a->words, b->words);
	return a->kind == b->kind && a->letter == b->letter && a->bits == b->bits &&
	       a->width == b->width && a->shift == b->shift && a->count == b->count;
}
