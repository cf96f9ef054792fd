// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells a thread's name, for records without a comm of their own. Where the kernel records every
 * change (comm_names_begin), that is the name at the record's time, of dead threads too. Elsewhere
 * it is a guess: /proc tells what a thread is called now, not then, so a batch's answers are not
 * kept for the next.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"
#include "stream/threads.h"

#define COMM_SLOTS 256
#define COMM_MAX 16 /* with its NUL */
#define PF_WQ_WORKER 0x20
#define NAMES_MIN 1024
#define NAMES_MAX (1u << 18) /* threads, most of them dead; then the table is emptied */

struct comm_entry {
	int pid;
	int process; /* -1: not known */
	char comm[COMM_MAX];
};

/* An event that says what a thread is called from then on. */
struct namer {
	int id;
	struct field pid;
	struct field comm;
	struct field flags; /* of clone(2): a thread begins; or absent */
};

struct comm_cache {
	struct comm_entry entries[COMM_SLOTS];
	struct comm_entry *names; /* by pid, open addressing, pid 0: free; NULL: no table */
	unsigned nnames;
	unsigned room; /* a power of two */
	struct namer namers[2];
};

struct comm_cache *comm_cache_new(struct arena *arena)
{
	struct comm_cache *cache = arena_new(arena, struct comm_cache);

	comm_cache_forget(cache);
	return cache;
}

void comm_cache_free(struct comm_cache *cache)
{
	free(cache->names);
	cache->names = NULL;
}

void comm_cache_forget(struct comm_cache *cache)
{
	for (unsigned i = 0; i < COMM_SLOTS; i++)
		cache->entries[i].pid = -1;
}

/* The file's bytes, without the newline at their end; "" when it can't be read. */
static void read_line(int directory, const char *name, char *line, size_t size)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, size - 1);

	if (fd >= 0)
		close(fd);
	line[n > 0 ? n - (line[n - 1] == '\n') : 0] = '\0';
}

/* "12 (kworker/0:1-events) I 2 0 0 0 -1 69238880 ...": the flags are the seventh word after the
 * name. */
static bool is_worker(int directory)
{
	char line[512];
	const char *word;

	read_line(directory, "stat", line, sizeof(line));
	word = strrchr(line, ')');
	for (int i = 0; word && i < 7; i++)
		word = strchr(word + 1, ' ');
	return word && strtoul(word, NULL, 10) & PF_WQ_WORKER;
}

/* What a thread is called now. Returns false when it is gone. /proc adds to a worker's name what
 * it last did: "kworker/0:1-events", "kworker/R-rcu_g-rcu_gp" */
static bool read_comm(const char *path, char comm[COMM_MAX])
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char line[128] = "";

	if (directory < 0)
		return false;
	read_line(directory, "comm", line, sizeof(line));
	if (!strncmp(line, "kworker/", 8) && is_worker(directory))
		line[8 + (line[8] == 'R' ? COMM_MAX - 9 : strcspn(line + 8, "+-"))] = '\0';
	close(directory);
	snprintf(comm, COMM_MAX, "%.*s", COMM_MAX - 1, line);
	return *line;
}

static void comm_read(struct comm_entry *entry, int pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (!read_comm(path, entry->comm))
		snprintf(entry->comm, sizeof(entry->comm), "<...>");
}

/* The pid's entry, or the free one where it would be. */
static struct comm_entry *name_slot(const struct comm_cache *cache, int pid)
{
	unsigned at = (unsigned)pid * 0x9e3779b1u >> 8;

	while (cache->names[at & (cache->room - 1)].pid &&
	       cache->names[at & (cache->room - 1)].pid != pid)
		at++;
	return &cache->names[at & (cache->room - 1)];
}

/* Makes room for one more. Returns false when out of memory; then all names are forgotten. */
static bool names_grow(struct comm_cache *cache)
{
	struct comm_entry *old = cache->names;
	unsigned count = cache->room;

	if (cache->nnames < cache->room / 2)
		return true;
	if (cache->room >= NAMES_MAX)
		comm_names_lost(cache);
	if (cache->nnames < cache->room / 2)
		return true;
	cache->room = count ? count * 2 : NAMES_MIN;
	cache->names = calloc(cache->room, sizeof(*old));
	for (unsigned i = 0; cache->names && i < count; i++)
		if (old[i].pid)
			*name_slot(cache, old[i].pid) = old[i];
	free(old);
	if (!cache->names)
		cache->room = cache->nnames = 0;
	return cache->names;
}

/* process: 0: unchanged. */
static void set_name(struct comm_cache *cache, int pid, int process, const char *comm,
		     size_t length)
{
	struct comm_entry *entry;

	if (pid <= 0 || !names_grow(cache))
		return;
	entry = name_slot(cache, pid);
	cache->nnames += !entry->pid;
	if (process || !entry->pid)
		entry->process = process ? process : -1;
	entry->pid = pid;
	length = strnlen(comm, length < COMM_MAX - 1 ? length : COMM_MAX - 1);
	memcpy(entry->comm, comm, length);
	entry->comm[length] = '\0';
}

void comm_names_lost(struct comm_cache *cache)
{
	if (cache->names)
		memset(cache->names, 0, cache->room * sizeof(*cache->names));
	cache->nnames = 0;
}

static void read_threads(struct comm_cache *cache, const char *process)
{
	char path[64], comm[COMM_MAX];
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%.10s/task", process);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "/proc/%.10s/task/%.10s", process, entry->d_name);
		if (entry->d_name[0] != '.' && read_comm(path, comm))
			set_name(cache, atoi(entry->d_name), atoi(process), comm, sizeof(comm));
	}
	if (directory)
		closedir(directory);
}

static struct error *namer_init(struct namer *namer, struct arena *arena,
				const struct live_event *event, const char *comm)
{
	struct format format;
	struct error *error = format_read(arena, event->format, &format);

	if (error)
		return error;
	namer->id = event->id;
	format_field(&format, "pid", &namer->pid);
	format_field(&format, comm, &namer->comm);
	format_field(&format, "clone_flags", &namer->flags);
	if (namer->pid.kind != FIELD_INT || namer->comm.kind != FIELD_BYTES)
		return error_new(arena, ERROR_SYSTEM,
				 "cannot make sense of the formats of task:task_newtask and "
				 "task:task_rename");
	return NULL;
}

struct error *comm_names_begin(struct comm_cache *cache, struct arena *arena,
			       const struct buffers *buffers)
{
	struct error *error = namer_init(&cache->namers[0], arena, &buffers->newtask, "comm");
	struct dirent *entry;
	DIR *processes;

	if (!error)
		error = namer_init(&cache->namers[1], arena, &buffers->rename, "newcomm");
	if (error)
		return error;
	processes = opendir("/proc");
	while (processes && (entry = readdir(processes)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			read_threads(cache, entry->d_name);
	if (processes)
		closedir(processes);
	return NULL;
}

/* The process of the thread that a record names: the parent's process if it is one of its
 * threads. Returns 0 for a rename, -1 when unknown. */
static int process_by(const struct comm_cache *cache, const struct namer *namer,
		      const struct record *record, int pid)
{
	uint64_t flags;

	if (namer->flags.kind == FIELD_ABSENT)
		return 0;
	if (!record_int(record, &namer->flags, &flags))
		return -1;
	return flags & CLONE_THREAD ? process_of(cache, record_pid(record->data)) : pid;
}

void comm_names_take(struct comm_cache *cache, const uint8_t *data, uint32_t length)
{
	const struct record record = {.data = data, .length = length};
	uint16_t type;
	uint64_t pid;

	if (length < sizeof(type))
		return;
	memcpy(&type, data, sizeof(type));
	for (unsigned i = 0; i < 2; i++) {
		const struct namer *namer = &cache->namers[i];

		if (namer->id == type && record_int(&record, &namer->pid, &pid) &&
		    (uint32_t)namer->comm.offset + namer->comm.size <= length)
			set_name(cache, (int)pid, process_by(cache, namer, &record, (int)pid),
				 (const char *)data + namer->comm.offset, namer->comm.size);
	}
}

int process_of(const struct comm_cache *cache, int pid)
{
	const struct comm_entry *entry = cache->names && pid > 0 ? name_slot(cache, pid) : NULL;

	if (!pid)
		return 0;
	return entry && entry->pid ? entry->process : -1;
}

const char *comm_of(struct comm_cache *cache, int pid)
{
	struct comm_entry *entry = &cache->entries[(unsigned)pid % COMM_SLOTS];
	const struct comm_entry *named = cache->names && pid > 0 ? name_slot(cache, pid) : NULL;

	if (!pid)
		return "swapper";
	if (named && named->pid)
		return named->comm;
	if (entry->pid != pid) {
		entry->pid = pid;
		comm_read(entry, pid);
	}
	return entry->comm;
}
