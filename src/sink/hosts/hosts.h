/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ktraces on several hosts printed as JSON, put together: their events in the order of the
 * wall clock, and of each host what it counted, lost and missed, or why it has no trace.
 */
#ifndef SINK_HOSTS_HOSTS_H
#define SINK_HOSTS_HOSTS_H

#include <stdio.h>

#include "base/error.h"
#include "sink/sink.h"

struct json;

/* One host in one file. */
struct host {
	const char *name;    /* NULL: its lines don't say */
	const char *file;
	uint64_t events;     /* lines that were read */
	struct table_end end; /* by its own words, if has_end */
	const char *refused; /* why it has no trace; or NULL */
	uint64_t within;     /* ns: see struct origin; NOT_KNOWN */
	uint64_t reference;  /* ns, NOT_KNOWN */
	bool has_end;
	bool is_table;       /* its events are in a table */
	bool has_clock;
};

struct hosts {
	struct arena *arena;
	struct host **list;
	unsigned count;
	bool has_names; /* some line says which host it is of */
};

void hosts_init(struct hosts *hosts, struct arena *arena);
/* account.c: the host of that name in that file. name: NULL where the line has none. */
struct host *hosts_find(struct hosts *hosts, const char *name, const char *file);
/* Takes a line of JSON that ends a trace, or says that it didn't begin. *is_one: it is such a line.
 * Returns false if it is a bad one. */
bool hosts_take(struct hosts *hosts, const struct json *line, const char *file, bool *is_one);
/* Adds up what the hosts say: those that end too soon make counts unknown. */
void hosts_sum(const struct hosts *hosts, struct table_end *ret);
/* Whether events of the host, or of any host, are missing. */
bool host_lacks(const struct host *host);
bool hosts_lack(const struct hosts *hosts);
/* tell.c: "[...]", or NULL where no host is named. */
const char *hosts_json(const struct hosts *hosts);
/* A line for each host; only_lacking: for those whose events are not all there, or that lost
 * or missed some. */
void hosts_text(const struct hosts *hosts, struct strbuf *out, bool only_lacking);

/* merge_lines.c: merges files that are each in the order of time; keeps one line of each. */
struct host_input {
	const char *name;
	FILE *file;
	char *line; /* the next event's, malloc'd */
	size_t room;
	size_t length;
	unsigned number; /* of the line, from 1 */
	uint64_t wall;   /* its time, ns */
	struct host *host;
	bool is_file;    /* reading it never waits for long */
};
enum host_lines {
	LINES_NONE,   /* no line at all, or only one that says why */
	LINES_EVENTS,
	LINES_TABLE,
};
/* Reads the first line, without taking it. */
enum host_lines input_peek(struct host_input *input);
/* Reads the whole file after input_peek(), NUL-terminated, malloc'd. */
struct strbuf input_rest(struct host_input *input);
struct error *hosts_merge(struct hosts *hosts, struct host_input *inputs, unsigned count,
			  bool is_json, FILE *out) must_check;

/* merged_text.c: an event's line as text. */
void event_text(struct strbuf *out, const struct json *line);

#endif
