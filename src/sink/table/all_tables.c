// SPDX-License-Identifier: GPL-2.0-only
/* Prints all tables of a run (or of several), then the counts of the run as a whole. */
#include "base/error.h"
#include "sink/table/show.h"

static void put_known(struct arena *arena, struct strbuf *out, const char *what, uint64_t number)
{
	if (number == NOT_KNOWN)
		strbuf_printf(out, ", %s: not known", what);
	else
		strbuf_printf(out, ", %s %s", number_text(arena, number, false), what);
}

static void put_end(struct strbuf *out, const struct table_end *end)
{
	struct arena arena;

	arena_init(&arena);
	strbuf_printf(out, "%s event%s", number_text(&arena, end->events, false),
		      end->events == 1 ? "" : "s");
	put_known(&arena, out, "lost", end->lost);
	if (end->is_final)
		put_known(&arena, out, "missed", end->missed);
	if (end->unrecorded)
		put_known(&arena, out, "not recorded", end->unrecorded);
	if (end->unsure)
		put_known(&arena, out, "more missed at most", end->unsure);
	if (end->dropped)
		put_known(&arena, out, "dropped (the kernel's table was full: --keys)",
			  end->dropped);
	strbuf_printf(out, "; %llu.%u s\n", (unsigned long long)end->elapsed,
		      (unsigned)((uint64_t)(end->elapsed * 10) % 10));
	pairs_text(out, "", end->pairs, end->npairs);
	arena_deinit(&arena);
}

static void mark_shown(struct table *table)
{
	for (unsigned i = 0; i < table->nheads; i++)
		for (struct row *row = table->heads[i]; row; row = row->next)
			row->shown_hits = row->hits;
	if (table->others)
		table->others->shown_hits = table->others->hits;
}

void table_list_show(const struct table_list *list, struct strbuf *out, enum table_form form,
		     const struct table_end *end)
{
	for (unsigned i = 0; i < list->count && form != TABLE_FLAME; i++) {
		switch (form) {
		case TABLE_JSON: table_json(list->tables[i], out, end); break;
		case TABLE_FOLDED: table_folded(list->tables[i], out, list->options); break;
		default: table_text(list->tables[i], out, list->options, end);
		}
		if (form == TABLE_TEXT && i + 1 < list->count)
			strbuf_putc(out, '\n');
		mark_shown(list->tables[i]);
	}
	if (form == TABLE_FLAME)
		table_list_flame(list, out);
	if (form == TABLE_TEXT)
		put_end(out, end);
}

struct error *table_list_check(const struct table_list *list)
{
	const char *sort = list->options->sort, *heads = "";
	struct arena *arena = list->arena;
	struct shown by, *columns;

	for (unsigned i = 0; sort && i < list->count; i++) {
		unsigned count = table_shown(arena, list->tables[i], &columns);

		if (sort_shown(arena, list->tables[i], sort, &by))
			return NULL;
		for (unsigned j = 0; j < count; j++)
			heads = arena_printf(arena, "%s%s%s", heads, *heads ? ", " : "",
					     columns[j].head);
	}
	if (!sort || !list->count)
		return NULL;
	return error_hint(arena, error_new(arena, ERROR_USAGE, "no column '%s' to sort by", sort),
			  "there are %s", heads);
}
