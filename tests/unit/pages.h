/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of a ring buffer that tests make by hand, and a source that has them in memory. */
#ifndef TESTS_PAGES_H
#define TESTS_PAGES_H

#include <stdint.h>
#include <string.h>

#include "stream/pages.h"
#include "stream/internal.h"

#define PAGE 4096

static const struct page_shape shape = {.size = PAGE, .data = 16, .commit = 8};

struct writer {
	uint8_t page[PAGE];
	uint32_t used;
};

static inline void put_word(struct writer *w, uint32_t word)
{
	memcpy(w->page + 16 + w->used, &word, 4);
	w->used += 4;
	memcpy(w->page + 8, &w->used, 4);
}

static inline void begin_page(struct writer *w, uint64_t time)
{
	memcpy(w->page, &time, sizeof(time));
}

/* What was recorded before, in memory. */
struct recording {
	struct page_source source;
	struct writer *pages[2];
	unsigned npages[2];
	unsigned next[2];
	int err; /* behind the last page */
	bool is_closed;
};

static inline int recording_read(struct page_source *source, unsigned cpu, uint8_t *page)
{
	struct recording *recording = (struct recording *)source;

	if (recording->next[cpu] == recording->npages[cpu])
		return -recording->err;
	memcpy(page, recording->pages[cpu][recording->next[cpu]++].page, PAGE);
	return 1;
}

static inline bool recording_lost(struct page_source *source, unsigned cpu, uint64_t *ret)
{
	(void)source;
	*ret = 3 + cpu;
	return true;
}

static inline uint64_t recording_now(struct page_source *source)
{
	(void)source;
	return UINT64_MAX;
}

static inline int recording_poll_fd(struct page_source *source, unsigned cpu)
{
	(void)source;
	(void)cpu;
	return -1;
}

static inline void recording_close(struct page_source *source)
{
	((struct recording *)source)->is_closed = true;
}

static const struct page_source_ops recording_ops = {
	.read = recording_read,
	.lost = recording_lost,
	.now = recording_now,
	.poll_fd = recording_poll_fd,
	.close = recording_close,
};
static const int recording_numbers[] = {0, 5};

static inline struct page_source recording_source(unsigned ncpus)
{
	return (struct page_source){&recording_ops, shape, recording_numbers, ncpus};
}

#endif
