// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells how many of a terminal's columns a character takes: 2 for East Asian ones and pictures, 0
 * for marks that combine. wcwidth(3) knows it only in a locale of UTF-8, which may not be set or
 * installed; the ranges are whole blocks of Unicode, so that a few rare characters in them are
 * taken for others.
 */
#include "base/display_width.h"

#include <stdbool.h>

struct range {
	uint32_t first;
	uint32_t last;
};

static const struct range combining[] = {
	{0x300, 0x36f},	  {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
	{0x64b, 0x65f},	  {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
	{0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};
static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0x33ff},   {0x3400, 0x4dbf},
	{0x4e00, 0x9fff},   {0xa000, 0xa4cf},	{0xa960, 0xa97f},   {0xac00, 0xd7a3},
	{0xf900, 0xfaff},   {0xfe30, 0xfe6f},	{0xff00, 0xff60},   {0xffe0, 0xffe6},
	{0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* The character at *at, which moves behind it. A byte that belongs to no character counts as
 * one. */
static uint32_t take(const char **at)
{
	const unsigned char *bytes = (const unsigned char *)*at;
	unsigned more = *bytes >= 0xf0 ? 3 : *bytes >= 0xe0 ? 2 : *bytes >= 0xc0 ? 1 : 0;
	uint32_t code = more ? *bytes & (0x3fu >> more) : *bytes;

	++*at;
	for (; more && (**at & 0xc0) == 0x80; more--)
		code = code << 6 | (unsigned char)(*(*at)++ & 0x3f);
	return code;
}

unsigned char_columns(const char **at)
{
	uint32_t code = take(at);

	if (code < 0x300)
		return 1;
	if (is_in(combining, sizeof(combining) / sizeof(*combining), code))
		return 0;
	return 1 + is_in(wide, sizeof(wide) / sizeof(*wide), code);
}

size_t text_columns(const char *text, size_t length)
{
	const char *end = text + length;
	size_t columns = 0;

	while (text < end)
		columns += char_columns(&text);
	return columns;
}
