// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads tables that json.c wrote and adds them up: tables with the same title, columns and keys
 * become one, and rows with the same keys one row. All numbers are integers, so the sum is exact. A
 * file that ends before its trace did is refused: nobody could tell what is missing.
 */
#include "base/error.h"
#include "base/json_tree.h"
#include "sink/pairs.h"
#include "sink/table/table.h"

struct merger {
	struct table_list *list;
	struct arena *scratch; /* for one line */
	struct table *table; /* whose rows follow; NULL: skip them */
	struct table_end *end;
	bool any;      /* a table was read */
	bool has_end;
};

static bool same_words(const struct json *array, const char *const *words, unsigned count)
{
	const struct json *element = array ? array->first : NULL;

	for (unsigned i = 0; i < count; i++, element = element->next)
		if (!element || element->kind != JSON_TEXT || strcmp(element->text, words[i]) != 0)
			return false;
	return array && !element;
}

static bool text_is(const struct json *json, const char *text)
{
	return json && json->kind == JSON_TEXT && !strcmp(json->text, text);
}

static bool same_columns(const struct json *array, const struct table *table)
{
	const struct json *element = array ? array->first : NULL;

	for (unsigned i = 0; i < table->ncolumns; i++, element = element->next)
		if (!element || !text_is(json_member(element, "name"), table->columns[i].name) ||
		    !!json_member(element, "unit") != table->columns[i].is_time)
			return false;
	return array && !element;
}

static struct table *find_table(const struct merger *merger, const struct json *line)
{
	for (unsigned i = 0; i < merger->list->count; i++) {
		struct table *table = merger->list->tables[i];

		if (text_is(json_member(line, "table"), table->title) &&
		    same_words(json_member(line, "keys"), table->keys, table->nkeys) &&
		    same_columns(json_member(line, "columns"), table))
			return table;
	}
	return NULL;
}

static bool read_column(struct arena *arena, const struct json *json, struct column *column)
{
	const struct json *name = json_member(json, "name"), *kind = json_member(json, "kind");
	const struct json *of = json_member(json, "of");
	unsigned i = 0;

	while (i <= AGGREGATE_HIST && !text_is(kind, table_kinds[i]))
		i++;
	if (i > AGGREGATE_HIST || !name || name->kind != JSON_TEXT)
		return false;
	column->kind = (enum aggregate_kind)i;
	column->name = arena_strdup(arena, name->text);
	column->is_time = json_member(json, "unit");
	if (column->kind == AGGREGATE_COUNT)
		return true;
	if (!of || of->kind != JSON_TEXT || !json_counter(json_member(json, "step"), &column->step))
		return false;
	column->of = arena_strdup(arena, of->text);
	return true;
}

static struct table *new_table(const struct merger *merger, const struct json *line)
{
	const struct json *title = json_member(line, "table"), *keys = json_member(line, "keys"), *element;
	const struct json *columns = json_member(line, "columns"), *places = json_member(line, "places");
	struct arena *arena = merger->list->arena;
	struct table *table = arena_new(arena, struct table);

	if (title->kind != JSON_TEXT || !keys || !columns || !places)
		return NULL;
	table->title = arena_strdup(arena, title->text);
	table->has_places = places->kind == JSON_TRUE;
	for (element = keys->first; element; element = element->next) {
		if (element->kind != JSON_TEXT)
			return NULL;
		arena_append(arena, table->keys, table->nkeys) = arena_strdup(arena, element->text);
	}
	for (element = columns->first; element; element = element->next)
		if (!read_column(arena, element, &arena_append(arena, table->columns, table->ncolumns)))
			return NULL;
	table_init(table, arena, merger->list->options->keys);
	arena_append(arena, merger->list->tables, merger->list->count) = table;
	return table->ncolumns ? table : NULL;
}

static bool add_up(uint64_t *sum, const struct json *json)
{
	uint64_t number;

	return json_counter(json, &number) && !__builtin_add_overflow(*sum, number, sum);
}

/* Interim tables of -i are skipped: the final one includes them. */
static bool read_head(struct merger *merger, const struct json *line)
{
	const struct json *final = json_member(line, "final"), *column;
	uint64_t milliseconds;
	unsigned i = 0;

	merger->table = NULL;
	if (!final || final->kind != JSON_TRUE)
		return final;
	merger->table = find_table(merger, line);
	if (!merger->table)
		merger->table = new_table(merger, line);
	if (!merger->table || !json_counter(json_member(line, "milliseconds"), &milliseconds) ||
	    !add_up(&merger->table->hits, json_member(line, "hits")))
		return false;
	if (merger->end->elapsed < (double)milliseconds / 1000)
		merger->end->elapsed = (double)milliseconds / 1000;
	for (column = json_member(line, "columns")->first; column; column = column->next, i++)
		if (merger->table->columns[i].kind != AGGREGATE_COUNT &&
		    (!add_up(&merger->table->columns[i].faults, json_member(column, "faults")) ||
		     !add_up(&merger->table->columns[i].missing, json_member(column, "missing"))))
			return false;
	return merger->any = true;
}

/* Reads a pair: a number and its count. */
static bool read_pair(const struct json *pair, __int128 *number, uint64_t *count)
{
	return pair->kind == JSON_ARRAY && json_integer(pair->first, number) &&
	       json_counter(pair->first->next, count) && !pair->first->next->next;
}

static bool is_64_bits(__int128 number)
{
	return number >= INT64_MIN && number <= UINT64_MAX;
}

static bool read_hist(struct arena *arena, const struct column *column, const struct json *json,
		      struct hist *hist)
{
	const struct json *buckets = json_member(json, "buckets"), *steps = json_member(json, "steps"), *pair;
	__int128 number;
	uint64_t count;

	if (!buckets || (column->step && !steps))
		return false;
	for (pair = buckets->first; pair; pair = pair->next) {
		if (!read_pair(pair, &number, &count) || !is_64_bits(number))
			return false;
		hist_add(arena, hist, number, count);
	}
	for (pair = column->step ? steps->first : NULL; pair; pair = pair->next) {
		if (!read_pair(pair, &number, &count) || number % column->step)
			return false;
		hist_add_step(arena, hist, number / column->step, count);
	}
	return !column->step || add_up(&hist->others, json_member(json, "others"));
}

static bool read_cell(struct arena *arena, const struct column *column, const struct json *json,
		      struct cell *cell)
{
	struct cell own = {0};

	if (!json_counter(json_member(json, "n"), &own.n) || !json_integer(json_member(json, "sum"), &own.sum))
		return false;
	if (own.n && (!json_integer(json_member(json, "min"), &own.min) ||
		      !json_integer(json_member(json, "max"), &own.max)))
		return false;
	cell_merge(cell, &own);
	return !cell->hist || read_hist(arena, column, json, cell->hist);
}

/* The keys' values, formatted as in feed.c. */
static bool read_key(const struct table *table, const struct json *row, struct strbuf *out)
{
	for (unsigned i = 0; i < table->nkeys; i++) {
		const struct json *value = json_member(row, table->keys[i]);

		if (!value)
			return false;
		if (i)
			strbuf_putc(out, ',');
		json_write(out, value);
	}
	return true;
}

static struct row *find_row(struct table *table, const struct json *row)
{
	struct strbuf key = {0};
	struct row *ret = NULL;

	if (row->kind == JSON_NULL)
		return table_others(table);
	if (row->kind == JSON_OBJECT && read_key(table, row, &key))
		ret = table_row(table, key.data ? key.data : "", key.length);
	if (ret && table->has_places && !table->first_place)
		table->first_place = arena_strndup(table->arena, key.data,
						   (size_t)(element_end(key.data) - key.data));
	strbuf_deinit(&key);
	return ret;
}

static bool read_row(struct merger *merger, const struct json *line)
{
	struct table *table = merger->table;
	struct row *row;

	if (!table)
		return true;
	row = find_row(table, json_member(line, "row"));
	if (!row || !add_up(&row->hits, json_member(line, "hits")))
		return false;
	for (unsigned i = 0; i < table->ncolumns; i++)
		if (table->columns[i].kind != AGGREGATE_COUNT &&
		    !read_cell(table->arena, &table->columns[i], json_member(line, table->columns[i].name),
			       &row->cells[i]))
			return false;
	return true;
}

/* A sum with an unknown part is unknown. */
static bool add_known(uint64_t *sum, const struct json *json)
{
	if (!json || json->kind == JSON_NULL) {
		*sum = NOT_KNOWN;
		return json;
	}
	return *sum == NOT_KNOWN ? true : add_up(sum, json);
}

static bool read_end(struct merger *merger, const struct json *end)
{
	const struct json *unrecorded = json_member(end, "unrecorded");

	merger->has_end = true;
	return add_up(&merger->end->events, json_member(end, "events")) &&
	       add_known(&merger->end->lost, json_member(end, "lost")) &&
	       add_known(&merger->end->missed, json_member(end, "missed")) &&
	       (!unrecorded || add_up(&merger->end->unrecorded, unrecorded)) &&
	       pairs_read(merger->list->arena, json_member(end, "pairs"), &merger->end->pairs, &merger->end->npairs);
}

static bool read_line(struct merger *merger, const char *text, size_t length)
{
	const struct json *line = json_read(merger->scratch, text, length);

	if (json_member(line, "table"))
		return read_head(merger, line);
	if (json_member(line, "row"))
		return read_row(merger, line);
	if (json_member(line, "end"))
		return read_end(merger, json_member(line, "end"));
	return false;
}

struct table_list *table_list_new(struct arena *arena, const struct table_options *options)
{
	struct table_list *list = arena_new(arena, struct table_list);

	list->arena = arena;
	list->options = options;
	return list;
}

struct error *table_list_read(struct table_list *list, const char *name, const char *text,
			      struct table_end *end)
{
	struct arena scratch;
	struct merger merger = {.list = list, .scratch = &scratch, .end = end};
	unsigned number = 1;
	bool good = true;

	arena_init(&scratch);
	for (; *text && good; number++) {
		size_t length = strcspn(text, "\n");

		good = !merger.has_end && read_line(&merger, text, length);
		arena_reset(&scratch);
		text += length + (text[length] == '\n');
	}
	arena_deinit(&scratch);
	if (!good)
		return error_hint(list->arena, error_new(list->arena, ERROR_SYNTAX, "line %u of '%s' isn't one of a "
							 "table's", number - 1, name),
				  "'ktrace probe --json -o FILE' writes what can be merged");
	if (!merger.any || !merger.has_end)
		return error_new(list->arena, ERROR_SYNTAX, merger.any ? "'%s' ends before its trace does" :
				 "'%s' has no table", name);
	return NULL;
}
