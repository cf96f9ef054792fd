/* SPDX-License-Identifier: GPL-2.0-only */
/* The pages of one CPU that were read but not used up. */
#ifndef STREAM_PAGES_H
#define STREAM_PAGES_H

#include "base/error.h"
#include "stream/page.h"
#include "stream/page_source.h"
#include "stream/stream.h"

/* pages.c: one CPU's pages that were read but not used up. */
struct cpu {
	struct page_source *source;
	unsigned place; /* its place in the source */
	int number;
	uint8_t *pages;
	unsigned npages;
	unsigned page; /* the cursor's */
	const uint8_t *at; /* its bytes */
	unsigned round; /* pages read in this round */
	bool has_head; /* the cursor is on a record not taken yet */
	bool is_full;  /* the source has more for this round */
	bool is_names; /* its records are of comms (see comm.c) */
	uint64_t last_time; /* if is_full: of the newest record read */
	struct page_cursor cursor;
};
/* Reads the pages begun before `until` (ns), at most `batch` of them. */
struct error *cpu_read(struct cpu *cpu, struct arena *arena, const struct page_shape *shape,
		       unsigned batch, uint64_t until) must_check;
void cpu_advance(struct cpu *cpu, const struct page_shape *shape);
static inline const uint8_t *cpu_record(const struct cpu *cpu)
{
	return cpu->at + cpu->cursor.record;
}

/* stream.c: stream_open() over open sources, which it will close. names: the source that records
 * what threads are called, or NULL. */
struct error *stream_over(struct arena *arena, const struct plan *plan,
			  const struct buffers *buffers, struct page_source *source,
			  struct page_source *names, struct stream **ret) must_check;

#endif
