// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats numbers and keys for people: digits in threes, times with three digits and a unit.
 * Counts, sums and bounds keep all digits; only times are rounded.
 */
#include <stdio.h>

#include "base/columns.h"
#include "base/escape.h"
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
	__int128 hundredth = cell->sum * 100 / (__int128)cell->n;
	unsigned rest = (unsigned)((hundredth < 0 ? -hundredth : hundredth) % 100);
	const char *sign = hundredth < 0 && hundredth > -100 ? "-" : "";

	return arena_printf(arena, "%s%s.%02u", sign, grouped(arena, hundredth / 100), rest);
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

static unsigned hex_digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* strbuf_json() writes \uXXXX only for characters below U+0080. */
static const char *unescape(const char *at, struct strbuf *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *found = strchr(letters, *at);

	if (*at != 'u' || strspn(at + 1, "0123456789abcdefABCDEF") < 4) {
		strbuf_putc(out, found && *at ? meant[found - letters] : *at);
		return *at ? at + 1 : at;
	}
	strbuf_putc(out, (char)(hex_digit(at[3]) << 4 | hex_digit(at[4])));
	return at + 5;
}

/* The string in the quotes at `at`, unescaped. */
static void put_string(struct strbuf *out, const char *at)
{
	for (at++; *at && *at != '"';)
		if (*at == '\\') {
			at = unescape(at + 1, out);
		} else {
			strbuf_putc(out, *at);
			at++;
		}
}

/* A key's element from its JSON: without quotes; an error or a cut text in words. */
static char *element_text(struct arena *arena, const char *json)
{
	static const char error[] = "{\"error\":", cut[] = "{\"cut\":";
	bool is_error = !strncmp(json, error, sizeof(error) - 1), is_cut = !strncmp(json, cut, sizeof(cut) - 1);
	struct strbuf raw = {0}, out = {0};
	struct stack stack;
	char *ret;

	if (*json != '"' && !is_error && stack_read(arena, json, &stack))
		return stack_short(arena, &stack);
	if (is_error || is_cut)
		json += is_error ? sizeof(error) - 1 : sizeof(cut) - 1;
	if (*json == '"')
		put_string(&raw, json);
	else
		strbuf_puts(&raw, json);
	if (!raw.length)
		strbuf_puts(&raw, "\"\"");
	strbuf_puts(&out, is_error ? "(" : "");
	strbuf_shown(&out, raw.data, raw.length, "");
	strbuf_puts(&out, is_error ? ")" : is_cut ? "..." : "");
	ret = arena_strndup(arena, out.data, out.length);
	strbuf_deinit(&raw);
	strbuf_deinit(&out);
	return ret;
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
	unsigned width = 0;

	while (*text)
		width += char_columns(&text);
	return width;
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
