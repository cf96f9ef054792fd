/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a live run writes: a file or a standard stream, which never blocks it. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct output {
	struct arena *arena;
	const char *name; /* a file's path, or its name in messages */
	int fd;           /* -1: not open */
	int own;          /* the same, if we must close it; else -1 */
	bool is_socket;
	bool is_own_file; /* a regular one, which no other process writes to */
	bool must_ask; /* a write would block: poll(2) first, then write little */
	bool gone;     /* its reader is gone */
	size_t at;     /* bytes of the text already written */
	size_t failed; /* the same when writing failed, and the text was given up */
};
/* fd: a standard one; -1: output_open() follows. */
void output_init(struct output *output, struct arena *arena, int fd, const char *name);
/* Opens the file output->name, which an option named; see precious_check(). */
struct error *output_open(struct output *output, const char *option,
			  const char *const *precious, bool quiet) must_check;
/* Truncates the file, once the trace is live. */
struct error *output_begin(const struct output *output) must_check;
/* Writes as much as goes without blocking. Empties the text when all is written. */
struct error *output_write(struct output *output, struct strbuf *text) must_check;
/* How many bytes of a text end with a block of a file of our own, which the kernel copies for less
 * than a part of one; all of it where there are no blocks, or none that it fills. */
size_t output_blocks(const struct output *output, size_t length);
struct error *output_close(struct output *output) must_check;

struct options;
/* precious.c: the files that the command reads or runs, ended by NULL. */
const char *const *precious_files(struct arena *arena, const struct options *options,
				  const char *const *more, unsigned nmore);
/* Refuses a path that is one of them, or a program. */
struct error *precious_check(struct arena *arena, const char *option, const char *path,
			     const char *const *precious) must_check;

#endif
