/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON (RFC 8259) read: one value, as a tree. */
#ifndef BASE_JSON_TREE_H
#define BASE_JSON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_TEXT,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json {
	enum json_kind kind;
	const char *name; /* of a member, or NULL */
	const char *text; /* TEXT; NUMBER as it was written */
	const struct json *first; /* ARRAY, OBJECT: what is in it */
	const struct json *next;  /* in what it is in */
};

/* NULL: it is no JSON, or nested too deeply, or has a text with a NUL in it. */
const struct json *json_read(struct arena *arena, const char *text, size_t length);
/* NULL: it has none of that name, or is NULL. */
const struct json *json_member(const struct json *object, const char *name);
/* false: it is no integer of 126 bits, or NULL. */
bool json_integer(const struct json *json, __int128 *ret);
bool json_counter(const struct json *json, uint64_t *ret);
/* As base/json.h would have written it. */
void json_write(struct strbuf *out, const struct json *json);

#endif
