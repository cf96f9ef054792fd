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

#endif
