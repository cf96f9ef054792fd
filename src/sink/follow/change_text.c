// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints values and what changed in them as text, in a column of their own.
 */
#include "base/display_width.h"
#include "base/escape.h"
#include "sink/follow/text.h"

#define VALUE_MOST  48u /* columns of a value, unless all is asked for */
#define VALUE_LEAST 18u /* however narrow the terminal: an address */
#define RESULT_START 8u /* columns: a result is on a line of its own where there is little room */
#define CONTEXT     8u  /* bytes of what two long values have in common */

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

static void put_cut(const struct follow *follow)
{
	strbuf_puts(follow->out, follow->options.is_utf8 ? "\u2026" : "...");
}

/* A character, or an escape: \n or \303, which isn't taken apart. *at moves behind it. Returns its
 * columns. */
static unsigned take_sign(const char **at)
{
	const char *first = *at;

	if (first[0] != '\\' || !first[1])
		return char_columns(at);
	*at += first[1] >= '0' && first[1] <= '3' ? strnlen(first, 4) : 2;
	return (unsigned)(*at - first);
}

/* How many bytes of a value take at most so many columns. */
static size_t fitting(const char *text, size_t most)
{
	const char *at = text, *end = text;
	size_t columns = 0;

	while (*at) {
		columns += take_sign(&at);
		if (columns > most)
			break;
		end = at;
	}
	return (size_t)(end - text);
}

static size_t columns_of(const char *text)
{
	return text_columns(text, strlen(text));
}

/* A value from a byte of it on, cut to so many columns. */
static void put_part(const struct follow *follow, const char *text, size_t from, size_t most)
{
	size_t length = fitting(text + from, most);

	if (from)
		put_cut(follow);
	strbuf_add(follow->out, text + from, length);
	if (text[from + length])
		put_cut(follow);
}

void follow_wrap(const struct follow *follow, struct column *column, size_t start)
{
	struct strbuf *out = follow->out, piece = {0};
	size_t width = text_columns(out->data + start, out->length - start);

	column->now += width;
	if (!follow->options.columns || column->now <= follow->options.columns ||
	    column->now - width <= column->at)
		return;
	while (start + piece.length < out->length && out->data[start] == ' ')
		start++, width--;
	strbuf_add(&piece, out->data + start, out->length - start);
	out->length = start;
	while (out->length && out->data[out->length - 1] == ' ')
		out->length--;
	strbuf_putc(out, '\n');
	follow_blanks(out, column->at);
	strbuf_add(out, piece.data, piece.length);
	strbuf_deinit(&piece);
	column->now = column->at + width;
}

/* Columns of a value behind so many of its line. */
static size_t value_room(const struct follow *follow, size_t before)
{
	size_t all = follow->options.columns;

	if (follow->options.is_whole)
		return SIZE_MAX;
	if (!all || all > before + VALUE_MOST)
		return VALUE_MOST;
	return all > before + VALUE_LEAST ? all - before : VALUE_LEAST;
}

void follow_word(const struct follow *follow, const char *text)
{
	put_part(follow, text, 0, value_room(follow, RESULT_START));
}

void follow_args(const struct follow *follow, const struct changes *args, struct column *column)
{
	struct strbuf *out = follow->out;

	strbuf_putc(out, '(');
	column->now++;
	for (unsigned i = 0; i < args->count; i++) {
		const struct change *arg = &args->list[i];
		size_t start = out->length, marks = 4;

		strbuf_puts(out, i ? " " : "");
		strbuf_shown(out, arg->name, strlen(arg->name), "");
		strbuf_putc(out, '=');
		put_part(follow, arg->is, 0,
			 value_room(follow, column->at + columns_of(arg->name) + marks));
		strbuf_putc(out, i + 1 < args->count ? ',' : ')');
		follow_wrap(follow, column, start);
	}
	if (!args->count)
		strbuf_putc(out, ')');
	column->now += !args->count;
}

/* What is shown of a change: as much as a terminal's line has room for, from a little before the
 * first difference where that would be cut away. */
struct excerpt {
	size_t most; /* columns */
	size_t from; /* bytes */
};

/* Where both values begin to differ; an escape such as \303 isn't taken apart. */
static size_t difference(const char *was, const char *is)
{
	size_t at = 0, start;

	while (was[at] && was[at] == is[at])
		at++;
	start = at > CONTEXT ? at - CONTEXT : 0;
	for (size_t back = 1; back <= 4 && back <= start; back++)
		if (is[start - back] == '\\')
			start -= back;
	while (start && ((unsigned char)is[start] & 0xc0) == 0x80)
		start--;
	return start;
}

/* Columns of each value that a terminal's line has room for. */
static size_t room(const struct follow *follow, const struct change *change, size_t at)
{
	size_t taken = at + columns_of(change->name) + (change->was ? 8 : 2);
	size_t all = follow->options.columns;

	return all > taken ? (all - taken) / (change->was ? 2 : 1) : 0;
}

static bool is_longer(const struct change *change, size_t most)
{
	return columns_of(change->is) > most || (change->was && columns_of(change->was) > most);
}

static struct excerpt excerpt_of(const struct follow *follow, const struct change *change,
				 size_t at)
{
	struct excerpt ret = {VALUE_MOST, 0};

	if (follow->options.is_whole)
		return (struct excerpt){SIZE_MAX, 0};
	if (follow->options.columns && room(follow, change, at) < VALUE_MOST)
		ret.most = room(follow, change, at);
	if (ret.most < VALUE_LEAST)
		ret.most = VALUE_LEAST;
	if (change->was && columns_of(change->was) > ret.most &&
	    columns_of(change->is) > ret.most &&
	    !strncmp(change->was, change->is, fitting(change->is, ret.most)))
		ret.from = difference(change->was, change->is);
	return ret;
}

static void put_change(const struct follow *follow, const struct change *change,
		       const struct excerpt *excerpt)
{
	strbuf_shown(follow->out, change->name, strlen(change->name), "");
	strbuf_puts(follow->out, change->was ? ": " : "=");
	if (change->was) {
		put_part(follow, change->was, excerpt->from, excerpt->most);
		strbuf_puts(follow->out, " -> ");
	}
	follow_paint(follow, change->was ? PAINT_CHANGED : PAINT_NEW);
	put_part(follow, change->is, excerpt->from, excerpt->most);
	follow_paint(follow, PAINT_OFF);
}

static size_t part_width(const struct follow *follow, const char *text, size_t from, size_t most)
{
	size_t mark = follow->options.is_utf8 ? 1 : 3, length = fitting(text + from, most);

	return text_columns(text + from, length) + (from ? mark : 0) +
	       (text[from + length] ? mark : 0);
}

static size_t change_width(const struct follow *follow, const struct change *change,
			   const struct excerpt *excerpt)
{
	return columns_of(change->name) + (change->was ? 6 : 1) +
	       (change->was ? part_width(follow, change->was, excerpt->from, excerpt->most) : 0) +
	       part_width(follow, change->is, excerpt->from, excerpt->most);
}

/* Where a change on a line of its own begins: farther left where the column is too narrow. */
static size_t own_start(const struct follow *follow, const struct change *change,
			const struct column *column)
{
	size_t most = room(follow, change, column->at);

	return follow->options.columns && most < VALUE_MOST && is_longer(change, most) &&
			       column->at > CHANGES_LEFT ?
		       CHANGES_LEFT :
		       column->at;
}

static void put_in_column(const struct follow *follow, const struct change *change,
			  struct column *column)
{
	size_t start = own_start(follow, change, column);
	const struct excerpt excerpt = excerpt_of(follow, change, start);
	size_t most = follow->options.columns, width = change_width(follow, change, &excerpt);
	size_t behind = column->now + (column->is_first ? CHANGES_START : 2);
	size_t from = column->is_first && behind < column->at ? column->at : behind;

	if (most && from + width > most && from > start) {
		strbuf_putc(follow->out, '\n');
		from = start;
		column->now = 0;
	}
	follow_blanks(follow->out, from - column->now);
	put_change(follow, change, &excerpt);
	column->now = from + width;
	column->is_first = false;
}

static void put_more(const struct follow *follow, const char *name, unsigned count,
		     struct column *column)
{
	struct strbuf *out = follow->out;
	size_t start = out->length, most = follow->options.columns, width;

	strbuf_printf(out, "  and %u more of %s", count, name);
	width = text_columns(out->data + start, out->length - start);
	if (!most || column->now + width <= most) {
		column->now += width;
		return;
	}
	out->length = start;
	strbuf_putc(out, '\n');
	follow_blanks(out, column->at);
	strbuf_printf(out, "and %u more of %s", count, name);
	column->now = column->at + width - 2;
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
		if (differences.count > DIFFERENCES_MOST)
			put_more(follow, change->name, differences.count - DIFFERENCES_MOST,
				 column);
		differences_free(&differences);
	}
}
