// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a call as text: its arguments, then each line that it passed with the time since it began,
 * and what the line changed.
 */
#include <stdio.h>

#include "base/display_width.h"
#include "base/escape.h"
#include "sink/follow/text.h"

#define TAB_WIDTH    4u
#define SOURCE_MOST  64u /* columns; longer lines push their changes to the right */
#define TIME_WIDTH   9u
#define LINE_WIDTH   5u
#define SOURCE_START (TIME_WIDTH + LINE_WIDTH + 4)
#define CALLED_START (SOURCE_START + 2) /* behind the "> " */
#define HEAD_START   4u  /* columns, of its second line */
#define NAME_LEAST   24u /* columns of a name that is cut */
#define CHANGES_LEAST 24u /* columns that a terminal keeps for them */

/* Microseconds with one digit; from a second on, seconds with so many digits. */
static void put_time(struct strbuf *out, uint64_t ns, int digits)
{
	char fraction[16];

	snprintf(fraction, sizeof(fraction), "%09llu", (unsigned long long)(ns % 1000000000));
	if (ns < 1000000000)
		strbuf_printf(out, "%llu.%llu", (unsigned long long)(ns / 1000),
			      (unsigned long long)(ns / 100 % 10));
	else
		strbuf_printf(out, "%llu.%.*ss", (unsigned long long)(ns / 1000000000), digits,
			      fraction);
}

/* "188.1us", "1.002003s" */
static void put_duration(struct strbuf *out, uint64_t ns)
{
	put_time(out, ns, 6);
	strbuf_puts(out, ns < 1000000000 ? "us" : "");
}

/* "+6.2", "+61.2481s": right-aligned. */
static void put_since(struct strbuf *out, uint64_t ns)
{
	size_t start = out->length, width;

	strbuf_putc(out, '+');
	put_time(out, ns, ns < 10000000000 ? 5 : 4);
	width = out->length - start;
	if (width >= TIME_WIDTH)
		return;
	follow_blanks(out, TIME_WIDTH - width);
	memmove(out->data + start + TIME_WIDTH - width, out->data + start, width);
	memset(out->data + start, ' ', TIME_WIDTH - width);
}

/* The source line as it is shown: blanks for tabs, nothing that a terminal would obey. */
static void put_source(struct strbuf *out, const char *text)
{
	size_t length = strlen(text), column = 0;

	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	for (; length && (*text == ' ' || *text == '\t'); text++, length--) {
		size_t next = *text == '\t' ? (column / TAB_WIDTH + 1) * TAB_WIDTH : column + 1;

		follow_blanks(out, next - column);
		column = next;
	}
	for (size_t i = 0; i < length; i++) {
		size_t part = 0;

		while (i + part < length && text[i + part] != '\t')
			part++;
		strbuf_shown(out, text + i, part, "");
		i += part;
		if (i < length)
			follow_blanks(out, 1);
	}
}

static const char *source_of(const struct follow *follow, const struct row *row)
{
	const char *const *texts = follow->plan->following->texts;

	return row->kind == ROW_LINE && texts ? texts[row->probe - follow->plan->probes] : NULL;
}

static size_t source_most(const struct follow *follow)
{
	size_t others = SOURCE_START + CHANGES_START + CHANGES_LEAST, all = follow->options.columns;

	return !all || all >= others + SOURCE_MOST ? SOURCE_MOST :
	       all > others + 8			   ? all - others :
						     8;
}

static size_t source_width(const struct follow *follow, const struct row *row)
{
	const char *source = source_of(follow, row);
	struct strbuf text = {0};
	size_t width;

	if (!source || !row->changes.count)
		return 0;
	put_source(&text, source);
	width = text.data ? text_columns(text.data, text.length) : 0;
	strbuf_deinit(&text);
	return width <= source_most(follow) ? width : 0;
}

static uint64_t first_of_last(const struct call *call)
{
	return call->nrows > 2 * ROWS_HALF ? call->nrows - ROWS_HALF : ROWS_HALF;
}

static size_t widest(const struct follow *follow, const struct call *call)
{
	size_t most = 0;

	for (uint64_t i = 0; i < call->nrows; i++) {
		const struct row *row = call_row(call, i);
		size_t width = row ? source_width(follow, row) : 0;

		if (!row)
			i = first_of_last(call) - 1;
		most = width > most ? width : most;
	}
	return most;
}

static const char *short_file(const struct site *site)
{
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;

	return slash ? slash + 1 : site->file ?: "?";
}

/* Cuts what begins at `start` to the columns that a terminal has left. */
static void cut(const struct follow *follow, size_t start, size_t most)
{
	struct strbuf *out = follow->out;
	const char *at = out->data + start, *end = at;

	if (text_columns(at, out->length - start) <= most)
		return;
	most -= follow->options.is_utf8 ? 1 : 3;
	for (size_t columns = 0; columns <= most; columns += char_columns(&at))
		end = at;
	out->length = (size_t)(end - out->data);
	strbuf_puts(out, follow->options.is_utf8 ? "\u2026" : "...");
}

/* A function's name, and its arguments. */
static void put_call(const struct follow *follow, const char *name, enum paint as,
		     const struct changes *args, struct column *column)
{
	struct strbuf *out = follow->out;
	size_t start, all = follow->options.columns;

	follow_paint(follow, as);
	start = out->length;
	follow_name(follow, name);
	if (all > column->now + NAME_LEAST)
		cut(follow, start, all - column->now - 1);
	column->now += text_columns(out->data + start, out->length - start);
	follow_paint(follow, PAINT_OFF);
	follow_args(follow, args, column);
}

static void put_piece(const struct follow *follow, struct column *column, const char *text)
{
	size_t start;

	follow_paint(follow, PAINT_DIM);
	start = follow->out->length;
	strbuf_puts(follow->out, text);
	follow_wrap(follow, column, start);
	follow_paint(follow, PAINT_OFF);
}

static void put_returned(const struct follow *follow, const struct row *row, struct column *column)
{
	struct strbuf *out = follow->out;
	size_t start = out->length;

	if (row->duration) {
		strbuf_puts(out, "  ");
		put_duration(out, row->duration);
		follow_wrap(follow, column, start);
	}
	start = out->length;
	if (row->result) {
		strbuf_puts(out, "  = ");
		follow_word(follow, row->result);
		follow_wrap(follow, column, start);
	}
}

static void put_called(const struct follow *follow, const struct call *call, const struct row *row)
{
	struct column column = {.at = CALLED_START + 4, .now = CALLED_START};
	char number[40];

	follow_blanks(follow->out, CALLED_START - TIME_WIDTH - 2);
	follow_paint(follow, PAINT_CALL);
	strbuf_puts(follow->out, "> ");
	put_call(follow, row->probe->site->function ?: "?", PAINT_CALL, &row->changes, &column);
	if (row->kind == ROW_INNER) {
		put_piece(follow, &column, "  inlined");
		return;
	}
	put_returned(follow, row, &column);
	snprintf(number, sizeof(number), "  #%llu%s", (unsigned long long)row->number,
		 is_row_perhaps(follow, call, row) ? " perhaps" : "");
	put_piece(follow, &column, number);
}

static void put_line(const struct follow *follow, const struct row *row, size_t width)
{
	const char *source = source_of(follow, row);
	struct strbuf *out = follow->out;
	struct column column = {
		.at = SOURCE_START + (width ? width + CHANGES_START : 1),
		.now = SOURCE_START,
		.is_first = true,
	};
	size_t start;

	strbuf_printf(out, "  %5u", row->probe->site->line);
	if (source || row->scope || row->probe->site->is_perhaps)
		strbuf_puts(out, row->probe->site->is_perhaps ? "? " : "  ");
	else
		column.now -= 2;
	start = out->length;
	if (row->scope)
		strbuf_puts(out, "    | ");
	if (source)
		put_source(out, source);
	if (follow->options.columns > 2 * SOURCE_START)
		cut(follow, start, follow->options.columns - SOURCE_START);
	column.now += text_columns(out->data + start, out->length - start);
	follow_changes(follow, &row->changes, &column);
}

/* What begins with the instruction of the row before has its time. */
static void put_row(const struct follow *follow, const struct call *call, const struct row *row,
		    size_t width, const struct row *before)
{
	if (before && before->time == row->time) {
		follow_blanks(follow->out, TIME_WIDTH);
	} else {
		follow_paint(follow, PAINT_DIM);
		put_since(follow->out, row->time - call->begun);
		follow_paint(follow, PAINT_OFF);
	}
	if (row->kind == ROW_LINE)
		put_line(follow, row, width);
	else
		put_called(follow, call, row);
	strbuf_putc(follow->out, '\n');
}

static void put_parent(const struct follow *follow, const struct call *call, struct column *column)
{
	char text[80];

	if (!call->parent)
		return;
	snprintf(text, sizeof(text), "  #%llu, %scalled in #%llu", (unsigned long long)call->number,
		 is_parent_perhaps(follow, call) ? "perhaps " : "",
		 (unsigned long long)call->parent);
	put_piece(follow, column, text);
}

static void put_place(const struct follow *follow, const struct call *call, struct column *column)
{
	const struct site *site = call->probe->site;
	struct strbuf *out = follow->out;
	size_t start;

	follow_paint(follow, PAINT_DIM);
	start = out->length;
	strbuf_printf(out, "  %s:%u", short_file(site), site->line);
	follow_wrap(follow, column, start);
	start = out->length;
	if (call->is_inlined)
		strbuf_printf(out, "  inlined in %s", site->shown_symbol ?: "?");
	follow_wrap(follow, column, start);
	start = out->length;
	if (site->is_vague)
		strbuf_puts(out, ", perhaps several passes: where each begins isn't known");
	follow_wrap(follow, column, start);
	follow_paint(follow, PAINT_OFF);
}

static void put_head(const struct follow *follow, const struct call *call)
{
	const struct site *site = call->probe->site;
	struct strbuf *out = follow->out;
	struct column column = {.at = HEAD_START};
	size_t start = out->length;

	strbuf_literal(out, call->comm, strlen(call->comm), '\0');
	strbuf_printf(out, " %d [%03d] %llu.%06llu  ", call->thread->tid, call->cpu,
		      (unsigned long long)(call->begun / 1000000000),
		      (unsigned long long)(call->begun % 1000000000 / 1000));
	column.now = text_columns(out->data + start, out->length - start);
	put_call(follow, site->function ?: site->shown_symbol ?: "?", PAINT_TITLE, &call->args,
		 &column);
	put_place(follow, call, &column);
	put_parent(follow, call, &column);
	strbuf_putc(out, '\n');
	if (!call->is_whole)
		strbuf_puts(out, "  (its beginning was not seen; times are since the first line "
				 "that was)\n");
}

/* Whether the text is a number below 0. */
static bool is_bad(const char *result)
{
	return result[0] == '-' && result[1];
}

static void put_result(const struct follow *follow, const struct call *call, struct column *column)
{
	struct strbuf *out = follow->out;
	size_t start = out->length;

	if (call->result) {
		follow_paint(follow, is_bad(call->result) ? PAINT_BAD : PAINT_RESULT);
		start = out->length;
		strbuf_puts(out, "= ");
		follow_word(follow, call->result);
		column->now += text_columns(out->data + start, out->length - start);
		follow_paint(follow, PAINT_OFF);
	} else {
		strbuf_puts(out, call->end == END_JUMPED ? "ends in a jump to another function" :
							   "returns");
		column->now += out->length - start;
	}
	start = out->length;
	if (call->is_whole) {
		strbuf_puts(out, "   ");
		put_duration(out, call->ended - call->begun);
	}
	follow_wrap(follow, column, start);
}

static void put_end(const struct follow *follow, const struct call *call)
{
	static const char *const ends[] = {
		[END_INLINED] = "(inlined: where it ends isn't known)",
		[END_UNSEEN] = "(its end was not seen: it was left in another way, or its return "
			       "was missed)",
		[END_OPEN] = "(no end was seen before the trace ended)",
		[END_LOST] = "(cut here: records were lost)",
		[END_EVICTED] = "(cut here: no room for more; --calls, or naming VARs, takes less)",
	};
	struct strbuf *out = follow->out;
	struct column column = {.at = HEAD_START, .now = 2};
	unsigned nlines = followed(follow, call->probe)->nlines;
	size_t start = out->length + column.now;

	strbuf_puts(out, "  ");
	if (call->end <= END_JUMPED) {
		put_result(follow, call, &column);
	} else {
		strbuf_puts(out, call->end == END_UNSEEN && !call->is_whole ?
				    "(its end is not seen, as it began before the trace)" :
				    ends[call->end]);
		column.now += out->length - start;
	}
	start = out->length;
	if (nlines)
		strbuf_printf(out, "   %u line%s of %u", call->npassed,
			      call->npassed == 1 ? "" : "s", nlines);
	follow_wrap(follow, &column, start);
	strbuf_puts(out, "\n\n");
}

void call_text(struct follow *follow, const struct call *call)
{
	const struct row *before = NULL;
	size_t width = widest(follow, call);

	put_head(follow, call);
	for (uint64_t i = 0; i < call->nrows; i++) {
		const struct row *row = call_row(call, i);

		if (row) {
			put_row(follow, call, row, width, before);
			before = row;
			continue;
		}
		before = NULL;
		strbuf_printf(follow->out, "  (%llu more that are not kept)\n",
			      (unsigned long long)(first_of_last(call) - i));
		i = first_of_last(call) - 1;
	}
	put_end(follow, call);
}
