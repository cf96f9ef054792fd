// SPDX-License-Identifier: GPL-2.0-only
/*
 * Knows where processes have files mapped: by what the kernel records of new ones (mapped.c), and
 * of the others by /proc/PID/maps, read at the first event of a process and kept when it has ended.
 * An event tells where its own probe lies, so that maps of another program, or of another process,
 * aren't believed. Where they are gone already, the probed file alone is known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/stacks/stack_frames.h"

#define AGAIN_NS 10000000u /* how soon maps are read again for an address that isn't in them */
#define GUESS    ((uint64_t)1 << 40) /* larger than any file */
#define NOTHING_KNOWN ((uint64_t)1 << 63) /* of the process but where the probed file is */

/* The path of the probed file; NULL: the event isn't a program's probe. */
static const char *probed_path(const struct event *event)
{
	return event->probe->kind == PROBE_TRACEPOINT ? NULL : event->probe->site->path;
}

static struct mapping *look(const struct process *process, uint64_t address)
{
	for (unsigned i = process->count; i > 0; i--)
		if (address >= process->mappings[i - 1].start &&
		    address < process->mappings[i - 1].end)
			return &process->mappings[i - 1];
	return NULL;
}

/* Whether the event's own probe is where these maps have it. */
static bool agrees(const struct process *process, const struct event *event)
{
	const struct site *site = event->probe->site;
	const char *path = probed_path(event);
	const struct mapping *mapping;

	/* a return probe tells the function's address, which is the site's too */
	if (!path || !event->ip)
		return true;
	mapping = look(process, event->ip);
	return mapping && mapping->path[0] == '/' &&
	       event->ip - mapping->start + mapping->offset == site->offset;
}

/* "7f9b0386d000-7f9b039c3000 r-xp 00026000 fe:00 332835      /usr/lib/libc.so.6" */
static void read_line(struct process *process, const char *line)
{
	unsigned long long start, end, offset, inode;
	unsigned major, minor;
	char rights[5];
	int path = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, rights, &offset, &major,
		   &minor, &inode, &path) < 7 ||
	    !path || rights[2] != 'x')
		return;
	arena_append(&process->arena, process->mappings, process->count) = (struct mapping){
		.start = start,
		.end = end,
		.offset = offset,
		.inode = inode,
		.path = arena_strndup(&process->arena, line + path, strcspn(line + path, "\n")),
	};
}

static void empty(struct processes *processes, struct process *process, int pid, uint64_t time)
{
	process->memory = ++processes->changes;
	process->pid = pid;
	process->time = time;
	process->mappings = NULL;
	process->count = 0;
	arena_reset(&process->arena);
}

static void read_maps(struct processes *processes, struct process *process, int pid,
		      const struct event *event)
{
	char path[32], *line = NULL;
	size_t size = 0;
	FILE *file;

	empty(processes, process, pid, event->time);
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	while (file && getline(&line, &size, file) > 0)
		read_line(process, line);
	free(line);
	if (file)
		fclose(file);
}

/* The probed file alone, from where its probe was hit. */
static struct process *guess(struct processes *processes, int pid, const struct event *event)
{
	struct process *process = &processes->guess;
	const char *path = probed_path(event);
	uint64_t start;

	empty(processes, process, pid, event->time);
	process->memory = NOTHING_KNOWN;
	if (!path || !event->ip)
		return process;
	start = event->ip - event->probe->site->offset;
	process->memory |= start;
	arena_append(&process->arena, process->mappings, process->count) = (struct mapping){
		.start = start,
		.end = start + GUESS,
		.path = arena_strdup(&process->arena, path),
	};
	return process;
}

/* NULL: nothing is known of it. */
static struct process *find(struct processes *processes, int pid)
{
	if (processes->last && processes->last->pid == pid)
		return processes->last;
	for (unsigned i = 0; i < PROCESSES_MAX; i++)
		if (processes->list[i].pid == pid)
			return processes->last = &processes->list[i];
	return NULL;
}

/* Whether a's place goes to another process before b's does: those that have ended first, by the
 * time of their end. */
static bool is_older(const struct process *a, const struct process *b)
{
	if (!a->pid || !b->pid)
		return !a->pid && b->pid;
	if (!a->ended != !b->ended)
		return a->ended;
	return a->ended ? a->ended < b->ended : a->used < b->used;
}

/* The process's place, its own or one that it can have, empty. */
static struct process *make(struct processes *processes, int pid)
{
	struct process *ret = find(processes, pid), *oldest = &processes->list[0];

	for (unsigned i = 1; !ret && i < PROCESSES_MAX; i++)
		if (is_older(&processes->list[i], oldest))
			oldest = &processes->list[i];
	ret = ret ?: oldest;
	empty(processes, ret, pid, 0);
	ret->used = ++processes->lookups;
	ret->ended = 0;
	return processes->last = ret;
}

void process_begins(struct processes *processes, int pid, int parent)
{
	const struct process *other = parent ? find(processes, parent) : NULL;
	struct process *process = make(processes, pid);

	if (parent && (!other || other->pid != parent)) {
		empty(processes, process, 0, 0); /* not known: /proc will tell */
		return;
	}
	for (unsigned i = 0; parent && i < other->count; i++)
		process_maps(processes, pid, &other->mappings[i], strlen(other->mappings[i].path));
}

void process_maps(struct processes *processes, int pid, const struct mapping *mapping,
		  size_t path_length)
{
	struct process *process = find(processes, pid);
	struct mapping *own;

	if (!process)
		return;
	process->memory = ++processes->changes;
	own = &arena_append(&process->arena, process->mappings, process->count);
	*own = *mapping;
	own->path = arena_strndup(&process->arena, mapping->path, path_length);
}

void process_ends(struct processes *processes, int pid)
{
	struct process *process = find(processes, pid);

	if (process)
		process->ended = ++processes->lookups;
}

void processes_forget(struct processes *processes)
{
	for (unsigned i = 0; i < PROCESSES_MAX; i++)
		empty(processes, &processes->list[i], 0, 0);
}

static struct process *process_of(struct processes *processes, const struct event *event)
{
	int pid = event->process > 0 ? event->process : event->pid;
	struct process *process = find(processes, pid);

	if (process)
		process->used = ++processes->lookups;
	if (process && agrees(process, event))
		return process;
	if (process && !process->time)
		return guess(processes, pid, event); /* of what it ran before */
	process = make(processes, pid);
	read_maps(processes, process, pid, event);
	return process->count && agrees(process, event) ? process : guess(processes, pid, event);
}

uint64_t process_memory(struct processes *processes, const struct event *event)
{
	return process_of(processes, event)->memory;
}

struct mapping *process_mapping(struct processes *processes, const struct event *event,
				uint64_t address)
{
	struct process *process = process_of(processes, event);
	struct mapping *mapping = look(process, address);

	if (mapping || process == &processes->guess || !process->time ||
	    event->time - process->time < AGAIN_NS)
		return mapping;
	/* a library may have been loaded since */
	read_maps(processes, process, process->pid, event);
	return look(process, address);
}

bool mapping_address(struct processes *processes, struct mapping *mapping, uint64_t address,
		     uint64_t *ret)
{
	if (!mapping->image && mapping->path[0] == '/')
		mapping->image = image_open(&processes->images, mapping->path, mapping->inode,
					    processes->places, processes->is_quiet);
	return mapping->image && mapping->image->frames &&
	       frames_address(mapping->image->frames, address - mapping->start + mapping->offset,
			      ret);
}

void processes_free(struct processes *processes)
{
	for (unsigned i = 0; i < PROCESSES_MAX; i++)
		arena_deinit(&processes->list[i].arena);
	arena_deinit(&processes->guess.arena);
	mapped_close(processes);
	images_free(processes->images);
}
