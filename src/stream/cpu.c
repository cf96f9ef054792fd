// SPDX-License-Identifier: GPL-2.0-only
/*
 * The live source of pages: each CPU's trace_pipe_raw, which gives at most one page per read, and
 * its stats.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"
#include "stream/page_source.h"

struct live {
	struct page_source source;
	struct live_cpu {
		int raw_fd;
		int stats_fd;
	} *cpus;
};

static struct live *live(struct page_source *source)
{
	return (struct live *)source;
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The numbers of the directories cpu0, cpu1... in per_cpu, one for each possible CPU, ascending. */
static struct error *list_cpus(struct arena *arena, const char *path, int **ret, unsigned *count)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	*count = 0;
	*ret = NULL;
	if (!directory)
		return error_errno(arena, errno, "cannot read '%s'", path);
	while ((entry = readdir(directory)))
		if (!strncmp(entry->d_name, "cpu", 3))
			arena_append(arena, *ret, *count) = atoi(entry->d_name + 3);
	closedir(directory);
	if (*count)
		qsort(*ret, *count, sizeof(**ret), by_number);
	return NULL;
}

static struct error *open_file(struct arena *arena, const char *directory, int number,
			       const char *file, int *ret)
{
	const char *path = arena_printf(arena, "%s/per_cpu/cpu%d/%s", directory, number, file);

	*ret = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return *ret < 0 ? error_errno(arena, errno, "cannot open '%s'", path) : NULL;
}

static int live_read(struct page_source *source, unsigned cpu, uint8_t *page)
{
	ssize_t n = read(live(source)->cpus[cpu].raw_fd, page, source->shape.size);

	/* a CPU that was never online has no buffer until it comes
	 * (ring_buffer_alloc_read_page()) */
	if (n < 0)
		return errno == EAGAIN || errno == EINTR || errno == ENODEV ? 0 : -errno;
	return n > 0;
}

/* Adds the number behind a key. Returns false when the key isn't there. */
static bool add_number(const char *stats, const char *key, uint64_t *sum)
{
	const char *found = strstr(stats, key);

	if (found)
		*sum += strtoull(found + strlen(key), NULL, 10);
	return found;
}

static void read_stats(struct page_source *source, unsigned cpu, char text[512])
{
	ssize_t n = pread(live(source)->cpus[cpu].stats_fd, text, 511, 0);

	text[n > 0 ? n : 0] = '\0';
}

static bool live_lost(struct page_source *source, unsigned cpu, uint64_t *ret)
{
	char text[512];

	read_stats(source, cpu, text);
	*ret = 0;
	return add_number(text, "\noverrun:", ret) && add_number(text, "\ncommit overrun:", ret) &&
	       add_number(text, "\ndropped events:", ret);
}

/* Any CPU's stats will do: the clock is common. "now ts: 87.005123": seconds and microseconds */
static uint64_t live_now(struct page_source *source)
{
	const char *found;
	char text[512], *end;
	uint64_t seconds;

	if (!source->ncpus)
		return 0;
	read_stats(source, 0, text);
	found = strstr(text, "\nnow ts:");
	if (!found)
		return 0;
	seconds = strtoull(found + strlen("\nnow ts:"), &end, 10);
	return seconds * 1000000000 + (*end == '.' ? strtoull(end + 1, NULL, 10) * 1000 : 0);
}

static int live_poll_fd(struct page_source *source, unsigned cpu)
{
	return live(source)->cpus[cpu].raw_fd;
}

static void live_close(struct page_source *source)
{
	for (unsigned i = 0; i < source->ncpus; i++) {
		struct live_cpu *cpu = &live(source)->cpus[i];

		if (cpu->raw_fd >= 0)
			close(cpu->raw_fd);
		if (cpu->stats_fd >= 0)
			close(cpu->stats_fd);
		*cpu = (struct live_cpu){-1, -1};
	}
}

static const struct page_source_ops live_ops = {
	.read = live_read,
	.lost = live_lost,
	.now = live_now,
	.poll_fd = live_poll_fd,
	.close = live_close,
};

struct error *live_source(struct arena *arena, const char *directory,
			  const struct page_shape *shape, struct page_source **ret)
{
	struct live *live = arena_new(arena, struct live);
	struct page_source *source = &live->source;
	int *numbers;
	struct error *error = list_cpus(arena, arena_printf(arena, "%s/per_cpu", directory),
					&numbers, &source->ncpus);

	source->ops = &live_ops;
	source->shape = *shape;
	source->numbers = numbers;
	live->cpus = arena_array(arena, struct live_cpu, source->ncpus + 1);
	for (unsigned i = 0; i < source->ncpus; i++)
		live->cpus[i] = (struct live_cpu){-1, -1};
	for (unsigned i = 0; !error && i < source->ncpus; i++) {
		error = open_file(arena, directory, numbers[i], "trace_pipe_raw",
				  &live->cpus[i].raw_fd);
		if (!error)
			error = open_file(arena, directory, numbers[i], "stats",
					  &live->cpus[i].stats_fd);
	}
	if (error)
		live_close(source);
	*ret = error ? NULL : source;
	return error;
}
