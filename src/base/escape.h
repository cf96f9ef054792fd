/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes untrusted text so that no terminal or reader takes it for anything else. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>

#include "base/strbuf.h"

/* For people: UTF-8 and blanks stay; what moves the cursor, ends a line (unless in `keep`),
 * changes the direction of writing, or isn't UTF-8 becomes \033. */
void strbuf_shown(struct strbuf *buf, const char *text, size_t length, const char *keep);
/* The same with a backslash as two, so that different texts stay different. */
void strbuf_escaped(struct strbuf *buf, const char *text, size_t length);
bool is_utf8(const char *text, size_t length);
/* As inside a C literal with that quote: only ASCII. */
void strbuf_literal(struct strbuf *buf, const char *text, size_t length, char quote);
/* "text" with quotes and escapes, as a JSON string (RFC 8259); bytes that aren't UTF-8 become
 * U+FFFD. */
void strbuf_json(struct strbuf *buf, const char *text, size_t length);

#endif
