/* SPDX-License-Identifier: GPL-2.0-only */
/* What the instructions around a position write: what values there depend on. */
#ifndef RESOLVE_WRITTEN_H
#define RESOLVE_WRITTEN_H

#include "resolve/internal.h"

/* flow/prologue.c: for programs, which stack slots the entry's code has filled. is_entry: only
 * stores of what the caller passed count; else any store does. */
struct prologue;
struct prologue *prologue_read(struct resolver *resolver, const struct instance *instance,
			       bool is_entry);
/* The addresses after the entry that are executed exactly as often as the entry. */
unsigned prologue_addresses(struct resolver *resolver, const struct prologue *prologue,
			    const struct position **ret);
/* Whether the value would be read from a slot that is not yet filled at the address. size: expr
 * is an address, and this many bytes there are read; 0: expr is the value. */
bool prologue_is_unwritten(const struct prologue *prologue, uint64_t address,
			   const struct expr *expr, unsigned size);

/* What instructions write, in their order. */
struct writes {
	struct write {
		unsigned line;       /* of the statement that the instruction belongs to */
		uint64_t end;        /* address after the instruction */
		uint64_t written;    /* registers, one bit each */
		uint64_t updated;    /* those of them that it also reads */
		bool is_copy;	     /* the register gets a value that is elsewhere, too */
		unsigned store_size; /* bytes stored at a register and an offset, both as at the
				      * position; 0: none */
		int store_base;
		int64_t store_offset;
		bool is_static; /* the offset is an address in the ELF file instead */
		bool store_updates;
	} *list;
	unsigned count;
	bool has_marks; /* markers told whose they are; else the order of the lines */
};
/* flow/writes.c: whether the write changes what expr reads. size: expr is an address, and this
 * many bytes there are read; 0: expr is the value. is_update: only writes that depend on the old
 * value count. probed: what the instruction pointer is in expr. */
bool write_changes(const struct write *write, const struct expr *expr, unsigned size,
		   uint64_t probed, bool is_update);

/* flow/pending.c: what the instructions after a position write that belong to statements before
 * it in the source. Returns NULL if there are none. */
struct line_code;
const struct writes *pending_find(const struct line_code *of, struct position at);

/* flow/early.c: what statements behind a position's line did in the straight-line code before the
 * position. Returns NULL if there is none. */
struct early {
	uint64_t start; /* of the straight-line code */
	uint64_t first; /* address of the first of their rows */
	unsigned line;  /* its line */
	bool is_called; /* they are of inlined copies alone, which such lines call */
	struct writes done; /* what their instructions wrote */
};
const struct early *early_find(const struct line_code *of, struct position at);

#endif
