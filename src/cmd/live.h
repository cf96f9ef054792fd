/* SPDX-License-Identifier: GPL-2.0-only */
/* What a live run is made of besides its session and stream. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "cmd/cmd.h"
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
	const char *path; /* of -o; NULL: standard output */
	int fd;           /* -1: not open */
	bool gone;        /* nobody reads it any more */
};
struct error *output_open(struct output *output) must_check;
/* Cuts off what was there; the trace is live. */
struct error *output_begin(const struct output *output) must_check;
/* Writes the text, and empties it. */
struct error *output_write(struct output *output, struct strbuf *text) must_check;
struct error *output_close(struct output *output) must_check;

/* say.c: what is said on standard error. */
struct missed {
	uint64_t hits;
	uint64_t calls; /* of return probes */
	uint64_t entries; /* of companions at a function's entry */
	uint64_t unrecorded; /* hits without a record, where that can be known */
	const uint64_t *unrecorded_of; /* plan->probes[i]; NULL: only the sum is known */
};
struct error *count_missed(struct arena *arena, const struct plan *plan, struct session *session,
			   const struct stream_counts *counts, struct missed *ret) must_check;
void say_leftovers(struct arena *arena, const struct options *options);
void say_ready(const struct options *options, const struct plan *plan, struct session *session);
void say_summary(const struct options *options, const struct plan *plan, uint64_t events,
		 const struct stream_counts *counts, const struct missed *missed);

#endif
