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

struct sink {
	const char *name; /* "text", "json" */
	/* Appends one line for the event, newline included. */
	void (*event)(struct strbuf *out, const struct event *event,
		      const struct sink_context *context);
	/* Appends the line of the final counts to what goes to standard output, or nothing. */
	void (*end)(struct strbuf *out, uint64_t events, uint64_t lost, uint64_t missed);
};

extern const struct sink sink_text;
extern const struct sink sink_json;

#endif
