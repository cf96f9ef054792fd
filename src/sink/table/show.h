/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as text: how numbers and keys are written, and the drawings of histograms. */
#ifndef SINK_TABLE_SHOW_H
#define SINK_TABLE_SHOW_H

#include "sink/sink.h"
#include "sink/table/table.h"

/* figure.c */
char *number_text(struct arena *arena, __int128 number, bool is_time);
char *figure_text(struct arena *arena, const struct table *table, const struct row *row,
		  const struct shown *shown);
/* One text for each of the table's keys. */
const char **key_texts(struct arena *arena, const struct table *table, const struct row *row);
/* Escaped. */
char *shown_text(struct arena *arena, const char *text);
unsigned text_width(const char *text); /* columns of a terminal */
char *fit_text(struct arena *arena, const char *text, unsigned width);

/* stack_keys.c: a stack that is a row's key. */
struct stack {
	struct stack_frame *frames;
	unsigned count;
	bool is_cut;
};
/* Returns false when the key's JSON is no stack. */
bool stack_read(struct arena *arena, const char *element, struct stack *ret);
char *stack_name(struct arena *arena, const struct stack_frame *frame);
/* "malloc < work < main", or how it begins. */
char *stack_short(struct arena *arena, const struct stack *stack);
/* The row's stacks, a line for each frame. */
void stack_show(struct arena *arena, struct strbuf *out, const struct table *table,
		const struct row *row);

/* folded.c: rows whose number adds up, as stacks: outermost first; sorted, each once. */
struct folded {
	const char **parts;
	unsigned nparts;
	__int128 number;
};
unsigned table_fold(struct arena *arena, const struct table *table, const char *sort,
		    struct folded **ret);
/* flame.c */
void table_list_flame(const struct table_list *list, struct strbuf *out);
void table_folded(const struct table *table, struct strbuf *out,
		  const struct table_options *options);

/* draw.c: draws a row's histograms, a line for each power of two or step. */
void draw_hists(struct arena *arena, struct strbuf *out, const struct table *table,
		const struct row *row, const struct table_options *options);
/* A bar of part * width columns; returns how many it took. */
unsigned put_bar(struct strbuf *out, long double part, unsigned width, bool is_utf8);
void put_right(struct strbuf *out, const char *text, unsigned width);
void put_left(struct strbuf *out, const char *text, unsigned width);

#endif
