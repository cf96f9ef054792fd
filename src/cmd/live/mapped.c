// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows what processes map from now on, by the records that the kernel makes for profilers
 * (perf_event_open(2)): new programs, libraries loaded, forks. So the maps of processes that have
 * ended by the time their events are read are known, too. Where that isn't allowed, /proc alone
 * must do.
 *
 * Each CPU has records of its own, and a process may go from one CPU to another: they are taken by
 * their time.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/stacks/stack_frames.h"

#define PAGES_MIN 64u /* of a CPU's buffer: a power of two */
#define PAGES_MAX 512u /* 2 MB: some ten thousand programs */
#define PAGES_ALL 8192u
#define CPUS_MAX 1024u
#define TRIES 10u

struct cpu {
	int fd;
	struct perf_event_mmap_page *head;
	uint64_t at, end; /* of what it has recorded */
};

struct mapped {
	size_t page;
	size_t size; /* of a CPU's buffer */
	unsigned count;
	struct cpu cpus[CPUS_MAX];
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
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TIME,
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
	size_t pages = PAGES_MAX;

	processes->mapped = mapped;
	if (!mapped)
		return;
	while (pages > PAGES_MIN && pages * (size_t)cpus > PAGES_ALL)
		pages /= 2;
	mapped->page = (size_t)sysconf(_SC_PAGESIZE);
	mapped->size = pages * mapped->page;
	for (int cpu = 0; cpu < cpus && mapped->count < CPUS_MAX; cpu++) {
		int fd = open_cpu(cpu);
		void *head = fd < 0 ? MAP_FAILED :
				      mmap(NULL, mapped->page + mapped->size,
					   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

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
		munmap(mapped->cpus[i].head, mapped->page + mapped->size);
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
	uint32_t thread;
};

/* Behind each record. */
typedef uint64_t record_time;

static void take(struct processes *processes, const void *data, size_t size)
{
	const struct perf_event_header *header = data;
	const struct mmap_record *map = data;
	const struct task_record *task = data;

	if (header->type == PERF_RECORD_LOST)
		processes_forget(processes);
	else if (header->type == PERF_RECORD_MMAP2 && size > sizeof(*map) &&
		 map->rights & PROT_EXEC)
		process_maps(processes, (int)map->pid, &(struct mapping){
			.start = map->address,
			.end = map->address + map->length,
			.offset = map->offset,
			.inode = map->inode,
			.path = map->path,
		}, strcmp(map->path, "//anon") ? strnlen(map->path, size - sizeof(*map)) : 0);
	else if (header->type == PERF_RECORD_COMM && header->misc & PERF_RECORD_MISC_COMM_EXEC &&
		 size > sizeof(*task))
		process_begins(processes, (int)task->pid, 0);
	else if (header->type == PERF_RECORD_EXIT && size > sizeof(*task) &&
		 task->pid == task->thread)
		process_ends(processes, (int)task->pid);
	else if (header->type == PERF_RECORD_FORK && size > sizeof(*task) &&
		 task->pid != task->parent)
		process_begins(processes, (int)task->pid, (int)task->parent);
}

/* The bytes from `at` on of a CPU's buffer, in one piece. */
static const void *piece(struct mapped *mapped, const struct cpu *cpu, uint64_t at, size_t length)
{
	const uint8_t *data = (const uint8_t *)cpu->head + mapped->page;
	size_t size = mapped->size, from = at % size,
	       first = size - from < length ? size - from : length;

	if (first == length)
		return data + from;
	memcpy(mapped->record, data + from, first);
	memcpy(mapped->record + first, data, length - first);
	return mapped->record;
}

/* The length of the CPU's next record, and its time; 0: there is none. */
static size_t next_record(struct mapped *mapped, const struct cpu *cpu, record_time *time)
{
	struct perf_event_header header; /* aligned as the time is: never split */

	if (cpu->end - cpu->at < sizeof(header))
		return 0;
	memcpy(&header, piece(mapped, cpu, cpu->at, sizeof(header)), sizeof(header));
	if (header.size < sizeof(header) + sizeof(*time) || header.size > cpu->end - cpu->at)
		return 0;
	memcpy(time, piece(mapped, cpu, cpu->at + header.size - sizeof(*time), sizeof(*time)),
	       sizeof(*time));
	return header.size;
}

/* The CPU whose next record is the earliest; NULL: there are no more. */
static struct cpu *earliest(struct mapped *mapped)
{
	struct cpu *ret = NULL;
	record_time least = 0, time;

	for (unsigned i = 0; i < mapped->count; i++)
		if (next_record(mapped, &mapped->cpus[i], &time) && (!ret || time < least)) {
			ret = &mapped->cpus[i];
			least = time;
		}
	return ret;
}

/* Sets where each CPU's records end now. Returns whether that was news for any. */
static bool find_ends(struct mapped *mapped)
{
	bool is_new = false;

	for (unsigned i = 0; i < mapped->count; i++) {
		struct cpu *cpu = &mapped->cpus[i];
		uint64_t end = __atomic_load_n(&cpu->head->data_head, __ATOMIC_ACQUIRE);

		is_new |= end != cpu->end;
		cpu->end = end;
	}
	return is_new;
}

void mapped_read(struct processes *processes)
{
	struct mapped *mapped = processes->mapped;
	record_time time;
	struct cpu *cpu;

	if (!mapped || !find_ends(mapped))
		return;
	/* since a CPU was looked at, it may have recorded something earlier than what another
	 * has */
	for (unsigned tries = 0; tries < TRIES && find_ends(mapped); tries++)
		;
	while ((cpu = earliest(mapped))) {
		size_t length = next_record(mapped, cpu, &time);

		take(processes, piece(mapped, cpu, cpu->at, length), length - sizeof(time));
		cpu->at += length;
		__atomic_store_n(&cpu->head->data_tail, cpu->at, __ATOMIC_RELEASE);
	}
}
