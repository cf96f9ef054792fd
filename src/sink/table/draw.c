// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws a histogram: a line for each power of two (or each step), with short gaps drawn as empty
 * lines. Below 0 the lines are [-8, -4), [-4, -2), [-2] and [-1].
 */
#include "sink/table/show.h"

#define GAP_MAX  8u   /* most empty lines drawn in a row */
#define LINES_MAX 200u

struct line {
	__int128 first; /* its first number */
	__int128 end;   /* behind its last number */
	uint64_t count;
};

struct lines {
	struct arena *arena;
	struct line *list;
	unsigned count;
	uint64_t left; /* counts in no line */
};

void put_right(struct strbuf *out, const char *text, unsigned width)
{
	for (unsigned has = text_width(text); has < width; has++)
		strbuf_putc(out, ' ');
	strbuf_puts(out, text);
}

void put_left(struct strbuf *out, const char *text, unsigned width)
{
	strbuf_puts(out, text);
	for (unsigned has = text_width(text); has < width; has++)
		strbuf_putc(out, ' ');
}

/* Anything above 0 gets at least one mark: of blocks an eighth. */
unsigned put_bar(struct strbuf *out, long double part, unsigned width, bool is_utf8)
{
	unsigned parts = is_utf8 ? 8 : 1, most = width * parts;
	unsigned marks = part > 0 ? (unsigned)(part * (long double)most + 0.5L) : 0;

	marks = part > 0 && !marks ? 1 : marks > most ? most : marks;
	for (unsigned i = 0; i < marks / parts; i++)
		strbuf_puts(out, is_utf8 ? "\u2588" : "#");
	if (marks % parts) { /* U+258F is an eighth, U+2589 seven */
		const char block[] = {'\xe2', '\x96', (char)(0x90 - marks % parts), '\0'};

		strbuf_puts(out, block);
	}
	return marks / parts + !!(marks % parts);
}

/* The line between powers of two that a number falls in. */
static struct line power_line(__int128 number)
{
	__int128 size = number < 0 ? -(number + 1) : number, low = 0, high = 1;

	while (size >= high) {
		low = high;
		high *= 2;
	}
	return number < 0 ? (struct line){-high, -low, 0} : (struct line){low, high, 0};
}

/* The kernel's powers of two: (2^(n-1), 2^n]; 0 is in the first. */
static struct line counted_line(unsigned n)
{
	__int128 end = ((__int128)1 << n) + 1;

	return (struct line){n ? end / 2 + 1 : 0, end, 0};
}

static struct line next_line(const struct line *line, uint64_t step)
{
	if (step)
		return (struct line){line->end, line->end + step, 0};
	return power_line(line->end);
}

static void add_line(struct lines *lines, struct line line, uint64_t step)
{
	struct line *last = lines->count ? &lines->list[lines->count - 1] : NULL;

	if (last && last->first == line.first) {
		last->count += line.count;
		return;
	}
	for (unsigned gap = 0; last && last->end < line.first && gap < GAP_MAX; gap++) {
		struct line empty = next_line(last, step);

		arena_append(lines->arena, lines->list, lines->count) = empty;
		last = &lines->list[lines->count - 1];
	}
	if (lines->count >= LINES_MAX)
		lines->left += line.count;
	else
		arena_append(lines->arena, lines->list, lines->count) = line;
}

/* A bucket never spans two lines. */
static void power_lines(struct lines *lines, const struct hist *hist)
{
	struct hist_bucket bucket;

	for (unsigned at = 0; hist_next(hist, &at, &bucket);) {
		struct line line = power_line(bucket.first);

		line.count = bucket.count;
		add_line(lines, line, 0);
	}
}

static void counted_lines(struct lines *lines, const struct hist *hist)
{
	for (unsigned i = 0; i < hist->nsteps; i++) {
		struct line line = counted_line((unsigned)hist->steps[i].at);

		line.count = hist->steps[i].count;
		arena_append(lines->arena, lines->list, lines->count) = line;
	}
}

static void step_lines(struct lines *lines, const struct hist *hist, uint64_t step)
{
	for (unsigned i = 0; i < hist->nsteps; i++) {
		__int128 first = (__int128)hist->steps[i].at * step;

		add_line(lines, (struct line){first, first + step, hist->steps[i].count}, step);
	}
	lines->left += hist->others;
}

/* "4k" for a multiple of 1024, else all digits. */
static char *bound_text(struct arena *arena, __int128 number, const struct column *column)
{
	static const char units[] = "kMGTPE";
	unsigned unit = 0;

	if (column->is_time)
		return number_text(arena, number, true);
	while (!column->step && number && number % 1024 == 0 && unit < sizeof(units) - 1) {
		number /= 1024;
		unit++;
	}
	return arena_printf(arena, "%s%.*s", number_text(arena, number, false), unit ? 1 : 0,
			    unit ? &units[unit - 1] : "");
}

static char *line_text(struct arena *arena, const struct line *line, const struct column *column)
{
	if (line->end == line->first + 1)
		return arena_printf(arena, "[%s]", bound_text(arena, line->first, column));
	return arena_printf(arena, "[%s, %s)", bound_text(arena, line->first, column),
			    bound_text(arena, line->end, column));
}

static void draw_lines(const struct lines *lines, struct strbuf *out, const struct column *column,
		       const struct table_options *options)
{
	unsigned width = options->width, labels = 0, counts = 0, bar;
	uint64_t most = 1;

	for (unsigned i = 0; i < lines->count; i++) {
		const struct line *line = &lines->list[i];
		unsigned label = text_width(line_text(lines->arena, line, column));
		unsigned count = text_width(number_text(lines->arena, line->count, false));

		labels = label > labels ? label : labels;
		counts = count > counts ? count : counts;
		most = line->count > most ? line->count : most;
	}
	bar = width > labels + counts + 7 ? width - labels - counts - 7 : 1;
	for (unsigned i = 0; i < lines->count; i++) {
		const struct line *line = &lines->list[i];

		if (i && line[-1].end < line->first)
			strbuf_puts(out, "  ...\n");
		strbuf_puts(out, "  ");
		put_left(out, line_text(lines->arena, line, column), labels);
		strbuf_putc(out, ' ');
		put_right(out, number_text(lines->arena, line->count, false), counts);
		strbuf_puts(out, " |");
		for (unsigned has = put_bar(out, (long double)line->count / (long double)most, bar,
					    options->is_utf8);
		     has < bar; has++)
			strbuf_putc(out, ' ');
		strbuf_puts(out, "|\n");
	}
}

void draw_hists(struct arena *arena, struct strbuf *out, const struct table *table,
		const struct row *row, const struct table_options *options)
{
	const char **keys = key_texts(arena, table, row);

	for (unsigned i = 0; i < table->ncolumns; i++) {
		const struct column *column = &table->columns[i];
		struct lines lines = {.arena = arena};

		if (column->kind != AGGREGATE_HIST || !row->cells[i].n)
			continue;
		strbuf_puts(out, "\n");
		for (unsigned j = 0; j < table->nkeys; j++)
			strbuf_join(out, j ? " " : "", keys[j], NULL);
		strbuf_printf(out, "%s%s\n", table->nkeys ? ": " : "", column->name);
		if (column->step)
			step_lines(&lines, row->cells[i].hist, column->step);
		else if (column->is_counted)
			counted_lines(&lines, row->cells[i].hist);
		else
			power_lines(&lines, row->cells[i].hist);
		draw_lines(&lines, out, column, options);
		if (lines.left)
			strbuf_join(out, "  and ", number_text(arena, lines.left, false),
				    " elsewhere\n", NULL);
	}
}
