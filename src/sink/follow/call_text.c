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

static void put_called(const struct follow *follow, const struct call *call, const struct row *row)
{
	struct strbuf *out = follow->out;

	follow_blanks(out, LINE_WIDTH + 4);
	follow_paint(follow, PAINT_CALL);
	strbuf_puts(out, "> ");
	follow_name(follow, row->probe->site->function ?: "?");
	follow_paint(follow, PAINT_OFF);
	follow_args(follow, &row->changes);
	if (row->kind == ROW_INNER) {
		follow_paint(follow, PAINT_DIM);
		strbuf_puts(out, "  inlined");
		follow_paint(follow, PAINT_OFF);
		return;
	}
	if (row->duration) {
		strbuf_puts(out, "  ");
		put_duration(out, row->duration);
	}
	if (row->result) {
		strbuf_puts(out, "  = ");
		follow_word(follow, row->result);
	}
	follow_paint(follow, PAINT_DIM);
	strbuf_printf(out, "  #%llu%s", (unsigned long long)row->number,
		      is_row_perhaps(follow, call, row) ? " perhaps" : "");
	follow_paint(follow, PAINT_OFF);
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

static void put_parent(const struct follow *follow, const struct call *call)
{
	struct strbuf *out = follow->out;

	if (call->parent)
		strbuf_printf(out, "  #%llu, %scalled in #%llu", (unsigned long long)call->number,
			      is_parent_perhaps(follow, call) ? "perhaps " : "",
			      (unsigned long long)call->parent);
}

static void put_head(const struct follow *follow, const struct call *call)
{
	const struct site *site = call->probe->site;
	const char *name = site->function ?: site->shown_symbol ?: "?";
	struct strbuf *out = follow->out;

	strbuf_literal(out, call->comm, strlen(call->comm), '\0');
	strbuf_printf(out, " %d [%03d] %llu.%06llu  ", call->thread->tid, call->cpu,
		      (unsigned long long)(call->begun / 1000000000),
		      (unsigned long long)(call->begun % 1000000000 / 1000));
	follow_paint(follow, PAINT_TITLE);
	follow_name(follow, name);
	follow_paint(follow, PAINT_OFF);
	follow_args(follow, &call->args);
	follow_paint(follow, PAINT_DIM);
	strbuf_printf(out, "  %s:%u", short_file(site), site->line);
	if (call->is_inlined)
		strbuf_printf(out, "  inlined in %s", site->shown_symbol ?: "?");
	if (site->is_vague)
		strbuf_puts(out, ", perhaps several passes: where each begins isn't known");
	put_parent(follow, call);
	follow_paint(follow, PAINT_OFF);
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

static void put_result(const struct follow *follow, const struct call *call)
{
	struct strbuf *out = follow->out;

	if (call->result) {
		follow_paint(follow, is_bad(call->result) ? PAINT_BAD : PAINT_RESULT);
		strbuf_puts(out, "= ");
		follow_word(follow, call->result);
		follow_paint(follow, PAINT_OFF);
	} else {
		strbuf_puts(out, call->end == END_JUMPED ? "ends in a jump to another function" :
							   "returns");
	}
	if (call->is_whole) {
		strbuf_puts(out, "   ");
		put_duration(out, call->ended - call->begun);
	}
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
	unsigned nlines = followed(follow, call->probe)->nlines;

	strbuf_puts(out, "  ");
	if (call->end <= END_JUMPED)
		put_result(follow, call);
	else if (call->end == END_UNSEEN && !call->is_whole)
		strbuf_puts(out, "(its end is not seen, as it began before the trace)");
	else
		strbuf_puts(out, ends[call->end]);
	if (nlines)
		strbuf_printf(out, "   %u line%s of %u", call->npassed,
			      call->npassed == 1 ? "" : "s", nlines);
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
