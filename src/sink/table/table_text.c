// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a table as text: the keys, the figures, a bar if there is room; then histograms, then what
 * isn't shown. Columns that don't fit on a line follow below, with the keys again.
 */
#include <limits.h>

#include "sink/table/show.h"

#define KEY_MIN 8u
#define BAR_MIN 10u

enum what {
	WHAT_FIGURE,
	WHAT_SHARE,
	WHAT_RATE,
};

struct line_column {
	enum what what;
	struct shown shown;
	const char *head;
	unsigned width;
};

struct view {
	struct arena *arena;
	const struct table *table;
	const struct table_options *options;
	const struct table_end *end;
	struct strbuf *out;
	struct row **rows;
	unsigned nrows; /* rows shown */
	struct line_column *columns;
	unsigned ncolumns;
	const char **key_heads;
	unsigned *key_widths;
	unsigned keys_width;
	struct shown bar; /* the figure that the rows are sorted by */
	bool has_bar;
	__int128 most;
};

static void add_column(struct view *view, enum what what, const struct shown *shown,
		       const char *head)
{
	arena_append(view->arena, view->columns, view->ncolumns) = (struct line_column){
		.what = what, .shown = *shown, .head = shown_text(view->arena, head)};
}

static void make_columns(struct view *view)
{
	struct shown *list;
	unsigned count = table_shown(view->arena, view->table, &list);
	bool has_hits = false;

	for (unsigned i = 0; i < count; i++)
		has_hits |= list[i].figure == FIGURE_HITS;
	for (unsigned i = 0; i < count || !i; i++) {
		const struct shown hits = {.figure = FIGURE_HITS};

		if (!i && !has_hits)
			add_column(view, WHAT_FIGURE, &hits, "events");
		if ((!i && !has_hits) || (i < count && list[i].figure == FIGURE_HITS)) {
			if (has_hits)
				add_column(view, WHAT_FIGURE, &list[i], list[i].head);
			if (view->table->nkeys)
				add_column(view, WHAT_SHARE, &hits, "%");
			if (view->end->since > 0)
				add_column(view, WHAT_RATE, &hits, "/s");
			if (has_hits)
				continue;
		}
		if (i < count)
			add_column(view, WHAT_FIGURE, &list[i], list[i].head);
	}
}

/* What a row's share is of: in a table of several specs, the first spec's row with the same
 * keys; else all hits. */
static uint64_t whole_of(const struct view *view, const struct row *row)
{
	const struct table *table = view->table;
	const char *rest;
	char *key;
	struct row *first;

	if (!table->has_places || !row->key)
		return table->hits;
	rest = element_end(row->key);
	key = arena_printf(view->arena, "%s%s", table->first_place, rest);
	first = table_look(table, key, strlen(key));
	return first ? first->hits : 0;
}

static char *share_text(struct view *view, const struct row *row)
{
	uint64_t whole = whole_of(view, row), tenths;

	if (!whole)
		return arena_strdup(view->arena, "-");
	tenths = (uint64_t)(((unsigned __int128)row->hits * 2000 + whole) / 2 / whole);
	return arena_printf(view->arena, "%llu.%llu", (unsigned long long)tenths / 10,
			    (unsigned long long)tenths % 10);
}

static char *cell_text(struct view *view, const struct row *row, const struct line_column *column)
{
	if (column->what == WHAT_SHARE)
		return share_text(view, row);
	if (column->what == WHAT_RATE)
		return number_text(view->arena, (__int128)((double)(row->hits - row->shown_hits) /
							   view->end->since + 0.5), false);
	return figure_text(view->arena, view->table, row, &column->shown);
}

static void widen(unsigned *width, const char *text)
{
	unsigned has = text_width(text);

	*width = has > *width ? has : *width;
}

static void measure(struct view *view)
{
	const struct table *table = view->table;

	view->key_widths = arena_array(view->arena, unsigned, table->nkeys + 1);
	view->key_heads = arena_array(view->arena, const char *, table->nkeys + 1);
	for (unsigned k = 0; k < table->nkeys; k++) {
		/* a merged file's may be anything */
		view->key_heads[k] = shown_text(view->arena, table->keys[k]);
		widen(&view->key_widths[k], view->key_heads[k]);
	}
	for (unsigned c = 0; c < view->ncolumns; c++)
		widen(&view->columns[c].width, view->columns[c].head);
	for (unsigned r = 0; r < view->nrows; r++) {
		const char **keys = key_texts(view->arena, table, view->rows[r]);

		for (unsigned k = 0; k < table->nkeys; k++)
			widen(&view->key_widths[k], keys[k]);
		for (unsigned c = 0; c < view->ncolumns; c++)
			widen(&view->columns[c].width,
			      cell_text(view, view->rows[r], &view->columns[c]));
	}
}

/* Shortens long keys, the longest first, until a few columns fit beside them. */
static void fit_keys(struct view *view)
{
	unsigned nkeys = view->table->nkeys, room = view->options->width, most = 0;

	for (unsigned c = 0; c < view->ncolumns && c < 3; c++)
		room = room > view->columns[c].width + 2 ? room - view->columns[c].width - 2 : 0;
	for (;;) {
		view->keys_width = 0;
		for (unsigned k = 0; k < nkeys; k++) {
			view->keys_width += view->key_widths[k] + 2;
			if (view->key_widths[k] > view->key_widths[most])
				most = k;
		}
		if (!nkeys || view->keys_width <= room || view->key_widths[most] <= KEY_MIN)
			return;
		view->key_widths[most]--;
	}
}

static void find_bar(struct view *view)
{
	const struct table *table = view->table;
	__int128 number;

	view->has_bar =
		table->nkeys && sort_shown(view->arena, table, view->options->sort, &view->bar);
	for (unsigned r = 0; r < view->nrows; r++)
		if (row_figure(view->rows[r], &view->bar, &number) && number > view->most)
			view->most = number;
	for (unsigned i = 0; i < table->ncolumns; i++)
		view->has_bar &= table->columns[i].kind != AGGREGATE_HIST;
}

/* The end of the columns from `first` on that fit on a line, at least one; *left: columns left
 * over. */
static unsigned columns_that_fit(const struct view *view, unsigned first, unsigned *left)
{
	unsigned c = first;

	*left = view->options->width > view->keys_width ? view->options->width - view->keys_width :
							  0;
	for (; c < view->ncolumns && (c == first || *left >= view->columns[c].width + 2); c++)
		*left -= *left > view->columns[c].width + 2 ? view->columns[c].width + 2 : *left;
	return c;
}

static void end_line(struct strbuf *out)
{
	while (out->length && out->data[out->length - 1] == ' ')
		out->length--;
	strbuf_putc(out, '\n');
}

static void put_heads(const struct view *view, unsigned first, unsigned end)
{
	for (unsigned k = 0; k < view->table->nkeys; k++) {
		put_left(view->out, fit_text(view->arena, view->key_heads[k], view->key_widths[k]),
			 view->key_widths[k]);
		strbuf_puts(view->out, "  ");
	}
	for (unsigned c = first; c < end; c++) {
		put_right(view->out, view->columns[c].head, view->columns[c].width);
		strbuf_puts(view->out, "  ");
	}
	end_line(view->out);
}

static void put_row(struct view *view, const struct row *row, unsigned first, unsigned end,
		    unsigned bar)
{
	const char **keys = key_texts(view->arena, view->table, row);
	__int128 number;

	for (unsigned k = 0; k < view->table->nkeys; k++) {
		put_left(view->out, fit_text(view->arena, keys[k], view->key_widths[k]),
			 view->key_widths[k]);
		strbuf_puts(view->out, "  ");
	}
	for (unsigned c = first; c < end; c++) {
		put_right(view->out, cell_text(view, row, &view->columns[c]),
			  view->columns[c].width);
		strbuf_puts(view->out, "  ");
	}
	if (bar && view->most > 0 && row_figure(row, &view->bar, &number) && number > 0)
		put_bar(view->out, (long double)number / (long double)view->most, bar,
			view->options->is_utf8);
	end_line(view->out);
}

static void put_group(struct view *view, unsigned first, unsigned end, unsigned left)
{
	unsigned bar = view->has_bar && !first && left >= BAR_MIN ? left : 0;

	put_heads(view, first, end);
	for (unsigned r = 0; r < view->nrows; r++) {
		put_row(view, view->rows[r], first, end, bar);
		if (!first)
			stack_show(view->arena, view->out, view->table, view->rows[r]);
	}
}

static void put_lacking(const struct view *view, const char *column, uint64_t count,
			const char *what, const char *why)
{
	if (count)
		strbuf_printf(view->out, "%s is without %s %s%s that %s\n", column,
			      number_text(view->arena, (__int128)count, false), what,
			      count == 1 ? "" : "s", why);
}

static void put_left_out(const struct view *view)
{
	const struct table *table = view->table;
	uint64_t shown = 0;
	unsigned rows = table->nrows + !!table->others;

	for (unsigned r = 0; r < view->nrows; r++)
		shown += view->rows[r]->hits;
	if (view->nrows < rows)
		strbuf_printf(view->out,
			      "%s more rows with %s events: --top shows more, --json all\n",
			      number_text(view->arena, rows - view->nrows, false),
			      number_text(view->arena, (__int128)(table->hits - shown), false));
	if (table->others)
		strbuf_printf(view->out,
			      table->limit == UINT_MAX ?
				      "(others): keys that a run had no room for\n" :
				      "(others): keys that came when there were %u rows; --keys "
				      "allows more\n",
			      table->limit);
	for (unsigned i = 0; i < table->ncolumns; i++) {
		const struct column *column = &table->columns[i];

		put_lacking(view, column->name, column->faults, "value",
			    "could not be read (fault)");
		put_lacking(view, column->name, column->missing, "event", "had no such value");
	}
}

static void put_hists(struct view *view)
{
	for (unsigned r = 0; r < view->nrows; r++)
		draw_hists(view->arena, view->out, view->table, view->rows[r], view->options);
}

/* `others` is always the last row shown. */
static void choose_rows(struct view *view)
{
	unsigned rows = view->table->nrows, top = view->options->top;

	view->rows = table_sorted(view->arena, view->table, view->options->sort);
	view->nrows = rows < top ? rows : top;
	if (view->table->others)
		view->rows[view->nrows++] = view->table->others;
}

void table_text(const struct table *table, struct strbuf *out, const struct table_options *options,
		const struct table_end *end)
{
	struct arena arena;
	struct view view = {
		.arena = &arena, .table = table, .options = options, .end = end, .out = out};

	arena_init(&arena);
	choose_rows(&view);
	make_columns(&view);
	find_bar(&view);
	measure(&view);
	fit_keys(&view);
	strbuf_printf(out, "%s\n", table->title);
	for (unsigned first = 0, next, left; first < view.ncolumns; first = next) {
		next = columns_that_fit(&view, first, &left);
		put_group(&view, first, next, left);
	}
	put_hists(&view);
	put_left_out(&view);
	arena_deinit(&arena);
}
