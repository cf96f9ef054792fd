/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was last seen, by which the next value is coded: the writer and the reader of nodes keep it
 * alike. One begins with each part, and one with each unit's rows.
 */
#ifndef PACK_TRACKER_H
#define PACK_TRACKER_H

#include <dwarf.h>

#include "pack/node_shapes.h"

/* A DIE: a node of the unit (or of the pool), and which of the node's DIEs. */
struct place {
	uint64_t node;
	uint64_t place;
};

struct tracker {
	uint64_t address;
	uint64_t lines[2]; /* of declarations, of calls */
	uint64_t files[2];
	uint64_t next_text; /* behind the highest number seen */
	uint64_t next_own_text; /* of those of the block of units: likewise */
	uint64_t next_expression; /* of those of the block of units: behind the last one */
	struct place origins[DEPTH_MAX + 2]; /* by depth: the last origin there */
	struct place origin; /* of the DIE at hand */
	bool has_origin;
};

/* An inlined copy's variables are those of its function, in order. NULL: nothing is known of the
 * reference. */
static inline const struct place *expected_origin(const struct tracker *tracker, unsigned depth,
						  unsigned tag, unsigned name)
{
	return name == DW_AT_abstract_origin && tag != DW_TAG_inlined_subroutine &&
			       tag != DW_TAG_subprogram ?
		       &tracker->origins[depth] :
		       NULL;
}

static inline void note_reference(struct tracker *tracker, unsigned depth, unsigned tag,
				  unsigned name, struct place place)
{
	if (name != DW_AT_abstract_origin)
		return;
	tracker->origin = place;
	tracker->has_origin = true;
	if (tag != DW_TAG_inlined_subroutine)
		tracker->origins[depth] = place;
}

static inline void enter_children(struct tracker *tracker, unsigned depth)
{
	tracker->origins[depth + 1] =
		tracker->has_origin ? tracker->origin : tracker->origins[depth];
}

static inline bool is_of_call(unsigned name)
{
	return name == DW_AT_call_line || name == DW_AT_call_file;
}

#define NEAR_MOST 128 /* what is nearer than that in the pool is said by its distance */

/* Rows of the line table. */
enum row_kind {
	ROW_STATEMENT = 1,
	ROW_END = 2,     /* of the sequence */
	ROW_BLOCK = 4,
	ROW_PROLOGUE = 8,
	ROW_EPILOGUE = 16,
	ROW_FILE = 32,   /* another file than the last row's */
	ROW_COLUMN = 64, /* another column than the line had last */
};

#define LINES_SEEN 1024
#define FILES_SEEN 1024

struct row_tracker {
	uint64_t address;
	uint64_t line;
	uint64_t file;
	uint32_t columns[LINES_SEEN];
	uint32_t lines[FILES_SEEN]; /* by file: its last one */
	bool is_inside; /* of a sequence */
};

/* The line near which the next row's is, in that file. */
static inline uint64_t line_before(const struct row_tracker *tracker, uint64_t file)
{
	return file == tracker->file ? tracker->line : tracker->lines[file % FILES_SEEN];
}

static inline uint32_t *column_seen(struct row_tracker *tracker, uint64_t file, uint64_t line)
{
	return &tracker->columns[(file * 31 + line) % LINES_SEEN];
}

#endif
