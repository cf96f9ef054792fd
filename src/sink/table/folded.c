// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a table as flame graph tools read it, `main;work;malloc 12`: the keys as frames, a stack's
 * outermost first, and the figure that the table is sorted by. Other keys are a frame each. The
 * format has no escapes, so a ';' in a name becomes a ':'.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "sink/table/show.h"

static void add_part(struct arena *arena, struct folded *folded, const char *text)
{
	struct strbuf shown = {0};
	char *part;

	strbuf_shown(&shown, text, strlen(text), "");
	part = arena_strndup(arena, shown.length ? shown.data : "?",
			     shown.length ? shown.length : 1);
	for (char *c = part; *c; c++)
		if (*c == ';')
			*c = ':';
	strbuf_deinit(&shown);
	arena_append(arena, folded->parts, folded->nparts) = part;
}

static void add_stack(struct arena *arena, struct folded *folded, const struct stack *stack)
{
	if (stack->is_cut)
		add_part(arena, folded, "[cut]");
	for (unsigned i = stack->count; i > 0; i--)
		add_part(arena, folded, stack_name(arena, &stack->frames[i - 1]));
}

static void add_keys(struct arena *arena, const struct table *table, const struct row *row,
		     struct folded *folded)
{
	const char **texts = key_texts(arena, table, row), *at = row->key;

	if (!at)
		add_part(arena, folded, "(others)");
	for (unsigned i = 0; at && i < table->nkeys; i++) {
		const char *end = element_end(at);
		struct stack stack;

		if (*at != '"' &&
		    stack_read(arena, arena_strndup(arena, at, (size_t)(end - at)), &stack))
			add_stack(arena, folded, &stack);
		else
			add_part(arena, folded, texts[i]);
		at = *end ? end + 1 : end;
	}
}

/* Only what adds up can be folded: else it is the hits. */
static struct shown folded_figure(struct arena *arena, const struct table *table, const char *sort)
{
	struct shown shown;

	sort_shown(arena, table, sort, &shown);
	if (shown.figure != FIGURE_SUM)
		shown.figure = FIGURE_HITS;
	return shown;
}

static int compare(const void *left, const void *right)
{
	const struct folded *a = left, *b = right;

	for (unsigned i = 0; i < a->nparts && i < b->nparts; i++) {
		int order = strcmp(a->parts[i], b->parts[i]);

		if (order)
			return order;
	}
	return a->nparts < b->nparts ? -1 : a->nparts > b->nparts;
}

/* Rows that differ only in offsets and lines read the same. Returns how many are left. */
static unsigned merge(struct folded *list, unsigned count)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++)
		if (kept && !compare(&list[kept - 1], &list[i]))
			list[kept - 1].number += list[i].number;
		else
			list[kept++] = list[i];
	return kept;
}

unsigned table_fold(struct arena *arena, const struct table *table, const char *sort,
		    struct folded **ret)
{
	struct shown figure = folded_figure(arena, table, sort);
	struct row **rows = table_sorted(arena, table, sort);
	unsigned count = 0;

	*ret = NULL;
	for (unsigned i = 0; i < table->nrows + !!table->others; i++) {
		struct folded folded = {0};

		if (!row_figure(rows[i], &figure, &folded.number) || folded.number <= 0)
			continue;
		add_keys(arena, table, rows[i], &folded);
		arena_append(arena, *ret, count) = folded;
	}
	if (count)
		qsort(*ret, count, sizeof(**ret), compare);
	return merge(*ret, count);
}

void table_folded(const struct table *table, struct strbuf *out,
		  const struct table_options *options)
{
	struct folded *list;
	struct arena arena;
	unsigned count;

	arena_init(&arena);
	count = table_fold(&arena, table, options->sort, &list);
	for (unsigned i = 0; i < count; i++) {
		for (unsigned j = 0; j < list[i].nparts; j++)
			strbuf_join(out, j ? ";" : "", list[i].parts[j], NULL);
		strbuf_putc(out, ' ');
		put_wide_number(out, list[i].number);
		strbuf_putc(out, '\n');
	}
	arena_deinit(&arena);
}
