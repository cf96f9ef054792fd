/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of sink/: prints events. A sink is a row of functions over one printer of values;
 * text and JSON walk the same event.
 */
#ifndef SINK_SINK_H
#define SINK_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/error.h"
#include "ktrace/event.h"
#include "ktrace/origin.h"
#include "ktrace/pairs.h"

struct sink_context {
	/* Names an address, "symbol+0xoff", for :symbol and returns; NULL: print it in hex. */
	const char *(*symbolize)(void *cookie, uint64_t address);
	/* Names the frames of a stack, innermost first. Valid until the next call. */
	const struct stack_frame *(*frames)(void *cookie, const struct value *value,
					    const struct datum *datum, unsigned *count);
	/* Of events with equal numbers, an address in user space is the same code. May be NULL. */
	uint64_t (*memory)(void *cookie, const struct event *event);
	void *cookie;
	bool is_nested; /* text: one line for each member of a struct */
	const struct origin *origin; /* JSON: each line says where it is from; or NULL */
};

struct table_end;
struct notation; /* how elements of a value are written */
struct wording; /* what is the same in all lines of a probe's events */
struct printer; /* opaque */

struct sink {
	const char *name; /* "text", "json" */
	const struct notation *notation;
	/* Makes a probe's wording. scratch is empty, and left empty. */
	void (*prepare)(const struct printer *printer, struct arena *arena,
			const struct probe *probe, struct strbuf *scratch, struct wording *ret);
	/* Prints what is the same in all lines of a thread on a CPU within a second. */
	void (*head)(struct strbuf *out, const struct event *event);
	void (*event)(struct printer *printer, struct strbuf *out, const struct event *event);
	/* Appends the line with the final counts to the output, if the sink has one. */
	void (*end)(struct strbuf *out, const struct table_end *end);
};

#define NOT_KNOWN UINT64_MAX

extern const struct sink sink_text;
extern const struct sink sink_json;

/* A printer of the plan's events. plan and context must outlive it. */
struct printer *printer_new(struct arena *arena, const struct sink *sink, const struct plan *plan,
			    const struct sink_context *context);
/* Appends one line for the event, newline included. */
void printer_event(struct printer *printer, struct strbuf *out, const struct event *event);

/* Appends a line for each pair of which some start or end has no partner. before: what each line
 * begins with. */
void pairs_text(struct strbuf *out, const char *before, const struct pair_counts *pairs,
		unsigned count);

/* Calls that are followed: hits are assembled into calls, each shown when it has ended. */
struct follow; /* opaque */

struct follow_options {
	bool is_json;
	bool is_colored; /* text */
	bool is_whole;   /* text: long values aren't cut */
	bool is_utf8;    /* text: the mark of a cut */
	unsigned columns; /* text: of the terminal; 0: lines may be as long as they are */
	uint64_t limit;  /* calls to show; 0: all */
	const bool *skipped; /* by probe: the kernel refused it */
};

struct follow_counts {
	uint64_t shown;
	uint64_t dropped;   /* calls for which plan->following->calls doesn't hold */
	uint64_t unknown;   /* calls of which that isn't known */
	uint64_t lost;      /* calls that were open when records were lost */
	uint64_t evicted;   /* calls given up, as there was no room */
	uint64_t open;      /* calls that hadn't ended */
	uint64_t partial;   /* calls that began before they were seen */
	uint64_t strays;    /* hits that belong to no call that is known */
};

/* The plan's `following` is set. All must outlive it. */
struct follow *follow_new(struct arena *arena, const struct plan *plan,
			  const struct sink_context *context, const struct follow_options *options);
void follow_free(struct follow *follow);
/* Takes a hit, and appends the calls that ended by it. Returns how many are shown. Allocates. */
unsigned follow_event(struct follow *follow, struct strbuf *out, const struct event *event);
/* The same of the calls that haven't ended. */
unsigned follow_end(struct follow *follow, struct strbuf *out);
const struct follow_counts *follow_counts(const struct follow *follow);
/* Appends a line for each thing that isn't shown. before: what each line begins with. */
void follow_remarks(const struct follow *follow, struct strbuf *out, const char *before);
/* Call graphs: hits are assembled into trees, each shown once its root has ended. */
struct graphs; /* opaque */
struct graph_counts;

struct graph_options {
	bool is_json;
	bool is_colored;
	uint64_t limit; /* trees to show; 0: all */
};

/* plan->graph is set. All must outlive it. */
struct graphs *graphs_new(struct arena *arena, const struct plan *plan,
			  const struct sink_context *context, const struct graph_options *options);
void graphs_free(struct graphs *graphs);
/* Takes a hit, and appends the trees that ended by it; returns how many. Allocates. */
unsigned graphs_event(struct graphs *graphs, struct strbuf *out, const struct event *event);
/* Appends the trees that haven't ended; returns how many. */
unsigned graphs_end(struct graphs *graphs, struct strbuf *out);
const struct graph_counts *graphs_counts(const struct graphs *graphs);
/* Appends a line for each thing that isn't shown. before: what each line begins with. */
void graph_remarks(struct strbuf *out, const char *before, const struct graph *graph,
		   const struct graph_counts *counts);

/* Tables, which sum up events instead of showing each. */
struct tables; /* opaque */

struct table_options {
	unsigned keys;    /* most rows a table keeps */
	unsigned top;     /* rows it shows as text */
	const char *sort; /* head of the column to sort by; NULL: the first's */
	unsigned width;   /* columns of a line of text */
	bool is_utf8;     /* bars are drawn with blocks */
};

/* What a run counted and missed, and how long it took. */
struct table_end {
	uint64_t events;
	uint64_t lost;   /* or NOT_KNOWN */
	uint64_t missed; /* the same */
	uint64_t unsure; /* so many more may have been missed */
	uint64_t unrecorded;
	uint64_t dropped; /* hits that the kernel had no room to count */
	struct pair_counts *pairs;
	unsigned npairs;
	const struct graph_counts *calls; /* of a call graph; or NULL */
	bool is_final;  /* else more may come, and `missed` is only known later */
	double elapsed; /* s */
	double since;   /* s since it was last shown, for rates; 0: no rates */
	const struct origin *origin; /* of the run; or NULL */
	const char *hosts; /* of merged runs: "[...]", each one's own end; or NULL */
};

/* Whether the plan's events are summed up in tables. */
bool tables_wanted(const struct plan *plan);
/* Whether some key is the event's process id. */
bool tables_need_processes(const struct plan *plan);
/* Checks the plan's probes from `first` on: a value that can't be summed up is an error. */
struct error *tables_check(struct arena *arena, const struct plan *plan, unsigned first) must_check;
/* An error, as tables_new() has it, if none of the plan's tables has the column to sort by; NULL if
 * there is no table. */
struct error *tables_check_sort(struct arena *arena, const struct plan *plan,
				const char *sort) must_check;
/* All arguments must outlive the tables, and tables_check() has passed. It is an error to ask
 * for lines besides a table, or to sort by a column that no table has. */
struct error *tables_new(struct arena *arena, const struct plan *plan,
			 const struct sink_context *context, const struct table_options *options,
			 struct tables **ret) must_check;
void tables_free(struct tables *tables);
/* Adds an event. Allocates only for a new key, row or bucket. */
void tables_event(struct tables *tables, const struct event *event);
/* What the kernel has counted of plan->probes[probe], since tables_restart() at the last: that
 * makes all counts 0, and keeps the rows. */
void tables_restart(struct tables *tables);
void tables_counted(struct tables *tables, unsigned probe, const struct counted *counted);
/* How tables are written. */
enum table_form {
	TABLE_TEXT,
	TABLE_JSON,   /* one object a line */
	TABLE_FOLDED, /* "main;work;malloc 12", for flame graph tools */
	TABLE_FLAME,  /* an SVG */
};
void tables_show(struct tables *tables, struct strbuf *out, enum table_form form,
		 const struct table_end *end);
/* The sum of tables that several runs printed as JSON: each text is added; `name` is its name in
 * errors. */
struct table_list; /* opaque */
struct table_list *table_list_new(struct arena *arena, const struct table_options *options);
struct error *table_list_read(struct table_list *list, const char *name, const char *text,
			      struct table_end *end) must_check;
struct error *table_list_check(const struct table_list *list) must_check; /* checks --sort */
void table_list_show(const struct table_list *list, struct strbuf *out, enum table_form form,
		     const struct table_end *end);

#endif
