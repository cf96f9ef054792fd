// SPDX-License-Identifier: GPL-2.0-only
/* Prints a tree as one JSON object on one line; the calls in a call are an array of such
 * objects. */
#include "base/escape.h"
#include "sink/graph/graph.h"

static const char *const ends[] = {
	[CALL_OPEN] = "open",
	[CALL_RETURNED] = "return",
	[CALL_JUMPED] = "jump",
	[CALL_PASSED] = "return",
	[CALL_INLINED] = "inlined",
	[CALL_UNSEEN] = "unseen",
	[CALL_LEFT] = "left",
};

static void put_text(struct strbuf *out, const char *key, const char *text, size_t length)
{
	strbuf_join(out, ",\"", key, "\":", NULL);
	strbuf_json(out, text, length);
}

static void put_number_of(struct strbuf *out, const char *key, uint64_t number)
{
	strbuf_join(out, ",\"", key, "\":", NULL);
	put_unsigned(out, number);
}

static void put_args(struct strbuf *out, const struct tree *tree, struct piece_of piece)
{
	if (piece.length)
		strbuf_add(out, tree->text.data + piece.at, piece.length);
	else
		strbuf_puts(out, "\"args\":{}");
}

static void put_call(struct strbuf *out, const struct graphs *graphs, const struct tree *tree,
		     const struct call *call)
{
	const char *name = graphs->graph->functions[call->function].name;

	put_text(out, "function", name, strlen(name));
	put_text(out, "end", ends[call->how], strlen(ends[call->how]));
	if (call->how == CALL_RETURNED || call->how == CALL_JUMPED || call->how == CALL_PASSED)
		put_number_of(out, "duration_ns", call->end - call->begin);
	else
		strbuf_puts(out, ",\"duration_ns\":null");
	if (call->how == CALL_PASSED)
		put_text(out, "returned_by", graphs->graph->functions[call->by].name,
			 strlen(graphs->graph->functions[call->by].name));
	if (call->is_elsewhere)
		strbuf_puts(out, ",\"via\":null");
	else if (call->via.length)
		put_text(out, "via", tree->text.data + call->via.at, call->via.length);
	strbuf_putc(out, ',');
	put_args(out, tree, call->values);
	strbuf_puts(out, ",\"return\":{");
	put_args(out, tree, call->returned);
	strbuf_putc(out, '}');
	if (call->dropped)
		put_number_of(out, "left_out", call->dropped);
	strbuf_puts(out, ",\"calls\":[");
}

/* Trees come in the order in which they end. */
static void put_root(struct strbuf *out, const struct graphs *graphs, const struct tree *tree)
{
	const struct origin *origin = graphs->context->origin;

	strbuf_puts(out, "{");
	if (origin && origin->clock) {
		strbuf_puts(out, "\"wall_ns\":");
		put_unsigned(out, wall_of(origin->clock, tree->calls[0].begin));
		strbuf_putc(out, ',');
	}
	strbuf_puts(out, "\"time_ns\":");
	put_unsigned(out, tree->calls[0].begin);
	put_text(out, "comm", tree->comm, strlen(tree->comm));
	put_number_of(out, "pid", (uint64_t)(tree->pid < 0 ? 0 : tree->pid));
	put_number_of(out, "cpu", (uint64_t)tree->cpu);
	json_origin(out, origin, tree->probe);
	if (tree->cut)
		put_text(out, "cut", tree->cut, strlen(tree->cut));
}

void graph_json_tree(struct strbuf *out, const struct graphs *graphs, const struct tree *tree)
{
	for (uint32_t i = 0; i < tree->ncalls; i++) {
		const struct call *call = &tree->calls[i],
				  *next = i + 1 < tree->ncalls ? call + 1 : NULL;
		uint32_t open = i;

		if (!i) {
			put_root(out, graphs, tree);
		} else {
			strbuf_puts(out,
				    call->parent == i - 1 ? "{\"time_ns\":" : ",{\"time_ns\":");
			put_unsigned(out, call->begin);
		}
		put_call(out, graphs, tree, call);
		for (; open != NO_CALL && (!next || next->parent != open);
		     open = tree->calls[open].parent)
			strbuf_puts(out, "]}");
	}
	strbuf_putc(out, '\n');
}

void graph_json_values(struct strbuf *out, const struct event *event,
		       const struct sink_context *context)
{
	const struct probe *probe = event->probe;

	strbuf_puts(out, "\"args\":{");
	for (unsigned i = 0; i < probe->nvalues; i++) {
		strbuf_puts(out, i ? "," : "");
		strbuf_json(out, probe->values[i].name, strlen(probe->values[i].name));
		strbuf_putc(out, ':');
		put_value(out, &json_notation, &probe->values[i], &event->values[i], context);
	}
	strbuf_putc(out, '}');
	json_errors(out, event);
	json_cut(out, event);
}
