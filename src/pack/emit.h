/* SPDX-License-Identifier: GPL-2.0-only */
/* A unit while it is made: shared by emit.c and emit_die.c. */
#ifndef PACK_EMIT_H
#define PACK_EMIT_H

#include "pack/decode.h"
#include "pack/die_operands.h"
#include "pack/node_shapes.h"

struct fixup {
	uint32_t at; /* in the unit's part of the section */
	uint32_t node, place;
	struct operand operand;
	uint8_t part; /* enum part_of_unit */
	bool is_class;
};

struct emitter {
	struct decoder *decoder;
	struct strbuf parts[UNIT_PARTS];
	uint8_t version;
	bool has_nodes; /* the unit's DIE may have children */
	const struct unit_at *at;
	uint32_t number;       /* of the unit, in this emitter */
	uint32_t *shape_units; /* by shape: the last unit that has it */
	uint32_t *shape_codes;
	uint32_t ncodes;
	uint32_t *class_units; /* by class */
	uint32_t *class_nodes;
	uint32_t *label_units; /* by label */
	uint32_t *label_nodes;
	uint32_t *file_units;  /* by file */
	uint32_t *file_numbers;
	uint32_t *dies;        /* offsets in the unit */
	size_t ndies, die_room;
	uint32_t *nodes;       /* first DIE of each node, and one more */
	uint64_t nnodes;
	uint64_t node; /* the next one */
	size_t node_room;
	struct fixup *fixups;
	size_t nfixups, fixup_room;
	struct arena arena; /* of the unit */
	struct unit_files files;
	uint64_t list; /* of the DIE at hand: where its locations are, and their views */
	uint64_t views;
};

/* emit_die.c: adds the unit's own DIE, whose values the tokens are, or a node: all its DIEs.
 * Returns false when damaged. */
bool emit_first(struct emitter *emitter, const uint64_t *tokens, uint64_t shape);
bool emit_node(struct emitter *emitter, const uint64_t *tokens, size_t count, bool is_class);

#endif
