/* SPDX-License-Identifier: GPL-2.0-only */
/* Units while they are coded: blocks with their columns. */
#ifndef PACK_CODING_H
#define PACK_CODING_H

#include "pack/build.h"

struct block {
	struct strbuf *columns;
	size_t ncolumns;
	struct tracker tracker;
	struct strbuf nodes; /* which nodes the units have */
	struct strbuf files; /* of their line tables */
	struct part_end { /* by part: how long columns, nodes and files are at its end */
		size_t *lengths;
		size_t ncolumns;
		size_t nodes;
		size_t files;
	} *ends;
	size_t nends;
};

struct coding {
	struct build *build;
	struct coded *coded;
	bool is_draft; /* only to see which blocks use what */
	struct block pool, units;
	uint32_t use; /* what is used is used by this block of units */
	/* of the unit at hand */
	uint32_t unit;
	uint32_t base; /* its first node */
	uint32_t *numbers; /* by node: its number among those that are kept */
	bool *is_new; /* by node: to be added to the pool */
	bool *is_pooled; /* by node: the unit has it from there */
	struct list list;
	uint32_t *label_numbers;
	uint32_t nlabels;
	uint32_t *group_unit; /* by group: the last unit that has it, plus 1 */
	/* of the node at hand */
	struct block *block;
	uint32_t class; /* NONE: it isn't in the pool */
	uint32_t pool_first; /* the first class of the block */
	uint32_t columns[DEPTH_MAX + 2]; /* of the shapes, by depth */
	unsigned function_depth; /* of the function around; 0: none */
	struct strbuf scratch;
	bool has_specifications;
};

/* encode_die.c */
struct strbuf *column(struct coding *coding, uint32_t number);
/* Labels are numbered in the order in which they are coded. */
uint32_t label_number(struct coding *coding, uint32_t label);
/* Codes the values of a DIE. Returns false when it can't be packed. */
bool put_die(struct coding *coding, const struct source_unit *unit, const struct visit *visit);
/* Whether functions are declared in one DIE and defined in another, which then has no name. */
bool has_specifications(const struct shapes *shapes);

#endif
