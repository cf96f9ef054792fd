/* SPDX-License-Identifier: GPL-2.0-only */
/* How wide a character of UTF-8 is on a terminal. */
#ifndef BASE_DISPLAY_WIDTH_H
#define BASE_DISPLAY_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the character at *at, which must not be a NUL: 0, 1 or 2. Moves *at behind it. */
unsigned char_columns(const char **at);

#endif
