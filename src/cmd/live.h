/* SPDX-License-Identifier: GPL-2.0-only */
/* What a live run is made of besides its session and stream. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "base/strbuf.h"
#include "cmd/options.h"
#include "ktrace/event.h"
#include "session/session.h"
#include "sink/sink.h"
#include "stream/stream.h"

/* symbolize.c: names for addresses, of the event in hand. */
struct symbolizer {
	struct arena *arena;
	const struct target *program; /* or NULL */
	const struct event *event;    /* that is printed */
	struct kallsyms *kallsyms;    /* opened when it is first needed */
	char symbol[256];
};
/* cookie: the symbolizer. Good until the next one; NULL: it has none. */
const char *symbolize(void *cookie, uint64_t address);

/* table_view.c: tables as they are shown; all zero where each event is. Times are those of CLOCK_MONOTONIC, in ns. */
struct table_view {
	struct tables *tables; /* NULL: each event is shown */
	struct table_options options;
	uint64_t interval; /* 0: they are shown at the end only */
	uint64_t begun;
	uint64_t shown;  /* when last; 0: never */
	uint64_t next;   /* when they are due; 0: never */
	unsigned height; /* of what stands on the terminal, in lines */
	bool is_json;
	bool is_terminal;
};
/* What the options say; is_terminal: it is as wide as standard output. */
void table_settings(const struct options *options, bool is_terminal, struct table_options *ret);
struct error *table_view_open(struct table_view *view, struct arena *arena, const struct options *options,
			      const struct plan *plan, const struct sink_context *context) must_check;
void table_view_begin(struct table_view *view, uint64_t time);
bool table_view_is_due(const struct table_view *view, uint64_t time);
/* Appends them; what the times are is added to end. */
void table_view_show(struct table_view *view, struct strbuf *out, struct table_end *end, uint64_t time);

/* output.c */
struct output {
	struct arena *arena;
	const char *name; /* a file's path, or what to call it */
	int fd;           /* -1: not open */
	int own;          /* the same, to be closed; -1: not ours */
	bool is_socket;
	bool must_ask; /* it would wait: only a little at a time, when poll(2) says so */
	bool gone;     /* nobody reads it any more */
	size_t at;     /* how much of the text is written */
};
/* fd: one of the standard ones; -1: output_open() follows. */
void output_init(struct output *output, struct arena *arena, int fd, const char *name);
/* The file of its name, which must not be one of those; NULL-terminated. */
struct error *output_open(struct output *output, const char *const *precious, bool quiet) must_check;
/* Cuts off what was there; the trace is live. */
struct error *output_begin(const struct output *output) must_check;
/* Writes what goes without waiting. The text is emptied when nothing is left of it. */
struct error *output_write(struct output *output, struct strbuf *text) must_check;
struct error *output_close(struct output *output) must_check;

/* watch.c */
struct watch {
	int fd; /* readable when somebody has written to one of the files; -1: nothing is watched */
	const char **paths;
	unsigned count;
};
void watch_open(struct watch *watch, struct arena *arena, const struct plan *plan);
/* The file that was written to; NULL: none. */
const char *watch_read(const struct watch *watch);
void watch_close(struct watch *watch);

/* messages.c: what is said on standard error. */
struct missed {
	bool is_unknown;
	uint64_t hits;
	uint64_t calls; /* of return probes */
	uint64_t entries; /* of companions at a function's entry */
	uint64_t unrecorded; /* hits without a record, where that can be known */
	const uint64_t *unrecorded_of; /* plan->probes[i]; NULL: only the sum is known */
};
/* What can't be read makes all of it unknown; why, or NULL. */
struct error *count_missed(struct arena *arena, const struct plan *plan, struct session *session,
			   const struct stream_counts *counts, struct missed *ret) must_check;
/* It was told to end, and doesn't. */
struct child;
void say_goes_on(const struct child *child);
void say_leftovers(struct arena *arena, const struct options *options);
void say_ready(struct strbuf *out, const struct options *options, const struct plan *plan,
	       struct session *session);
void say_summary(struct strbuf *out, const struct options *options, const struct plan *plan, uint64_t events,
		 const struct stream_counts *counts, const struct missed *missed);

#endif
