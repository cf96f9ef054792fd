// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads one CPU's pages and walks their records. A batch is bounded; what the caller did not use up
 * stays in front of the next one.
 */
#include <string.h>

#include "stream/internal.h"
#include "stream/pages.h"

static uint8_t *page_at(const struct cpu *cpu, const struct page_shape *shape, unsigned page)
{
	return cpu->pages + (size_t)page * shape->size;
}

/* Moves the unused pages to the front. The cursor's offsets stay valid. */
static void cpu_compact(struct cpu *cpu, const struct page_shape *shape)
{
	unsigned left = cpu->has_head ? cpu->npages - cpu->page : 0;

	if (left && cpu->page)
		memmove(cpu->pages, page_at(cpu, shape, cpu->page), (size_t)left * shape->size);
	cpu->npages = left;
	cpu->page = 0;
	cpu->at = cpu->pages;
}

/* The time (ns) of a page's last record. */
static uint64_t page_last_time(const struct page_shape *shape, const uint8_t *page)
{
	struct page_cursor cursor;

	page_open(shape, page, &cursor);
	while (page_next(page, &cursor))
		;
	return cursor.time;
}

/* Whether the newest page reaches `until`: later records are for the next round. Don't chase the
 * writer: reading the page it is on, again for each record, costs both more than anything else. */
static bool is_enough(const struct cpu *cpu, const struct page_shape *shape, uint64_t until)
{
	struct page_cursor cursor;

	if (!cpu->npages)
		return false;
	page_open(shape, page_at(cpu, shape, cpu->npages - 1), &cursor);
	return cursor.time >= until;
}

struct error *cpu_read(struct cpu *cpu, struct arena *arena, const struct page_shape *shape,
		       unsigned batch, uint64_t until)
{
	struct page_source *source = cpu->source;
	int got = 1;

	cpu_compact(cpu, shape);
	while (cpu->npages < batch && !is_enough(cpu, shape, until) && got > 0) {
		got = source->ops->read(source, cpu->place, page_at(cpu, shape, cpu->npages));
		if (got > 0) {
			cpu->npages++;
			cpu->round++;
		}
	}
	cpu->is_full = cpu->npages == batch && !is_enough(cpu, shape, until);
	if (cpu->is_full)
		cpu->last_time = page_last_time(shape, page_at(cpu, shape, batch - 1));
	if (!cpu->has_head && cpu->npages) {
		page_open(shape, cpu->pages, &cpu->cursor);
		cpu_advance(cpu, shape);
	}
	if (got < 0)
		return error_errno(arena, -got, "cannot read the buffer of CPU %d", cpu->number);
	return NULL;
}

void cpu_advance(struct cpu *cpu, const struct page_shape *shape)
{
	cpu->has_head = true;
	while (!page_next(cpu->at, &cpu->cursor)) {
		if (++cpu->page >= cpu->npages) {
			cpu->has_head = false;
			return;
		}
		cpu->at += shape->size;
		page_open(shape, cpu->at, &cpu->cursor);
	}
}
