/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks the records of one ring-buffer page. */
#ifndef STREAM_PAGE_H
#define STREAM_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From events/header_page. */
struct page_shape {
	uint32_t size;   /* of the whole page */
	uint32_t data;   /* where records begin */
	uint32_t commit; /* where the number of bytes in use is */
};

/* A position in a page, as offsets, so that the page may be moved. */
struct page_cursor {
	uint32_t next;   /* of the next record */
	uint32_t end;    /* behind the last record */
	uint64_t time;   /* of the current record, ns */
	uint32_t record; /* the current record's payload */
	uint32_t length;
	bool missed; /* records before the page's first were overwritten unread */
};

void page_open(const struct page_shape *shape, const uint8_t *page, struct page_cursor *ret);
/* Steps to the next event's record. Returns false at the end. */
bool page_next(const uint8_t *page, struct page_cursor *cursor);

#endif
