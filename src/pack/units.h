/* SPDX-License-Identifier: GPL-2.0-only */
/* The units of a build that is read. */
#ifndef PACK_UNITS_H
#define PACK_UNITS_H

#include "pack/decode.h"
#include "pack/image.h"

struct unit {
	struct unit_at at;
	uint64_t sizes[UNIT_PARTS];
	uint8_t version;
	bool is_filled;
	uint32_t block;
};

struct units {
	struct decoder decoder;
	struct emitter *emitter;
	struct unit *list;
	uint64_t count;
	struct unit_block {
		uint64_t end;   /* how many units there are up to it */
		uint64_t texts; /* where its own are in .debug_str */
	} *blocks;
	struct open_block {
		uint64_t number; /* UINT64_MAX: none */
		void *streams[UNIT_STREAMS]; /* NULL: texts, which are in .debug_str */
		struct arena arena;
		struct columns columns;
	} block;
	void *parts[NPARTS]; /* unpacked, while they are needed */
	/* by whether it is DWARF 5: where they are in the image */
	uint8_t *sections[2][UNIT_PARTS];
	uint8_t *strings; /* .debug_str in the image */
};

static inline uint64_t block_start(const struct units *units, uint64_t block)
{
	return block ? units->blocks[block - 1].end : 0;
}

#endif
