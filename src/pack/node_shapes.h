/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shapes: the abbreviations of a pack, one table for all units of a build. A shape says of each
 * attribute how its value is coded, in which column, and by which form it is given back.
 */
#ifndef PACK_NODE_SHAPES_H
#define PACK_NODE_SHAPES_H

#include "base/lookup.h"
#include "pack/internal.h"

#define DEPTH_MAX 64 /* of DIEs below each other */

/* How a value is coded. */
enum code {
	CODE_DROPPED,  /* ktrace never reads it */
	CODE_FLAG,     /* the shape says it all */
	CODE_NUMBER,
	CODE_SIGNED,
	CODE_LINE,     /* near the last line */
	CODE_FILE,     /* a file of the build */
	CODE_TEXT,
	CODE_ADDRESS,  /* near the last address */
	CODE_REF,      /* a DIE of the same unit: a node, and its place in it */
	CODE_BLOCK,    /* an expression, by its number */
	CODE_BYTES,    /* 16 bytes, as an expression */
	CODE_LOCATION, /* a list of locations, in columns of its own */
	CODE_VIEWS,    /* goes with it */
	CODE_RANGES,
	CODE_TABLE,    /* the unit's line table */
	NCODES,
};

/* Columns that every block has; those of attributes follow. */
enum column {
	COLUMN_UNIT,   /* versions, files, counts */
	COLUMN_LIST_COUNT,
	COLUMN_LIST_START,
	COLUMN_LIST_LENGTH,
	COLUMN_LIST_EXPRESSION,
	COLUMN_VIEW_START,
	COLUMN_VIEW_END,
	COLUMN_RANGE_COUNT,
	COLUMN_RANGE_START,
	COLUMN_RANGE_LENGTH,
	COLUMN_OPERAND_NODE, /* DIEs that expressions mention */
	COLUMN_OPERAND_PLACE,
	COLUMN_ROW_KIND,
	COLUMN_ROW_ADDRESS,
	COLUMN_ROW_LINE,
	COLUMN_ROW_FILE,
	COLUMN_ROW_COLUMN,
	NCOLUMNS, /* fixed ones */
};

struct field {
	uint16_t name; /* DW_AT_* */
	uint16_t form; /* given back */
	uint8_t code;
	uint32_t column; /* CODE_REF: and the next one */
	uint64_t implicit; /* of DW_FORM_implicit_const */
};

struct shape {
	uint16_t tag;
	bool has_children;
	bool has_views;
	uint32_t children; /* column of the shapes of its children */
	struct field *fields;
	unsigned nfields;
};

struct shapes {
	struct arena *arena;
	struct shape *list;
	size_t count;
	struct lookup by_content;
	struct column_key {
		uint16_t tag;
		uint16_t name;
		uint32_t column;
	} *columns;
	size_t ncolumn_keys;
	struct lookup by_key;
	uint32_t ncolumns;
	uint32_t top; /* column of the shapes of nodes */
};

void shapes_init(struct shapes *shapes, struct arena *arena);
/* The number of an equal shape, which is added if there is none. Columns are filled in here. */
size_t shapes_put(struct shapes *shapes, const struct shape *shape);
void shapes_write(struct strbuf *out, const struct shapes *shapes);
/* Returns false when damaged. */
bool shapes_read(struct in *in, struct shapes *shapes);

#endif
