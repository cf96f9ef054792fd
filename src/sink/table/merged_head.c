// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the table that a line of JSON describes among those read before, or makes it: tables with
 * the same title, columns and keys are one.
 */
#include "sink/table/merger.h"

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
		    !!json_member(element, "unit") != table->columns[i].is_time ||
		    !!json_member(element, "in_kernel") != table->columns[i].is_counted)
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
	column->is_counted = json_member(json, "in_kernel");
	if (column->kind == AGGREGATE_COUNT)
		return true;
	if (!of || of->kind != JSON_TEXT || !json_counter(json_member(json, "step"), &column->step))
		return false;
	column->of = arena_strdup(arena, of->text);
	return true;
}

static struct table *new_table(const struct merger *merger, const struct json *line)
{
	const struct json *title = json_member(line, "table"), *keys = json_member(line, "keys"),
			  *element;
	const struct json *columns = json_member(line, "columns"),
			  *places = json_member(line, "places");
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
		if (!read_column(arena, element,
				 &arena_append(arena, table->columns, table->ncolumns)))
			return NULL;
	table_init(table, arena, merger->list->options->keys);
	arena_append(arena, merger->list->tables, merger->list->count) = table;
	return table->ncolumns && table->nkeys >= table->has_places ? table : NULL;
}

/* Interim tables of -i are skipped: the final one includes them. */
bool merge_head(struct merger *merger, const struct json *line)
{
	const struct json *final = json_member(line, "final"), *column;
	uint64_t milliseconds;
	unsigned i = 0;

	merger->table = NULL;
	if (merger->due)
		return false;
	if (!final || final->kind != JSON_TRUE)
		return final;
	merger->table = find_table(merger, line);
	if (!merger->table)
		merger->table = new_table(merger, line);
	if (!merger->table || !json_counter(json_member(line, "milliseconds"), &milliseconds) ||
	    !add_up(&merger->table->hits, json_member(line, "hits")) ||
	    !add_up(&merger->due, json_member(line, "hits")))
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
