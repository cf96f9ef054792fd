/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses JSON (RFC 8259): one value, as a tree. */
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
	const char *text; /* TEXT; NUMBER: as it was written */
	const struct json *first; /* ARRAY, OBJECT: the first element */
	const struct json *next;  /* the next element of the parent */
};

/* Returns NULL when it isn't valid JSON, is nested too deeply, or a string has a NUL in it. */
const struct json *json_read(struct arena *arena, const char *text, size_t length);
/* Returns NULL when there is no such member, or object is NULL. */
const struct json *json_member(const struct json *object, const char *name);
/* Returns false when it isn't an integer of at most 126 bits, or is NULL. */
bool json_integer(const struct json *json, __int128 *ret);
bool json_counter(const struct json *json, uint64_t *ret);
/* Writes it as base/json.h does. */
void json_write(struct strbuf *out, const struct json *json);

#endif
