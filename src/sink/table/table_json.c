// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a table as lines of JSON: one that describes it, then one per row. They have all that the
 * table knows, exactly, so that read_tables.c can rebuild it.
 */
#include "base/escape.h"
#include "sink/sink.h"
#include "sink/table/table.h"

const char *const table_kinds[] = {"count", "sum", "avg", "min", "max", "hist"};

void put_wide_number(struct strbuf *out, __int128 number)
{
	unsigned __int128 rest =
		number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
	char text[48], *at = text + sizeof(text) - 1;

	*at = '\0';
	do {
		*--at = (char)('0' + (int)(rest % 10));
		rest /= 10;
	} while (rest);
	if (number < 0)
		*--at = '-';
	strbuf_puts(out, at);
}

static void put_text(struct strbuf *out, const char *text)
{
	strbuf_json(out, text, strlen(text));
}

static void put_member(struct strbuf *out, const char *name, __int128 number)
{
	strbuf_join(out, ",\"", name, "\":", NULL);
	put_wide_number(out, number);
}

static void put_column(struct strbuf *out, const struct column *column)
{
	strbuf_puts(out, "{\"name\":");
	put_text(out, column->name);
	strbuf_join(out, ",\"kind\":\"", table_kinds[column->kind], "\"", NULL);
	if (column->kind != AGGREGATE_COUNT) {
		strbuf_puts(out, ",\"of\":");
		put_text(out, column->of);
		strbuf_puts(out, column->is_time ? ",\"unit\":\"ns\"" : "");
		strbuf_puts(out, column->is_counted ? ",\"in_kernel\":true" : "");
		put_member(out, "step", column->step);
		put_member(out, "faults", column->faults);
		put_member(out, "missing", column->missing);
	}
	strbuf_putc(out, '}');
}

static void put_head(struct strbuf *out, const struct table *table, const struct table_end *end)
{
	strbuf_puts(out, "{\"table\":");
	put_text(out, table->title);
	strbuf_puts(out, ",\"keys\":[");
	for (unsigned i = 0; i < table->nkeys; i++) {
		strbuf_puts(out, i ? "," : "");
		put_text(out, table->keys[i]);
	}
	strbuf_puts(out, "],\"columns\":[");
	for (unsigned i = 0; i < table->ncolumns; i++) {
		strbuf_puts(out, i ? "," : "");
		put_column(out, &table->columns[i]);
	}
	strbuf_puts(out, "]");
	put_member(out, "hits", table->hits);
	strbuf_join(out, ",\"places\":", table->has_places ? "true" : "false", ",\"final\":",
		    end->is_final ? "true" : "false", NULL);
	put_member(out, "milliseconds", (__int128)(end->elapsed * 1000));
	strbuf_puts(out, "}\n");
}

static void put_buckets(struct strbuf *out, const struct hist *hist)
{
	struct hist_bucket bucket;
	bool any = false;

	strbuf_puts(out, ",\"buckets\":[");
	for (unsigned at = 0; hist_next(hist, &at, &bucket); any = true) {
		strbuf_puts(out, any ? ",[" : "[");
		put_wide_number(out, bucket.first);
		strbuf_putc(out, ',');
		put_wide_number(out, bucket.count);
		strbuf_putc(out, ']');
	}
	strbuf_putc(out, ']');
}

static void put_steps(struct strbuf *out, const struct column *column, const struct hist *hist)
{
	strbuf_puts(out, ",\"steps\":[");
	for (unsigned i = 0; i < hist->nsteps; i++) {
		strbuf_puts(out, i ? ",[" : "[");
		put_wide_number(out, (__int128)hist->steps[i].at * column->step);
		strbuf_putc(out, ',');
		put_wide_number(out, hist->steps[i].count);
		strbuf_putc(out, ']');
	}
	strbuf_putc(out, ']');
	put_member(out, "others", hist->others);
}

/* The kernel keeps sums alone, or buckets alone: of powers of two those up to and including
 * each. */
static void put_counted(struct strbuf *out, const struct column *column, const struct cell *cell)
{
	if (column->kind != AGGREGATE_HIST) {
		put_member(out, "sum", cell->sum);
	} else if (column->step) {
		put_steps(out, column, cell->hist);
	} else {
		strbuf_puts(out, ",\"up_to\":[");
		for (unsigned i = 0; i < cell->hist->nsteps; i++) {
			strbuf_puts(out, i ? ",[" : "[");
			put_wide_number(out, (__int128)1 << cell->hist->steps[i].at);
			strbuf_putc(out, ',');
			put_wide_number(out, cell->hist->steps[i].count);
			strbuf_putc(out, ']');
		}
		strbuf_putc(out, ']');
	}
	strbuf_putc(out, '}');
}

static void put_cell(struct strbuf *out, const struct column *column, const struct cell *cell)
{
	strbuf_puts(out, "{\"n\":");
	put_wide_number(out, cell->n);
	if (column->is_counted) {
		put_counted(out, column, cell);
		return;
	}
	put_member(out, "sum", cell->sum);
	if (cell->n) {
		put_member(out, "min", cell->min);
		put_member(out, "max", cell->max);
	}
	if (cell->n && cell->hist) {
		put_member(out, "p50", cell_percentile(cell, 50));
		put_member(out, "p90", cell_percentile(cell, 90));
		put_member(out, "p99", cell_percentile(cell, 99));
	}
	if (cell->hist)
		put_buckets(out, cell->hist);
	if (cell->hist && column->step)
		put_steps(out, column, cell->hist);
	strbuf_putc(out, '}');
}

/* The end of the first element of a JSON array's contents. */
const char *element_end(const char *at)
{
	unsigned depth = 0;
	bool quoted = false;

	for (; *at && (quoted || depth || *at != ','); at++) {
		if (quoted && *at == '\\' && at[1]) {
			at++;
			continue;
		}
		if (*at == '"')
			quoted = !quoted;
		else if (!quoted && (*at == '{' || *at == '['))
			depth++;
		else if (!quoted && (*at == '}' || *at == ']'))
			depth--;
	}
	return at;
}

static void put_key(struct strbuf *out, const struct table *table, const char *key)
{
	strbuf_puts(out, "{\"row\":");
	if (!key) {
		strbuf_puts(out, "null");
		return;
	}
	for (unsigned i = 0; i < table->nkeys; i++) {
		const char *end = element_end(key);

		strbuf_putc(out, i ? ',' : '{');
		put_text(out, table->keys[i]);
		strbuf_putc(out, ':');
		strbuf_add(out, key, (size_t)(end - key));
		key = *end ? end + 1 : end;
	}
	strbuf_puts(out, table->nkeys ? "}" : "{}");
}

static void put_row(struct strbuf *out, const struct table *table, const struct row *row)
{
	put_key(out, table, row->key);
	put_member(out, "hits", row->hits);
	for (unsigned i = 0; i < table->ncolumns; i++) {
		strbuf_putc(out, ',');
		put_text(out, table->columns[i].name);
		strbuf_putc(out, ':');
		if (table->columns[i].kind == AGGREGATE_COUNT)
			put_wide_number(out, row->hits);
		else
			put_cell(out, &table->columns[i], &row->cells[i]);
	}
	strbuf_puts(out, "}\n");
}

void table_json(const struct table *table, struct strbuf *out, const struct table_end *end)
{
	struct arena arena;
	struct row **rows;

	arena_init(&arena);
	rows = table_sorted(&arena, table, NULL);
	put_head(out, table, end);
	for (unsigned i = 0; i < table->nrows + !!table->others; i++)
		put_row(out, table, rows[i]);
	arena_deinit(&arena);
}
