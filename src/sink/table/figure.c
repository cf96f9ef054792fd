// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats numbers and keys for people: digits in threes, times with three digits and a unit.
 * Counts, sums and bounds keep all digits; only times are rounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_width.h"
#include "base/escape.h"
#include "base/json_tree.h"
#include "sink/table/show.h"

static char *grouped(struct arena *arena, __int128 number)
{
	struct strbuf digits = {0}, out = {0};
	char *ret;

	put_wide_number(&digits, number);
	for (size_t i = 0; i < digits.length; i++) {
		size_t left = digits.length - i;

		if (i && left % 3 == 0 && digits.data[i - 1] != '-')
			strbuf_putc(&out, ',');
		strbuf_putc(&out, digits.data[i]);
	}
	ret = arena_strndup(arena, out.data, out.length);
	strbuf_deinit(&digits);
	strbuf_deinit(&out);
	return ret;
}

/* "512", "1.02us", "12.3ms" */
static char *time_text(struct arena *arena, long double ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	long double size = ns < 0 ? -ns : ns;
	unsigned unit = 0;
	char text[64];

	for (; size >= 999.5L && unit < 3; unit++)
		size /= 1000;
	snprintf(text, sizeof(text), "%s%.*Lf%s", ns < 0 ? "-" : "", !unit ? 0 : size < 9.995L ? 2 :
		 size < 99.95L ? 1 : 0, size, units[unit]);
	return arena_strdup(arena, text);
}

/* A mean has two digits behind the point, truncated. */
static char *mean_text(struct arena *arena, const struct cell *cell)
{
	__int128 n = cell->n, whole = cell->sum / n, rest = cell->sum % n * 100 / n;
	const char *sign = rest < 0 && !whole ? "-" : "";

	return arena_printf(arena, "%s%s.%02d", sign, grouped(arena, whole), abs((int)rest));
}

char *number_text(struct arena *arena, __int128 number, bool is_time)
{
	return is_time ? time_text(arena, (long double)number) : grouped(arena, number);
}

char *figure_text(struct arena *arena, const struct table *table, const struct row *row,
		  const struct shown *shown)
{
	const struct column *column = &table->columns[shown->column];
	__int128 number;

	if (!row_figure(row, shown, &number))
		return arena_strdup(arena, "-");
	if (shown->figure == FIGURE_AVG && !column->is_time)
		return mean_text(arena, &row->cells[shown->column]);
	return number_text(arena, number, column->is_time && shown->figure != FIGURE_HITS);
}

static const char *text_in(const struct json *json, const char *name)
{
	const struct json *member = json_member(json, name);

	return member && !member->next && json->first == member && member->kind == JSON_TEXT ?
		       member->text :
		       NULL;
}

char *shown_text(struct arena *arena, const char *text)
{
	struct strbuf out = {0};
	char *ret;

	strbuf_shown(&out, text, strlen(text), "");
	ret = arena_strndup(arena, out.data ? out.data : "", out.length);
	strbuf_deinit(&out);
	return ret;
}

/* A text without quotes, on one line; NULL: it is no text. */
static char *plain_text(struct arena *arena, const struct json *json)
{
	const char *escaped = text_in(json, "escaped");
	const char *text = escaped ?: json && json->kind == JSON_TEXT ? json->text : NULL;

	return text ? shown_text(arena, *text ? text : "\"\"") : NULL;
}

/* A key's element from its JSON: texts without quotes; an error or a cut text in words. */
static char *element_text(struct arena *arena, const char *text)
{
	const struct json *json = json_read(arena, text, strlen(text)),
			  *cut = json_member(json, "cut");
	char *own = plain_text(arena, json);
	const char *error = text_in(json, "error");
	struct stack stack;

	if (own)
		return own;
	if (error)
		return arena_printf(arena, "(%s)", shown_text(arena, error));
	if (stack_read(arena, text, &stack))
		return stack_short(arena, &stack);
	own = cut && !cut->next ? plain_text(arena, cut) : NULL;
	return own ? arena_printf(arena, "%s...", own) : arena_strdup(arena, text);
}

const char **key_texts(struct arena *arena, const struct table *table, const struct row *row)
{
	const char **ret = arena_array(arena, const char *, table->nkeys + 1);
	const char *at = row->key;

	for (unsigned i = 0; i < table->nkeys; i++) {
		const char *end = at ? element_end(at) : NULL;

		ret[i] = at ? element_text(arena, arena_strndup(arena, at, (size_t)(end - at))) :
			 i ? "" : "(others)";
		at = end && *end ? end + 1 : end;
	}
	return ret;
}

unsigned text_width(const char *text)
{
	return (unsigned)text_columns(text, strlen(text));
}

/* "...he/end": a long key's end tells more than its beginning. */
char *fit_text(struct arena *arena, const char *text, unsigned width)
{
	unsigned has = text_width(text), room = width > 3 ? width - 3 : 0;
	const char *at = text;

	if (has <= width)
		return arena_strdup(arena, text);
	while (has > room)
		has -= char_columns(&at);
	return arena_printf(arena, "...%s", at);
}
