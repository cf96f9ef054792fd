/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of pack/ that write packs. */
#ifndef PACK_WRITE_H
#define PACK_WRITE_H

#include "pack/internal.h"

#define LEVEL_BEST 19

struct pack_output {
	struct arena *arena;
	struct pack_writing writing;
	bool *is_found; /* by glob of writing.only: some build has such a name */
	struct image_head *images;
	unsigned nimages;
	struct strbuf data; /* the streams */
};

/* A section of the debug file, as it is there. */
struct source_section {
	struct section head;
	const uint8_t *data; /* NULL: it has no bytes */
	bool is_kept;
	bool is_made; /* filled in unit by unit */
};

/* The debug file. */
struct source_file {
	struct pack_output *output;
	const struct pack_input *input;
	struct source_section *sections; /* [0] is section 1 */
	size_t nsections;
};

struct source_section *source_section(const struct source_file *file, const char *name);
/* Adds a stream (frames_write()). Returns its number. */
uint64_t put_stream(struct pack_output *output, struct image_head *image, const void *data,
		    size_t size, const size_t *cuts, size_t ncuts);
void say_progress(const struct source_file *file, const char *step, unsigned percent);

/* build.c: packs units one by one, and calls put_sections() for all else. Returns false when the
 * file can't be packed so. */
bool put_units(struct source_file *file, struct image_head *image,
	       void (*put_sections)(struct source_file *file, struct image_head *image));

#endif
