// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints values and what changed in them as text, in a column of their own.
 */
#include "base/escape.h"
#include "sink/follow/text.h"

#define VALUE_MOST 48u /* bytes of a value, unless all is asked for */

void follow_paint(const struct follow *follow, enum paint as)
{
	static const char *const codes[] = {
		[PAINT_TITLE] = "1",	[PAINT_DIM] = "2",   [PAINT_NEW] = "32",
		[PAINT_CHANGED] = "33", [PAINT_CALL] = "36", [PAINT_RESULT] = "1;32",
		[PAINT_BAD] = "1;31",	[PAINT_OFF] = "0",
	};

	if (follow->options.is_colored)
		strbuf_join(follow->out, "\033[", codes[as], "m", NULL);
}

void follow_blanks(struct strbuf *out, size_t count)
{
	while (count--)
		strbuf_putc(out, ' ');
}

void follow_word(const struct follow *follow, const char *text)
{
	size_t length = strlen(text), most = VALUE_MOST;

	if (follow->options.is_whole || length <= most) {
		strbuf_puts(follow->out, text);
		return;
	}
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	strbuf_add(follow->out, text, most);
	strbuf_puts(follow->out, follow->options.is_utf8 ? "\u2026" : "...");
}

void follow_args(const struct follow *follow, const struct changes *args)
{
	strbuf_putc(follow->out, '(');
	for (unsigned i = 0; i < args->count; i++) {
		strbuf_puts(follow->out, i ? ", " : "");
		strbuf_shown(follow->out, args->list[i].name, strlen(args->list[i].name), "");
		strbuf_putc(follow->out, '=');
		follow_word(follow, args->list[i].is);
	}
	strbuf_putc(follow->out, ')');
}

size_t follow_columns(const char *text, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

static void put_change(const struct follow *follow, const struct change *change)
{
	strbuf_shown(follow->out, change->name, strlen(change->name), "");
	strbuf_puts(follow->out, change->was ? ": " : "=");
	if (change->was) {
		follow_word(follow, change->was);
		strbuf_puts(follow->out, " -> ");
	}
	follow_paint(follow, change->was ? PAINT_CHANGED : PAINT_NEW);
	follow_word(follow, change->is);
	follow_paint(follow, PAINT_OFF);
}

static size_t word_width(const struct follow *follow, const char *text)
{
	size_t width = follow_columns(text, strlen(text));

	return follow->options.is_whole || width <= VALUE_MOST ?
		       width :
		       VALUE_MOST + (follow->options.is_utf8 ? 1 : 3);
}

static size_t change_width(const struct follow *follow, const struct change *change)
{
	return strlen(change->name) + (change->was ? word_width(follow, change->was) + 6 : 1) +
	       word_width(follow, change->is);
}

static void put_in_column(const struct follow *follow, const struct change *change,
			  struct column *column)
{
	size_t most = follow->options.columns, width = change_width(follow, change);
	size_t behind = column->now + (column->is_first ? CHANGES_START : 2);
	size_t from = column->is_first && behind < column->at ? column->at : behind;

	if (most && from + width > most && from > column->at) {
		strbuf_putc(follow->out, '\n');
		from = column->at;
		column->now = 0;
	}
	follow_blanks(follow->out, from - column->now);
	put_change(follow, change);
	column->now = from + width;
	column->is_first = false;
}

void follow_changes(const struct follow *follow, const struct changes *changes,
		    struct column *column)
{
	for (unsigned i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];
		struct differences differences = {.count = 0};

		if (!follow->options.is_whole && change->was && change->was[0] == '{')
			differences_find(change, &differences);
		if (!differences.count)
			put_in_column(follow, change, column);
		for (unsigned j = 0; j < differences.count && j < DIFFERENCES_MOST; j++)
			put_in_column(follow, &differences.list[j], column);
		if (differences.count > DIFFERENCES_MOST) {
			size_t start = follow->out->length;

			strbuf_printf(follow->out, "  and %u more of %s",
				      differences.count - DIFFERENCES_MOST, change->name);
			column->now += follow->out->length - start;
		}
		differences_free(&differences);
	}
}
