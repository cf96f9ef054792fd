// SPDX-License-Identifier: GPL-2.0-only
/* Shows a trace's tables: at the end, or at intervals, on a terminal in place of the last ones,
 * unless its size has changed. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/display_width.h"
#include "cmd/live/live.h"

#define TABLE_KEYS  100000u
#define TABLE_TOP   20u
#define TABLE_WIDTH 80u /* columns, without a terminal */

bool is_utf8_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "utf8");
	}
	return false;
}

/* The terminal's size; 0: there is none. */
static struct winsize terminal_size(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? (struct winsize){0} : size;
}

unsigned terminal_columns(void)
{
	return terminal_size().ws_col;
}

void table_settings(const struct options *options, bool is_terminal, struct table_options *ret)
{
	unsigned columns = terminal_columns();

	*ret = (struct table_options){
		.keys = options->keys ? (unsigned)options->keys : TABLE_KEYS,
		.top = options->top ? (unsigned)options->top : TABLE_TOP,
		.sort = options->sort,
		.width = is_terminal && columns ? columns : TABLE_WIDTH,
		.is_utf8 = is_utf8_locale(),
	};
}

enum table_form table_form(const struct options *options)
{
	return options->json ? TABLE_JSON : options->folded ? TABLE_FOLDED : TABLE_TEXT;
}

struct error *table_options_check(struct arena *arena, const struct options *options,
				  bool has_tables)
{
	bool is_asked = options->interval > 0 || options->top || options->keys || options->sort ||
			options->folded || options->flame || options->in_kernel;

	if (!has_tables)
		return !is_asked ? NULL : error_hint(arena, error_new(
			arena, ERROR_USAGE, "-i, --top, --sort, --keys, --folded, --flame and "
			"--in-kernel are for tables"),
			"add count() to a spec, or another aggregate: see ktrace-spec(7)");
	if (options->in_kernel && options->count)
		return error_new(arena, ERROR_USAGE,
				 "-c and --in-kernel exclude each other: what the kernel counts is "
				 "read at the end");
	return NULL;
}

struct error *pair_options_check(struct arena *arena, const struct options *options,
				 unsigned npairs)
{
	return npairs || !options->open ? NULL : error_hint(arena, error_new(
		arena, ERROR_USAGE, "--open is for pairs: it bounds the starts that wait for their "
		"ends"), "leave it out, or write START -> END: see ktrace-spec(7)");
}

struct error *table_view_open(struct table_view *view, struct arena *arena,
			      const struct options *options, const struct plan *plan,
			      const struct sink_context *context)
{
	struct error *error = table_options_check(arena, options, tables_wanted(plan));

	if (!error)
		error = pair_options_check(arena, options, plan->npairs);
	if (error || !tables_wanted(plan))
		return error;
	view->form = table_form(options);
	view->is_terminal = !options->output && view->form == TABLE_TEXT && isatty(STDOUT_FILENO);
	view->is_redrawn = view->is_terminal && is_smart_terminal();
	view->interval = (uint64_t)(options->interval * 1e9);
	table_settings(options, view->is_terminal, &view->options);
	return tables_new(arena, plan, context, &view->options, &view->tables);
}

void table_view_begin(struct table_view *view, uint64_t time)
{
	view->begun = time;
	view->next = view->interval ? time + view->interval : 0;
}

bool table_view_is_due(const struct table_view *view, uint64_t time)
{
	return view->next && time >= view->next;
}

/* The terminal's lines that a line of text takes: a long one is wrapped. *at: the next one. */
static unsigned lines_taken(const char **at, unsigned width)
{
	unsigned columns = 0;

	while (**at && **at != '\n')
		columns += char_columns(at);
	*at += **at == '\n';
	return columns ? (columns + width - 1) / width : 1;
}

/* What is to be redrawn in place must fit on the terminal: the rest is cut, until the last table.
 * Returns the lines it takes. */
static unsigned fit_on_terminal(const struct table_view *view, struct strbuf *out, size_t start,
				bool is_final)
{
	unsigned room = terminal_size().ws_row, height = 0, left = 0;
	const char *at, *cut = NULL;

	strbuf_putc(out, '\0');
	out->length--;
	for (at = out->data + start; *at;) {
		const char *line = at;
		unsigned taken = lines_taken(&at, view->options.width);

		if (!is_final && room > 2 && (cut || height + taken > room - 2)) {
			cut = cut ?: line;
			left++;
			continue;
		}
		height += taken;
	}
	if (!cut)
		return height;
	out->length = (size_t)(cut - out->data);
	strbuf_printf(out, "(%u more lines: the terminal is too low)\n", left);
	return height + 1;
}

void table_view_show(struct table_view *view, struct strbuf *out, struct table_end *end,
		     uint64_t time)
{
	struct winsize size = view->is_terminal ? terminal_size() : (struct winsize){0};
	size_t start;

	view->options.width = size.ws_col ?: view->options.width; /* it may have changed */
	if (size.ws_col != view->columns || size.ws_row != view->lines)
		/* it is not known where its lines are now: the next ones go below */
		view->height = 0;
	view->columns = size.ws_col;
	view->lines = size.ws_row;
	end->elapsed = (double)(time - view->begun) / 1e9;
	if (view->interval)
		end->since = (double)(time - (view->shown ? view->shown : view->begun)) / 1e9;
	if (view->height)
		strbuf_printf(out, "\033[%uA\033[J", view->height);
	else if (view->shown && view->form == TABLE_TEXT)
		strbuf_putc(out, '\n');
	start = out->length;
	tables_show(view->tables, out, view->form, end);
	view->height = view->is_redrawn ? fit_on_terminal(view, out, start, end->is_final) : 0;
	view->shown = time;
	while (view->next && view->next <= time)
		view->next += view->interval;
}
