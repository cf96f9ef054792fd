/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON (RFC 8259) member by member. Each writes the comma before itself, except at the
 * beginning of a line, an object or an array. key: the member's name, which needs no escapes; NULL:
 * in an array, or alone. (Event lines are mostly copied from text made once: sink/event_json.c.)
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

/* text NULL: writes null. */
void json_text(struct strbuf *out, const char *key, const char *text);
void json_bytes(struct strbuf *out, const char *key, const char *bytes, size_t length);
void json_number(struct strbuf *out, const char *key, uint64_t number);
void json_bool(struct strbuf *out, const char *key, bool is);
void json_null(struct strbuf *out, const char *key);
/* text: a value as JSON already. */
void json_raw(struct strbuf *out, const char *key, const char *text);
/* "0xffffffff81000000": a string, as not every reader has 64-bit integers. */
void json_address(struct strbuf *out, const char *key, uint64_t address);

#endif
