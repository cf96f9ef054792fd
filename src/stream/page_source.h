/* SPDX-License-Identifier: GPL-2.0-only */
/* A source of a trace's pages: a live instance's buffers (cpu.c), or another table of
 * operations. */
#ifndef STREAM_PAGE_SOURCE_H
#define STREAM_PAGE_SOURCE_H

#include "base/arena.h"
#include "base/error.h"
#include "stream/page.h"

struct page_source {
	const struct page_source_ops *ops;
	struct page_shape shape;
	const int *numbers; /* of the CPUs, ascending; `cpu` below is an index into it */
	unsigned ncpus;
};

struct page_source_ops {
	/* Copies a CPU's next page, shape.size bytes. Returns 1, 0 when there is none now, or
	 * -errno. */
	int (*read)(struct page_source *source, unsigned cpu, uint8_t *page);
	/* *ret: a CPU's records that were overwritten before they were read. Returns false when
	 * unknown; *ret is then a lower bound. */
	bool (*lost)(struct page_source *source, unsigned cpu, uint64_t *ret);
	/* The time in ns: all that was recorded before it can be read by now. 0: unknown;
	 * UINT64_MAX: the end, nothing more will come. */
	uint64_t (*now)(struct page_source *source);
	/* A file descriptor that polls readable when the CPU has a page; -1 when there is none. */
	int (*poll_fd)(struct page_source *source, unsigned cpu);
	void (*close)(struct page_source *source);
};

/* cpu.c: the buffers of the instance with this directory. */
struct error *live_source(struct arena *arena, const char *directory,
			  const struct page_shape *shape, struct page_source **ret) must_check;

#endif
