// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread id in, its name out, for records without a comm of their own. That is a guess: /proc
 * tells what a thread is called now, not then; so a batch's answers are not kept for the next.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"

#define COMM_SLOTS 256

struct comm_entry {
	int pid;
	char comm[20];
};

struct comm_cache {
	struct comm_entry entries[COMM_SLOTS];
};

struct comm_cache *comm_cache_new(struct arena *arena)
{
	struct comm_cache *cache = arena_new(arena, struct comm_cache);

	comm_cache_forget(cache);
	return cache;
}

void comm_cache_forget(struct comm_cache *cache)
{
	for (unsigned i = 0; i < COMM_SLOTS; i++)
		cache->entries[i].pid = -1;
}

static void comm_read(struct comm_entry *entry, int pid)
{
	char path[64];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, entry->comm, sizeof(entry->comm) - 1);
		close(fd);
	}
	if (n > 1)
		entry->comm[n - 1] = '\0'; /* its newline */
	else
		snprintf(entry->comm, sizeof(entry->comm), "<...>");
}

const char *comm_of(struct comm_cache *cache, int pid)
{
	struct comm_entry *entry = &cache->entries[(unsigned)pid % COMM_SLOTS];

	if (!pid)
		return "swapper";
	if (entry->pid != pid) {
		entry->pid = pid;
		comm_read(entry, pid);
	}
	return entry->comm;
}
