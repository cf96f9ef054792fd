// SPDX-License-Identifier: GPL-2.0-only
/*
 * One CPU's trace_pipe_raw in, its records one by one out. A read gives at most one page. A
 * batch is bounded, and what of it was not used up stays in front of the next one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"

static int by_number(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Numbers of the directories cpu0, cpu1... of per_cpu, which has one for each possible CPU. */
static struct error *cpus_list(struct arena *arena, const char *path, struct cpu **ret,
			       unsigned *count)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	*count = 0;
	*ret = NULL;
	if (!directory)
		return error_errno(arena, errno, "cannot read '%s'", path);
	while ((entry = readdir(directory))) {
		if (strncmp(entry->d_name, "cpu", 3))
			continue;
		arena_append(arena, *ret, *count) = (struct cpu){
			.number = atoi(entry->d_name + 3), .raw_fd = -1, .stats_fd = -1};
	}
	closedir(directory);
	if (*count)
		qsort(*ret, *count, sizeof(**ret), by_number);
	return NULL;
}

static struct error *open_file(struct arena *arena, const char *directory, const struct cpu *cpu,
			       const char *file, int *ret)
{
	const char *path = arena_printf(arena, "%s/per_cpu/cpu%d/%s", directory, cpu->number,
					file);

	*ret = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return *ret < 0 ? error_errno(arena, errno, "cannot open '%s'", path) : NULL;
}

struct error *cpus_open(struct arena *arena, const char *directory,
			const struct page_shape *shape, unsigned batch, struct cpu **ret,
			unsigned *count)
{
	struct error *error = cpus_list(arena, arena_printf(arena, "%s/per_cpu", directory), ret,
					count);

	for (unsigned i = 0; !error && i < *count; i++) {
		struct cpu *cpu = &(*ret)[i];

		cpu->pages = arena_alloc(arena, (size_t)batch * shape->size);
		error = open_file(arena, directory, cpu, "trace_pipe_raw", &cpu->raw_fd);
		if (!error)
			error = open_file(arena, directory, cpu, "stats", &cpu->stats_fd);
	}
	if (error)
		cpus_close(*ret, *count);
	return error;
}

void cpus_close(struct cpu *cpus, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (cpus[i].raw_fd >= 0)
			close(cpus[i].raw_fd);
		if (cpus[i].stats_fd >= 0)
			close(cpus[i].stats_fd);
		cpus[i].raw_fd = cpus[i].stats_fd = -1;
	}
}

static uint8_t *page_at(const struct cpu *cpu, const struct page_shape *shape, unsigned page)
{
	return cpu->pages + (size_t)page * shape->size;
}

/* Moves what was not used up to the front. Offsets in the cursor stay true. */
static void cpu_compact(struct cpu *cpu, const struct page_shape *shape)
{
	unsigned left = cpu->has_head ? cpu->npages - cpu->page : 0;

	if (left && cpu->page)
		memmove(cpu->pages, page_at(cpu, shape, cpu->page), (size_t)left * shape->size);
	cpu->npages = left;
	cpu->page = 0;
}

/* The time of the last record of a page. */
static uint64_t page_last_time(const struct page_shape *shape, const uint8_t *page)
{
	struct page_cursor cursor;

	page_open(shape, page, &cursor);
	while (page_next(page, &cursor))
		;
	return cursor.time;
}

/* What comes behind is for the next round. To read on would be to run after the writer: each record's
 * page anew, while the writer is on it, which costs both more than anything else does. */
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
	ssize_t n = 1;

	cpu_compact(cpu, shape);
	while (cpu->npages < batch && !is_enough(cpu, shape, until) && n > 0) {
		n = read(cpu->raw_fd, page_at(cpu, shape, cpu->npages), shape->size);
		if (n > 0) {
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
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return error_errno(arena, errno, "cannot read the buffer of CPU %d", cpu->number);
	return NULL;
}

void cpu_advance(struct cpu *cpu, const struct page_shape *shape)
{
	cpu->has_head = true;
	while (!page_next(page_at(cpu, shape, cpu->page), &cpu->cursor)) {
		if (++cpu->page >= cpu->npages) {
			cpu->has_head = false;
			return;
		}
		page_open(shape, page_at(cpu, shape, cpu->page), &cpu->cursor);
	}
}

const uint8_t *cpu_record(const struct cpu *cpu, const struct page_shape *shape)
{
	return page_at(cpu, shape, cpu->page) + cpu->cursor.record;
}

/* Adds the number behind a key; false: there is none. */
static bool add_number(const char *stats, const char *key, uint64_t *sum)
{
	const char *found = strstr(stats, key);

	if (found)
		*sum += strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* "now ts:    87.005123": seconds and microseconds */
static uint64_t now_of(const char *stats)
{
	const char *found = strstr(stats, "\nnow ts:");
	char *end;
	uint64_t seconds;

	if (!found)
		return 0;
	seconds = strtoull(found + strlen("\nnow ts:"), &end, 10);
	return seconds * 1000000000 + (*end == '.' ? strtoull(end + 1, NULL, 10) * 1000 : 0);
}

bool cpu_stats(const struct cpu *cpu, struct cpu_stats *ret)
{
	char text[512];
	ssize_t n = pread(cpu->stats_fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	*ret = (struct cpu_stats){.now = now_of(text)};
	return add_number(text, "\noverrun:", &ret->lost) &&
	       add_number(text, "\ncommit overrun:", &ret->lost) &&
	       add_number(text, "\ndropped events:", &ret->lost);
}
