// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads tables that table_json.c wrote and adds them up, line by line. A file that ends before its
 * trace did is refused, as what is missing is unknown.
 */
#include "sink/end.h"
#include "sink/table/merger.h"

static bool read_end(struct merger *merger, const struct json *end)
{
	merger->has_end = true;
	return end_add(merger->list->arena, end, merger->end);
}

static bool read_line(struct merger *merger, const char *text, size_t length)
{
	const struct json *line = json_read(merger->scratch, text, length);

	if (json_member(line, "table"))
		return merge_head(merger, line);
	if (json_member(line, "row"))
		return merge_row(merger, line);
	if (json_member(line, "end") && !merger->due)
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
		return error_hint(list->arena,
				  error_new(list->arena, ERROR_SYNTAX,
					    "line %u of '%s' isn't one of a table's",
					    number - 1, name),
				  "'ktrace probe --json -o FILE' writes what can be merged");
	if (!merger.any || !merger.has_end)
		return error_new(
			list->arena, ERROR_SYNTAX,
			merger.any ? "'%s' ends before its trace does" : "'%s' has no table", name);
	return NULL;
}
