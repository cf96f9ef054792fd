/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives units back: from columns to tokens, the values of DIEs one after another, and from these to
 * the bytes of the sections. */
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

/* The streams of a block, unpacked. A block of the pool has columns alone. */
struct unit_bytes {
	struct in nodes, files, columns;
};

struct columns {
	struct in *list; /* of the part at hand */
	uint64_t count;
	uint64_t ncoded; /* how many of them the block has; the others are empty */
	struct in nodes, files; /* of the part at hand */
	struct unit_bytes bytes;
	/* by column, then of nodes, then of files; then by part, and one more: from their bytes
	 * on */
	uint32_t *starts;
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

struct expression {
	struct in bytes;
	int8_t operands; /* how many DIEs it mentions, plus 1; 0: not known yet */
};

/* Texts and expressions: those that several blocks of units have, by block of TEXTS_EACH or
 * EXPRESSIONS_EACH, and those of the block of units at hand. */
struct text_block {
	uint32_t *offsets; /* in .debug_str; NULL: it isn't loaded */
	uint64_t count;
	const char *bytes;
	uint64_t start; /* in .debug_str */
};

struct expression_block {
	struct expression *list; /* NULL: it isn't loaded */
	uint64_t count;
	void *bytes;
};

/* What all units of a build need. */
struct decoder {
	struct arena *arena;
	struct shapes shapes;
	struct text_block *texts;
	uint64_t ntexts; /* blocks */
	struct expression_block *expressions;
	uint64_t nexpressions;
	struct text_block own_texts;
	struct expression_block own_expressions;
	struct file_parts {
		uint32_t directory, name; /* texts */
	} *files;
	uint64_t nfiles;
	struct pool_block *pools;
	uint64_t npools;
	uint32_t *labels; /* by class: its label + 1; 0: none */
	uint64_t nlabels;
	/* Loads a block, to be freed, but for texts: those are in .debug_str. NULL: damaged. */
	void *(*load)(void *cookie, enum group group, uint64_t index, size_t *size);
	void *cookie;
	struct tokens scratch;
};

/* decode.c. The blocks must be listed. */
bool decoding_begin(struct decoder *decoder, struct in shapes, struct in files, struct in labels);
void decoding_end(struct decoder *decoder);
uint64_t class_count(const struct decoder *decoder);

/* columns.c: splits the columns of a block, and its nodes, in so many parts. Returns false when
 * damaged. */
bool columns_open(struct arena *arena, const struct unit_bytes *bytes, uint64_t nparts,
		  uint64_t least, struct columns *ret);
/* Goes to a part. */
void columns_take(struct columns *columns, uint64_t part);
/* Whether all of them were read to their ends, and none beyond. */
bool columns_close(const struct columns *columns);

/* dictionary.c: a text that several blocks have: where it is in .debug_str, and its bytes (if asked
 * for). Returns false when there is none, or it is damaged. */
bool text_numbered(struct decoder *decoder, uint64_t number, uint32_t *offset, const char **bytes);
bool own_text_numbered(const struct decoder *decoder, uint64_t number, uint32_t *offset);
/* What a token says; NULL when there is none. Numbers behind all blocks are those of the block of
 * units at hand. */
struct expression *expression_numbered(struct decoder *decoder, uint64_t number);
uint64_t own_expression(const struct decoder *decoder, uint64_t number);
/* How many DIEs it mentions. */
int operand_count(struct expression *expression);
/* Takes over the texts and expressions of a block of units; `start`: of the texts, in .debug_str.
 * The bytes stay the caller's, until the next call. */
bool take_own(struct decoder *decoder, struct in texts, uint64_t start, struct in expressions);
void dictionary_end(struct decoder *decoder);

/* decode.c. class: NONE for a node of a unit. */
bool decode_node(struct decoder *decoder, struct columns *columns, struct tracker *tracker,
		 uint32_t class, struct tokens *ret);
/* The values of a unit's own DIE. */
bool decode_first(struct decoder *decoder, struct columns *columns, struct tracker *tracker,
		  const struct shape *shape, struct tokens *ret);
void tokens_grow(struct tokens *tokens);
static inline void add_token(struct tokens *tokens, uint64_t value)
{
	if (tokens->count == tokens->size)
		tokens_grow(tokens);
	tokens->list[tokens->count++] = value;
}

/* pool.c: a class of the pool. */
bool pool_node(struct decoder *decoder, uint32_t class, const uint64_t **tokens, size_t *count);
void pool_end(struct decoder *decoder);

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
	uint64_t most[UNIT_PARTS]; /* how large they may be */
};
/* PART_UNITS: how large each unit's parts are, and where blocks end. */
struct sized_unit {
	uint8_t version;
	uint64_t sizes[UNIT_PARTS];
};
struct emitter;
struct emitter *emitter_new(struct decoder *decoder);
void emitter_free(struct emitter *emitter);
/* The unit whose columns they are. version: DWARF's; parts: its bytes, valid until the next
 * call. */
bool emit_unit(struct emitter *emitter, struct columns *columns, const struct unit_at *at,
	       struct strbuf **parts, uint8_t *version);

/* line_rows.c: the unit's line table. */
struct unit_files {
	uint8_t version; /* 0: it has none */
	uint64_t *directories; /* texts */
	uint64_t ndirectories;
	struct unit_file {
		uint32_t directory; /* in the unit */
		uint32_t file;      /* of the build */
	} *files;
	uint64_t nfiles;
};
bool decode_files(struct decoder *decoder, struct arena *arena, struct in *in,
		  struct unit_files *ret);
/* most: bytes that it may be; a text longer may still be added. */
bool emit_rows(struct decoder *decoder, struct columns *columns, const struct unit_files *files,
	       uint64_t most, struct strbuf *out);

#endif
