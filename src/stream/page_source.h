/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the pages of a trace come from: a live instance's buffers (cpu.c), or whatever else fills in a row. */
#ifndef STREAM_PAGE_SOURCE_H
#define STREAM_PAGE_SOURCE_H

#include "base/arena.h"
#include "base/error.h"
#include "stream/page.h"

struct page_source {
	const struct page_source_ops *ops;
	struct page_shape shape;
	const int *numbers; /* of the CPUs, ascending; below, a CPU is meant by its place there */
	unsigned ncpus;
};

struct page_source_ops {
	/* Copies a CPU's next page, shape.size bytes: 1. 0: there is none now; below 0: -errno. */
	int (*read)(struct page_source *source, unsigned cpu, uint8_t *page);
	/* Records of a CPU that were overwritten before they were read. false: not known; *ret, at least so many. */
	bool (*lost)(struct page_source *source, unsigned cpu, uint64_t *ret);
	/* What was recorded before that time, in ns, can be read by now. 0: not known; UINT64_MAX: the end, nothing
	 * will come any more. */
	uint64_t (*now)(struct page_source *source);
	/* A file descriptor that is ready for reading when the CPU has a page; -1: there is nothing to wait for. */
	int (*poll_fd)(struct page_source *source, unsigned cpu);
	void (*close)(struct page_source *source);
};

/* cpu.c: the buffers of an instance, by its directory. */
struct error *live_source(struct arena *arena, const char *directory, const struct page_shape *shape,
			  struct page_source **ret) must_check;

#endif
