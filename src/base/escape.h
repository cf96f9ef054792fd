/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of anybody's, so written that it can't be taken for anything else, by a terminal or a reader. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/strbuf.h"

/* To be read: UTF-8 and blanks as they are; what moves a cursor, ends a line (unless it is in `keep`), turns
 * the direction of writing, or is no UTF-8, as \033. */
void strbuf_shown(struct strbuf *buf, const char *text, size_t length, const char *keep);
/* As inside of a C literal with that quote: nothing but ASCII. */
void strbuf_literal(struct strbuf *buf, const char *text, size_t length, char quote);
/* "text" with quotes and escapes, as a JSON string (RFC 8259); bytes that are no UTF-8 become
 * U+FFFD. */
void strbuf_json(struct strbuf *buf, const char *text, size_t length);

#endif
