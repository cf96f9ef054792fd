/* SPDX-License-Identifier: GPL-2.0-only */
/* One build while it is packed: its units, its nodes (the children of the units' DIEs), and the
 * columns that they are coded in. */
#ifndef PACK_BUILD_H
#define PACK_BUILD_H

#include "pack/source.h"
#include "pack/tracker.h"

#define NONE UINT32_MAX

/* Where a text or an expression is used: in one block of units, by its number, or: */
#define HOME_NONE UINT32_MAX
#define HOME_ALL  (UINT32_MAX - 1) /* in several blocks, or in the pool */

/* Texts, each once. Those of several blocks are numbered in the order in which they are coded, and
 * so are those of each block. */
struct texts {
	struct text {
		const uint8_t *bytes;
		uint32_t length;
		uint32_t home;
		uint32_t number; /* NONE: not coded yet */
	} *list;
	size_t count;
	struct lookup by_content;
	uint32_t *by_offset; /* in .debug_str: index + 1; 0: not seen yet */
	uint32_t ncoded; /* of several blocks */
	uint32_t *coded; /* indices, by number */
	struct strbuf own; /* of the block at hand */
	uint32_t nown;
};

/* Expressions likewise; those of several blocks are numbered by how often they are used. */
struct expressions {
	struct expression_key {
		size_t at; /* in bytes */
		size_t length;
		uint32_t home;
		uint32_t uses;
		uint32_t number;
	} *list;
	size_t count;
	struct strbuf bytes;
	struct lookup by_content;
	uint32_t ncoded;
	uint32_t *coded;
	struct strbuf own;
	uint32_t nown;
};

/* Files, each once, whichever number they have in a unit. */
struct files {
	struct file_key {
		uint32_t directory, name; /* texts */
		uint32_t number; /* by which it is coded; NONE: not yet */
	} *list;
	size_t count;
	struct lookup by_key;
	uint32_t *coded; /* files, by number */
	size_t ncoded;
};

/* The head of a unit's line table. */
struct line_head {
	uint32_t *directories; /* texts */
	size_t ndirectories;
	struct line_file {
		uint32_t directory; /* its number in the unit */
		uint32_t file;      /* of the build */
	} *files;
	size_t nfiles;
	uint8_t version;
	uint8_t least, base, range, opcodes; /* of the program */
	bool is_statement;
	const uint8_t *lengths; /* of the standard opcodes */
	struct in program;
};

struct node {
	uint64_t hash[2]; /* of what it is, and then of what it refers to */
	uint32_t first_ref; /* in build->refs */
	uint32_t nrefs;
	uint32_t group;    /* equal nodes; NONE: it has none of its kind */
	/* of a struct, union or enum, by whose name the unit's nodes refer to it; or NONE */
	uint32_t label;
	bool is_kept;
};

struct build {
	struct source_file *file;
	struct image_head *image;
	struct source source;
	struct shapes shapes;
	struct arena *arena; /* until the build is packed */
	struct source_unit *units;
	size_t nunits;
	uint32_t *first_node; /* by unit, and one more */
	struct node *nodes;
	size_t nnodes, node_room;
	uint32_t *refs; /* nodes of the build */
	size_t nrefs, ref_room;
	struct texts texts;
	struct files files;
	struct expressions expressions;
	struct label_key {
		uint32_t text;
		uint16_t tag;
		uint32_t unit; /* that has it last, plus 1; */
		uint32_t node; /* as this one, of the build; NONE: as several */
	} *labels;
	size_t nlabels;
	struct lookup by_label;
	uint32_t *group_class; /* by group: its number in the pool; NONE: not yet */
	size_t ngroups;
	uint32_t nclasses;
	struct name_entry {
		uint32_t key;
		uint32_t target; /* twice the unit, or twice the class, plus 1 */
	} *names;
	size_t nnames, name_room;
	struct code_range {
		uint64_t start;
		uint64_t end;
	} *kept_code; /* NULL: all */
	size_t nkept_code;
	/* of the unit at hand */
	struct arena unit_arena;
	struct line_head lines;
	struct die_place {
		uint64_t offset;
		uint32_t node; /* in the unit */
		uint32_t place;
	} *dies;
	size_t ndies, die_room;
};

/* What the units of a build were coded to. A block of the pool has columns alone. */
struct coded_block {
	struct strbuf streams[UNIT_STREAMS];
	size_t *cuts; /* of the columns: see frames_write() */
	size_t ncuts;
	uint32_t end; /* how many classes, or units, there are up to its end */
};
struct coded {
	struct coded_block *blocks[NGROUPS]; /* of texts, expressions and names: the first stream */
	size_t counts[NGROUPS];
	uint32_t nlabels;
	struct strbuf parts[NPARTS];
	struct strbuf class_labels, addresses, frames;
};

/* interned.c */
uint32_t text_of(struct build *build, const uint8_t *bytes, size_t length);
uint32_t file_of(struct build *build, uint32_t directory, uint32_t name);
uint32_t file_number(struct build *build, uint32_t file);
uint32_t expression_of(struct build *build, const uint8_t *bytes, size_t length);
/* home: of a use. */
void note_home(uint32_t *home, uint32_t use);
/* When all uses are noted: files' texts have the lowest numbers, then expressions have theirs. */
void number_shared(struct build *build);
/* The number by which it is coded, among those of several blocks, or of the block at hand. */
uint32_t text_number(struct build *build, uint32_t text);
uint32_t expression_number(struct build *build, uint32_t expression);
/* The bytes of blocks of shared ones. Returns how many blocks there are. */
size_t put_shared_texts(const struct build *build, struct coded_block **ret);
size_t put_shared_expressions(const struct build *build, struct coded_block **ret);

/* line_source.c: reads the head of the unit's line table to build->lines. */
bool read_line_head(struct build *build, const struct source_unit *unit);
/* A file of the build by its number in the unit, plus 1; 0 for number 0, and NONE when there is
 * none. */
uint32_t file_numbered(const struct build *build, uint64_t number);
/* Codes all rows. *count: how many. */
bool put_rows(struct build *build, struct strbuf *columns, uint64_t *count);

/* Whether the row of an address is kept: also of the one just behind a function. */
bool is_code_kept(const struct build *build, uint64_t address);

/* kept_dies.c */
struct visit {
	const struct source_die *die; /* its abbrev is NULL behind the last of some siblings */
	unsigned depth; /* the unit's DIE: 0; a node: 1 */
	uint32_t node;  /* in the unit */
	uint32_t place;
};
/* Visits the DIEs that are kept, and lists them in build->dies first. Returns false when the unit
 * can't be read. */
bool list_dies(struct build *build, struct source_unit *unit);
bool walk_unit(struct build *build, const struct source_unit *unit,
	       bool (*each)(struct build *build, const struct source_unit *unit,
			    const struct visit *visit, void *cookie),
	       void *cookie);
/* The DIE at an offset of .debug_info, in the unit at hand. NULL when there is none that is
 * kept. */
const struct die_place *die_place(const struct build *build, uint64_t offset);

/* equal.c: finds nodes that are equal in several units. */
bool find_groups(struct build *build);
/* only.c: leaves out units that don't mention these names: most of a kernel's needn't be compared.
 * Returns false when one can't be read. */
bool choose_units(struct build *build, const struct pack_writing *writing);
/* Keeps what functions and variables of these names need, and leaves units out that have nothing of
 * it. */
bool keep_only(struct build *build, const struct pack_writing *writing);
/* frame_source.c: the entries of .debug_frame for code that is kept. Returns false when it can't be
 * read. */
bool keep_frames(const struct build *build, struct bytes old, struct strbuf *out);
/* encode.c: codes all units. */
bool put_build(struct build *build, struct coded *coded);
void coded_free(struct coded *coded);
/* index_write.c: the blocks of the index. */
void put_index(struct build *build, struct coded *coded);

#endif
