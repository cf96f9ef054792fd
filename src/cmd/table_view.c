// SPDX-License-Identifier: GPL-2.0-only
/* Shows a trace's tables: at the end, or at intervals, on a terminal in place of the last ones. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/live.h"

#define TABLE_KEYS  100000u
#define TABLE_TOP   20u
#define TABLE_WIDTH 80u /* columns, without a terminal */

void table_settings(const struct options *options, bool is_terminal, struct table_options *ret)
{
	struct winsize size;

	*ret = (struct table_options){
		.keys = options->keys ? (unsigned)options->keys : TABLE_KEYS,
		.top = options->top ? (unsigned)options->top : TABLE_TOP,
		.sort = options->sort,
		.width = TABLE_WIDTH,
	};
	if (is_terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		ret->width = size.ws_col;
}

enum table_form table_form(const struct options *options)
{
	return options->json ? TABLE_JSON : options->folded ? TABLE_FOLDED : TABLE_TEXT;
}

struct error *table_view_open(struct table_view *view, struct arena *arena, const struct options *options,
			      const struct plan *plan, const struct sink_context *context)
{
	bool is_asked = options->interval > 0 || options->top || options->keys || options->sort ||
			options->folded || options->flame;

	if (!tables_wanted(plan))
		return !is_asked ? NULL : error_hint(arena, error_new(
			arena, ERROR_USAGE, "-i, --top, --sort, --keys, --folded and --flame are "
			"for tables"),
			"add count() to a spec, or another aggregate: see ktrace-spec(7)");
	view->form = table_form(options);
	view->is_terminal = !options->output && view->form == TABLE_TEXT && isatty(STDOUT_FILENO);
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

void table_view_show(struct table_view *view, struct strbuf *out, struct table_end *end, uint64_t time)
{
	size_t start;

	end->elapsed = (double)(time - view->begun) / 1e9;
	if (view->interval)
		end->since = (double)(time - (view->shown ? view->shown : view->begun)) / 1e9;
	if (view->height)
		strbuf_printf(out, "\033[%uA\033[J", view->height);
	else if (view->shown && view->form == TABLE_TEXT)
		strbuf_putc(out, '\n');
	start = out->length;
	tables_show(view->tables, out, view->form, end);
	view->height = 0;
	for (size_t i = start; view->is_terminal && i < out->length; i++)
		view->height += out->data[i] == '\n';
	view->shown = time;
	while (view->next && view->next <= time)
		view->next += view->interval;
}
