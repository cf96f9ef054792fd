// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a tree as users of function_graph know it:
 *	     0.412 us |    helper(n=3) = 4;
 *	+   12.310 us |  } = 9
 * Durations are exact, and stand in one column; the mark in front tells their order of magnitude.
 */
#include <stdio.h>

#include "base/escape.h"
#include "sink/graph/graph.h"

#define TAIL_LINES 20u /* a closing brace this far from its name repeats it */

/* The escapes that color what they are around; empty without colors. */
enum color { COLOR_OFF, COLOR_NAME, COLOR_QUIET, COLOR_SLOW, COLOR_SLOWEST, COLOR_BAD };
static const char *const escapes[] = {
	[COLOR_OFF] = "\33[m",
	[COLOR_NAME] = "\33[1m",
	[COLOR_QUIET] = "\33[2m",
	[COLOR_SLOW] = "\33[33m",
	[COLOR_SLOWEST] = "\33[31m",
	[COLOR_BAD] = "\33[31m",
};

struct drawing {
	struct strbuf *out;
	const struct graphs *graphs;
	const struct tree *tree;
};

static void color(const struct drawing *drawing, enum color which)
{
	if (drawing->graphs->options.is_colored)
		strbuf_puts(drawing->out, escapes[which]);
}

static void colored(const struct drawing *drawing, enum color which, const char *text)
{
	color(drawing, which);
	strbuf_puts(drawing->out, text);
	color(drawing, COLOR_OFF);
}

/* trace_output.c of the kernel: trace_find_mark() */
static char mark_of(uint64_t ns)
{
	static const struct {
		uint64_t ns;
		char mark;
	} marks[] = {
		{1000000000, '$'}, {100000000, '@'}, {10000000, '*'},
		{1000000, '#'},	   {100000, '!'},    {10000, '+'},
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (ns > marks[i].ns)
			return marks[i].mark;
	return ' ';
}

/* "+   12.310 us |  ", and the indent. */
static void put_margin(const struct drawing *drawing, const struct call *call, bool has_duration)
{
	char text[48] = "                 ";
	uint64_t ns = call->end - call->begin;

	if (has_duration)
		snprintf(text, sizeof(text), "%c %8llu.%03llu us ", mark_of(ns),
			 (unsigned long long)(ns / 1000), (unsigned long long)(ns % 1000));
	color(drawing, !has_duration || ns <= 10000 ? COLOR_OFF :
		       ns <= 1000000		    ? COLOR_SLOW :
						      COLOR_SLOWEST);
	strbuf_puts(drawing->out, text);
	colored(drawing, COLOR_QUIET, "|  ");
	for (unsigned i = 0; i < call->depth; i++)
		strbuf_puts(drawing->out, "  ");
}

static bool has_duration(const struct call *call)
{
	return call->how == CALL_RETURNED || call->how == CALL_JUMPED || call->how == CALL_PASSED;
}

static void put_piece(const struct drawing *drawing, struct piece_of piece)
{
	strbuf_add(drawing->out, drawing->tree->text.data + piece.at, piece.length);
}

static void put_returned(const struct drawing *drawing, const struct call *call)
{
	if (!call->returned.length)
		return;
	strbuf_puts(drawing->out, " = ");
	put_piece(drawing, call->returned);
}

/* How it ended, unless by a return. */
static void put_end(const struct drawing *drawing, const struct call *call)
{
	const struct graph_function *function = &drawing->graphs->graph->functions[call->function];
	const char *text = call->how == CALL_OPEN ? drawing->tree->cut :
			   call->how == CALL_JUMPED ? "goes on in another function" :
			   call->how == CALL_LEFT ? "left without a return" :
			   call->how == CALL_INLINED ? "inlined" :
			   call->how == CALL_UNSEEN ? function->unseen :
			   call->how == CALL_PASSED && function->has_values ?
			   drawing->graphs->graph->functions[call->by].name : NULL;

	if (!text)
		return;
	color(drawing,
	      call->how == CALL_INLINED || call->how == CALL_JUMPED || call->how == CALL_PASSED ?
		      COLOR_QUIET :
		      COLOR_BAD);
	strbuf_puts(drawing->out, call->how == CALL_OPEN ? "  /* not ended: " :
		    call->how == CALL_PASSED ? "  /* returned by " :
		    call->how == CALL_UNSEEN ? "  /* its return isn't seen: " : "  /* ");
	strbuf_shown(drawing->out, text, strlen(text), "");
	strbuf_puts(drawing->out, " */");
	color(drawing, COLOR_OFF);
}

static void put_via(const struct drawing *drawing, const struct call *call)
{
	if (!call->via.length && !call->is_elsewhere)
		return;
	color(drawing, COLOR_QUIET);
	strbuf_puts(drawing->out, "  /* called by ");
	if (call->is_elsewhere)
		strbuf_puts(drawing->out, "code elsewhere");
	else
		strbuf_shown(drawing->out, drawing->tree->text.data + call->via.at,
			     call->via.length, "");
	strbuf_puts(drawing->out, " */");
	color(drawing, COLOR_OFF);
}

static void put_dropped(const struct drawing *drawing, const struct call *call)
{
	struct call inner = {.depth = call->depth + 1};

	if (!call->dropped)
		return;
	put_margin(drawing, &inner, false);
	strbuf_printf(drawing->out, "/* %u more calls, for which there was no room */\n",
		      call->dropped);
}

static void open_call(const struct drawing *drawing, const struct call *call, bool is_leaf)
{
	const char *name = drawing->graphs->graph->functions[call->function].name;

	put_margin(drawing, call, is_leaf && has_duration(call));
	color(drawing, call->depth ? COLOR_OFF : COLOR_NAME);
	strbuf_shown(drawing->out, name, strlen(name), "");
	color(drawing, COLOR_OFF);
	strbuf_putc(drawing->out, '(');
	put_piece(drawing, call->values);
	strbuf_putc(drawing->out, ')');
	if (is_leaf)
		put_returned(drawing, call);
	strbuf_puts(drawing->out, is_leaf ? ";" : " {");
	put_via(drawing, call);
	if (is_leaf || call->how == CALL_INLINED)
		put_end(drawing, call);
	strbuf_putc(drawing->out, '\n');
}

/* lines: between its braces. */
static void close_call(const struct drawing *drawing, const struct call *call, unsigned lines)
{
	const char *name = drawing->graphs->graph->functions[call->function].name;

	put_dropped(drawing, call);
	put_margin(drawing, call, has_duration(call));
	strbuf_putc(drawing->out, '}');
	put_returned(drawing, call);
	if (lines >= TAIL_LINES) {
		color(drawing, COLOR_QUIET);
		strbuf_printf(drawing->out, "  /* %s */", name);
		color(drawing, COLOR_OFF);
	}
	if (call->how != CALL_INLINED)
		put_end(drawing, call);
	strbuf_putc(drawing->out, '\n');
}

/* "dd 92592 [009] 87585.288990: copy" */
static void put_head(const struct drawing *drawing)
{
	const struct tree *tree = drawing->tree;
	const struct event event = {.comm = tree->comm,
				    .pid = tree->pid < 0 ? 0 : tree->pid,
				    .cpu = tree->cpu,
				    .time = tree->calls[0].begin};

	sink_text.head(drawing->out, &event);
	strbuf_end(drawing->out, write_micros(strbuf_room(drawing->out, 16),
					      (uint32_t)(event.time % 1000000000) / 1000));
	strbuf_puts(drawing->out, ":\n");
}

void graph_text_tree(struct strbuf *out, const struct graphs *graphs, const struct tree *tree)
{
	const struct drawing drawing = {out, graphs, tree};

	put_head(&drawing);
	for (uint32_t i = 0; i < tree->ncalls; i++) {
		const struct call *call = &tree->calls[i],
				  *next = i + 1 < tree->ncalls ? call + 1 : NULL;
		bool is_leaf = (!next || next->parent != i) && !call->dropped;
		uint32_t open = is_leaf ? call->parent : i;

		open_call(&drawing, call, is_leaf);
		while (open != NO_CALL && (!next || next->parent != open)) {
			close_call(&drawing, &tree->calls[open], i - open);
			open = tree->calls[open].parent;
		}
	}
}

/* "$retval" alone needs no name behind the '='. */
static bool is_bare(const struct probe *probe, const struct value *value)
{
	return probe->is_return && !strcmp(value->name, "retval");
}

void graph_text_values(struct strbuf *out, const struct event *event,
		       const struct sink_context *context)
{
	const struct probe *probe = event->probe;

	for (unsigned i = 0; i < probe->nvalues; i++) {
		strbuf_puts(out, i ? ", " : "");
		if (!is_bare(probe, &probe->values[i]))
			strbuf_printf(out, "%s=", probe->values[i].name);
		put_value(out, sink_text.notation, &probe->values[i], &event->values[i], context);
	}
}
