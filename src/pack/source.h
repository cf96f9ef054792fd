/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The units of the debug file that is packed, read from its sections as bytes. What the packer
 * doesn't know (link-time optimisation, units of dwz, -gsplit-dwarf, DWARF before 4) ends with
 * false: such a file is packed section by section.
 */
#ifndef PACK_SOURCE_H
#define PACK_SOURCE_H

#include "pack/node_shapes.h"
#include "pack/write.h"

struct bytes {
	const uint8_t *data;
	size_t size;
};

struct debug {
	struct bytes info, abbrev, str, line_str, str_offsets, addr, line, loclists, loc, rnglists,
		ranges;
};

struct source_attribute {
	uint16_t name;
	uint16_t form;
	uint8_t code;
	uint64_t implicit;
};

struct source_abbrev {
	uint64_t number;
	uint16_t tag;
	bool has_children;
	bool is_dropped; /* with all below it */
	struct source_attribute *attributes;
	unsigned nattributes;
	size_t shape;
};

struct source_unit {
	uint64_t start; /* of the header, in .debug_info */
	uint64_t die;
	uint64_t end;
	uint64_t abbrevs;
	uint8_t version;
	uint64_t base; /* DW_AT_low_pc, to which lists refer */
	uint64_t str_base, addr_base, list_base, range_base;
	uint64_t table; /* in .debug_line */
	bool has_table;
};

struct value {
	uint64_t number;
	const uint8_t *bytes; /* of a text or a block */
	size_t length;
};

/* The DIE at hand. */
struct source_die {
	uint64_t offset; /* in .debug_info */
	const struct source_abbrev *abbrev; /* NULL: no DIE: the end of the last one's siblings */
	struct value values[256];
};

struct source {
	struct debug debug;
	struct shapes *shapes;
	struct arena abbrev_arena; /* of the table at hand */
	struct source_abbrev *abbrevs;
	size_t nabbrevs;
	uint64_t abbrevs_at; /* its offset + 1 */
};

/* Returns false when there are no units, or units of other kinds. */
bool list_source_units(const struct debug *debug, struct arena *arena, struct source_unit **ret,
		       size_t *count);
/* Prepares the abbreviations of a unit, and fills in what its first DIE says. */
bool open_source_unit(struct source *source, struct source_unit *unit);
/* Reads the DIE at in->at, dropped ones too. Returns false when it can't be read. */
bool read_source_die(const struct source *source, const struct source_unit *unit, struct in *in,
		     struct source_die *ret);
/* An address of .debug_addr. */
uint64_t source_address(const struct debug *debug, const struct source_unit *unit, uint64_t index,
			bool *is_good);
/* Entries of a list. */
struct list_entry {
	uint64_t start;
	uint64_t end; /* default location: 0 and UINT64_MAX */
	const uint8_t *expression;
	size_t length;
};
struct list {
	struct list_entry *entries;
	size_t count, size;
};
bool read_locations(const struct debug *debug, const struct source_unit *unit, uint16_t form,
		    uint64_t number, struct list *ret);
bool read_ranges(const struct debug *debug, const struct source_unit *unit, uint16_t form,
		 uint64_t number, struct list *ret);

#endif
