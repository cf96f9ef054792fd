/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of sink/: events to bytes. A sink is a row of functions over one printer of values;
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

struct sink_context {
	/* Kernel address to "symbol+0xoff", for :symbol and returns; NULL: hex is shown. */
	const char *(*symbolize)(void *cookie, uint64_t address);
	void *cookie;
	bool is_nested; /* text: a struct takes a line for each member */
};

struct wording; /* what is the same in all lines of a probe's events */
struct printer; /* opaque */

struct sink {
	const char *name; /* "text", "json" */
	/* scratch is empty, and left so. */
	void (*prepare)(struct arena *arena, const struct probe *probe, struct strbuf *scratch,
			struct wording *ret);
	/* What is the same in all lines of a thread on a CPU, for a second. */
	void (*head)(struct strbuf *out, const struct event *event);
	void (*event)(struct printer *printer, struct strbuf *out, const struct event *event);
	/* lost, missed: or NOT_KNOWN. Appends the line of the final counts to what goes to standard output, or nothing. */
	void (*end)(struct strbuf *out, uint64_t events, uint64_t lost, uint64_t missed,
		    uint64_t unrecorded);
};

#define NOT_KNOWN UINT64_MAX

extern const struct sink sink_text;
extern const struct sink sink_json;

/* Of all events of the plan. Both and the context must stay. */
struct printer *printer_new(struct arena *arena, const struct sink *sink, const struct plan *plan,
			    const struct sink_context *context);
/* Appends one line for the event, newline included. */
void printer_event(struct printer *printer, struct strbuf *out, const struct event *event);

/* Tables, which add events up instead of showing each. */
struct tables; /* opaque */

struct table_options {
	unsigned keys;    /* rows a table has at most */
	unsigned top;     /* rows it shows as text */
	const char *sort; /* the head of the column it is sorted by; NULL: the first's */
	unsigned width;   /* of a line of text */
};

/* What a run didn't count, and since when it counts. */
struct table_end {
	uint64_t events;
	uint64_t lost;   /* or NOT_KNOWN */
	uint64_t missed; /* the same */
	uint64_t unrecorded;
	bool is_final;  /* else more may come, and what was missed is told at the end */
	double elapsed; /* s */
	double since;   /* s since it was last shown, for rates; 0: there are none */
};

/* Whether the plan's events are added up. */
bool tables_wanted(const struct plan *plan);
/* Whether some key is the event's process. */
bool tables_need_processes(const struct plan *plan);
/* Of the plan's probes from `first` on: what can't be added up is an error. */
struct error *tables_check(struct arena *arena, const struct plan *plan, unsigned first) must_check;
/* All of it must stay, and was checked. Lines beside a table, and a sort by what no table has, are errors. */
struct error *tables_new(struct arena *arena, const struct plan *plan, const struct sink_context *context,
			 const struct table_options *options, struct tables **ret) must_check;
void tables_free(struct tables *tables);
/* Allocates only for a row or a bucket that is new. */
void tables_event(struct tables *tables, const struct event *event);
/* As text, or as JSON, an object a line. */
void tables_show(struct tables *tables, struct strbuf *out, bool is_json, const struct table_end *end);
/* The sum of what several runs have printed as JSON: each text, called `name` in errors, is added. */
struct table_list; /* opaque */
struct table_list *table_list_new(struct arena *arena, const struct table_options *options);
struct error *table_list_read(struct table_list *list, const char *name, const char *text,
			      struct table_end *end) must_check;
struct error *table_list_check(const struct table_list *list) must_check; /* the options are of these tables */
void table_list_show(const struct table_list *list, struct strbuf *out, bool is_json,
		     const struct table_end *end);

#endif
