/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON (RFC 8259) written member by member. Each puts the comma before itself that it needs: none at the beginning
 * of a line, an object or an array. key: the member's name, which needs no escapes; NULL: it stands in an array, or
 * alone. (Of an event's line, all but the values is written once and copied from then on: sink/json.c.)
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

void json_object(struct strbuf *out, const char *key);
void json_object_end(struct strbuf *out);
void json_array(struct strbuf *out, const char *key);
void json_array_end(struct strbuf *out);

/* NULL is null. */
void json_text(struct strbuf *out, const char *key, const char *text);
void json_bytes(struct strbuf *out, const char *key, const char *bytes, size_t length);
void json_number(struct strbuf *out, const char *key, uint64_t number);
void json_bool(struct strbuf *out, const char *key, bool is);
void json_null(struct strbuf *out, const char *key);
/* "0xffffffff81000000": a text, as not every reader has integers of 64 bits. */
void json_address(struct strbuf *out, const char *key, uint64_t address);

#endif
