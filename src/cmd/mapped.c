// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows what processes map from now on, by the records that the kernel makes for profilers (perf_event_open(2)):
 * new programs, libraries loaded, forks. So the maps of processes that have ended by the time their events are
 * read are known, too. Where that isn't allowed, /proc alone must do.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/stacks.h"

#define PAGES 64u /* of a CPU's buffer: a power of two */
#define CPUS_MAX 1024u

struct mapped {
	size_t page;
	unsigned count;
	struct {
		int fd;
		struct perf_event_mmap_page *head;
	} cpus[CPUS_MAX];
	uint8_t record[1 << 16]; /* one that is split by the buffer's end */
};

static int open_cpu(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

void mapped_open(struct processes *processes)
{
	struct mapped *mapped = calloc(1, sizeof(*mapped));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	processes->mapped = mapped;
	if (!mapped)
		return;
	mapped->page = (size_t)sysconf(_SC_PAGESIZE);
	for (int cpu = 0; cpu < cpus && mapped->count < CPUS_MAX; cpu++) {
		int fd = open_cpu(cpu);
		void *head = fd < 0 ? MAP_FAILED : mmap(NULL, (1 + PAGES) * mapped->page, PROT_READ | PROT_WRITE,
							MAP_SHARED, fd, 0);

		if (head == MAP_FAILED) {
			if (fd >= 0)
				close(fd);
			continue; /* offline, or not allowed */
		}
		mapped->cpus[mapped->count].fd = fd;
		mapped->cpus[mapped->count++].head = head;
	}
}

void mapped_close(struct processes *processes)
{
	struct mapped *mapped = processes->mapped;

	for (unsigned i = 0; mapped && i < mapped->count; i++) {
		munmap(mapped->cpus[i].head, (1 + PAGES) * mapped->page);
		close(mapped->cpus[i].fd);
	}
	free(mapped);
	processes->mapped = NULL;
}

struct mmap_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t rights, flags;
	char path[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, parent; /* for a new name: the process, the thread */
};

static void take(struct processes *processes, const void *data, size_t size)
{
	const struct perf_event_header *header = data;
	const struct mmap_record *map = data;
	const struct task_record *task = data;

	if (header->type == PERF_RECORD_LOST)
		processes_forget(processes);
	else if (header->type == PERF_RECORD_MMAP2 && size > sizeof(*map) && map->rights & PROT_EXEC)
		process_maps(processes, (int)map->pid, &(struct mapping){
			.start = map->address,
			.end = map->address + map->length,
			.offset = map->offset,
			.inode = map->inode,
			.path = map->path,
		}, strnlen(map->path, size - sizeof(*map)));
	else if (header->type == PERF_RECORD_COMM && header->misc & PERF_RECORD_MISC_COMM_EXEC && size > sizeof(*task))
		process_begins(processes, (int)task->pid, 0);
	else if (header->type == PERF_RECORD_FORK && size > sizeof(*task) && task->pid != task->parent)
		process_begins(processes, (int)task->pid, (int)task->parent);
}

static void read_cpu(struct processes *processes, struct perf_event_mmap_page *head)
{
	struct mapped *mapped = processes->mapped;
	const uint8_t *data = (const uint8_t *)head + mapped->page;
	size_t size = PAGES * mapped->page;
	uint64_t end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE), at = head->data_tail;

	while (at + sizeof(struct perf_event_header) <= end) {
		struct perf_event_header header; /* aligned: never split */
		size_t from = at % size, first;

		memcpy(&header, data + from, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - at)
			break;
		first = size - from < header.size ? size - from : header.size;
		memcpy(mapped->record, data + from, first);
		memcpy(mapped->record + first, data, header.size - first);
		take(processes, mapped->record, header.size);
		at += header.size;
	}
	__atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);
}

void mapped_read(struct processes *processes)
{
	struct mapped *mapped = processes->mapped;

	for (unsigned i = 0; mapped && i < mapped->count; i++)
		if (__atomic_load_n(&mapped->cpus[i].head->data_head, __ATOMIC_ACQUIRE) !=
		    mapped->cpus[i].head->data_tail)
			read_cpu(processes, mapped->cpus[i].head);
}
