/* SPDX-License-Identifier: GPL-2.0-only */
/* What a live run is made of besides its session and stream. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "base/strbuf.h"
#include "cmd/options.h"
#include "ktrace/event.h"
#include "session/session.h"
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
