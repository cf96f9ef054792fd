/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives units back: from columns to tokens, the values of DIEs one after another, and from these to the bytes of the
 * sections. */
#ifndef PACK_DECODE_H
#define PACK_DECODE_H

#include "pack/tracker.h"

#define NONE UINT32_MAX

/* A node: for each DIE its shape + 1 and its values; 0: the end of some siblings. */
struct tokens {
	uint64_t *list;
	size_t count;
	size_t size;
};

struct columns {
	struct in *list; /* of the part at hand */
	uint64_t count;
	struct in nodes; /* of the part at hand */
	const uint8_t *data;
	const uint8_t *node_data;
	uint64_t *starts; /* by column, and one more for the nodes, then by part, and one more: from data on */
	uint64_t nparts;
};


struct pool_block {
	uint32_t first; /* class */
	uint32_t end;
	void *bytes; /* NULL: it isn't loaded */
	struct columns columns;
	struct pool_part {
		bool is_there;
		struct tokens tokens;
		size_t starts[PART_CLASSES + 1]; /* by class: in tokens */
	} *parts;
};

/* What all units of a build need. */
struct decoder {
	struct arena *arena;
	struct shapes shapes;
	const char *strings; /* .debug_str */
	uint32_t *texts; /* offsets in it */
	uint64_t ntexts;
	struct in *expressions;
	int8_t *operands; /* by expression: how many DIEs it mentions, plus 1; 0: not known yet */
	uint64_t nexpressions;
	struct file_parts {
		uint32_t directory, name; /* texts */
	} *files;
	uint64_t nfiles;
	struct pool_block *pools;
	uint64_t npools;
	uint32_t *labels; /* by class: its label + 1; 0: none */
	uint64_t nlabels;
	/* Loads a block of the pool, to be freed. NULL: damaged. */
	void *(*load_pool)(void *cookie, uint64_t index, size_t *size);
	void *cookie;
	struct tokens scratch;
};

/* decode.c */
bool decoding_begin(struct decoder *decoder, struct arena *arena, struct in strings, struct in shapes, struct in expressions,
		  struct in files);
void decoding_end(struct decoder *decoder);
/* in: the classes' labels; the pools must be listed. */
bool read_labels(struct decoder *decoder, struct in in, uint64_t nlabels);
uint64_t class_count(const struct decoder *decoder);
/* Splits the columns of a block, and its nodes, in so many parts. Returns false when damaged. */
bool columns_open(struct arena *arena, struct in in, struct in nodes, uint64_t nparts, uint64_t least,
		  struct columns *ret);
/* Goes to a part. */
void columns_take(struct columns *columns, uint64_t part);
/* Whether all of them were read to their ends, and none beyond. */
bool columns_close(const struct columns *columns);
/* class: NONE for a node of a unit. */
bool decode_node(struct decoder *decoder, struct columns *columns, struct tracker *tracker, uint32_t class,
		 struct tokens *ret);
/* The values of one DIE. */
bool decode_fields(struct decoder *decoder, struct columns *columns, struct tracker *tracker, const struct shape *shape,
		   unsigned depth, uint32_t class, struct tokens *ret);
/* A class of the pool. */
bool pool_node(struct decoder *decoder, uint32_t class, const uint64_t **tokens, size_t *count);
int operand_count(struct decoder *decoder, uint64_t expression);
void add_token(struct tokens *tokens, uint64_t value);

/* The unit's parts of the sections. */
enum part_of_unit {
	UNIT_INFO,
	UNIT_ABBREV,
	UNIT_LINE,
	UNIT_LOCATIONS,
	UNIT_RANGES,
	UNIT_PARTS,
};

/* emit.c: the units of a block, each by itself. */
struct unit_at {
	uint64_t at[UNIT_PARTS]; /* where its parts begin in their sections */
};
/* PART_UNITS: how large each unit's parts are, and where blocks end. */
struct sized_unit {
	uint8_t version;
	uint64_t sizes[UNIT_PARTS];
};
struct emitter;
struct emitter *emitter_new(struct decoder *decoder);
void emitter_free(struct emitter *emitter);
/* The unit whose columns they are. version: DWARF's; parts: its bytes, valid until the next call. */
bool emit_unit(struct emitter *emitter, struct columns *columns, const struct unit_at *at, struct strbuf **parts,
	       uint8_t *version);

/* rows.c: the unit's line table. */
struct unit_files {
	uint8_t version; /* 0: it has none */
	uint32_t *directories; /* texts */
	uint64_t ndirectories;
	struct unit_file {
		uint32_t directory; /* in the unit */
		uint32_t file;      /* of the build */
	} *files;
	uint64_t nfiles;
};
bool decode_files(struct decoder *decoder, struct arena *arena, struct in *in, struct unit_files *ret);
bool emit_rows(struct decoder *decoder, struct columns *columns, const struct unit_files *files, struct strbuf *out);

#endif
