/* SPDX-License-Identifier: GPL-2.0-only */
/* How wide characters of UTF-8 are on a terminal. */
#ifndef BASE_DISPLAY_WIDTH_H
#define BASE_DISPLAY_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/* Columns of the character at *at, which must not be a NUL: 0, 1 or 2. Moves *at behind it. */
unsigned char_columns(const char **at);
/* Columns of so many bytes of a text without a NUL, which end with a whole character. */
size_t text_columns(const char *text, size_t length);

#endif
