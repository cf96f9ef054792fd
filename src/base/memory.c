// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits this process's memory through the kernel. Libraries believe what a file says about its own
 * length, and only here can all of them be bounded: what they can't get they report, or die of,
 * before a trace has begun.
 */
#include "base/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define HUGE_PAGE ((uintptr_t)2 << 20)
#define LARGE     ((size_t)64 << 10) /* more than any hole in the heap has room for */
#define MMAP_MOST (32 << 20) /* the most that malloc(3) takes */

/* Bytes, from proc_pid_statm(5). Returns 0 when unknown. */
static uint64_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (file && fscanf(file, "%lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t memory_bound(uint64_t more)
{
	uint64_t used = address_space(), limit;
	struct rlimit old;

	if (getrlimit(RLIMIT_AS, &old))
		return RLIM_INFINITY;
	if (used && !__builtin_add_overflow(used, more, &limit) && limit < old.rlim_cur)
		setrlimit(RLIMIT_AS, &(struct rlimit){limit, old.rlim_max});
	return old.rlim_cur;
}

void memory_extend(uint64_t more)
{
	struct rlimit now;
	uint64_t limit;

	if (getrlimit(RLIMIT_AS, &now) || now.rlim_cur == RLIM_INFINITY)
		return;
	if (__builtin_add_overflow(now.rlim_cur, more, &limit) || limit > now.rlim_max)
		limit = now.rlim_max;
	setrlimit(RLIMIT_AS, &(struct rlimit){limit, now.rlim_max});
}

void memory_unbound(uint64_t limit)
{
	struct rlimit now;

	if (!getrlimit(RLIMIT_AS, &now) && limit <= now.rlim_max)
		setrlimit(RLIMIT_AS, &(struct rlimit){limit, now.rlim_max});
}

/* Moves the heap's end, once, to where a huge page may begin: a page that was touched there would
 * keep the kernel from giving one. The gap is never touched. */
static void align_end(void)
{
	const size_t header = 2 * sizeof(size_t); /* of malloc(3)'s blocks */
	static void *gap;
	char *end = gap ? NULL : malloc(LARGE);
	uintptr_t address = (uintptr_t)end;

	free(end);
	if (address)
		gap = malloc(HUGE_PAGE - (address & (HUGE_PAGE - 1)) - header);
}

/* The heap's end is freed again, but kept (M_TRIM_THRESHOLD), with the kernel's advice on it. The
 * heap of ASan has no end: it would only mark so many bytes, twice, and a test that opens a small
 * file thousands of times did little else. */
void memory_expect(size_t bytes)
{
	const uintptr_t page = 4096;
	char *end;

#ifdef __SANITIZE_ADDRESS__
	return;
#endif
	mallopt(M_MMAP_THRESHOLD, MMAP_MOST);
	mallopt(M_TRIM_THRESHOLD, MMAP_MOST);
	align_end();
	end = malloc(bytes);
	if (end)
		madvise((void *)(((uintptr_t)end + page - 1) & ~(page - 1)), bytes - page,
			MADV_HUGEPAGE);
	free(end);
}
