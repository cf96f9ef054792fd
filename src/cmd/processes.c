// SPDX-License-Identifier: GPL-2.0-only
/*
 * Knows where processes have files mapped: /proc/PID/maps, read at the first event of a process, and
 * kept when it has ended. An event tells where its own probe lies, so that maps of another program, or
 * of another process, aren't believed. Where they are gone already, the probed file alone is known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/stacks.h"

#define AGAIN_NS 10000000u /* how soon maps are read again for an address that isn't in them */
#define GUESS    ((uint64_t)1 << 40) /* larger than any file */

/* The path of the probed file; NULL: the event isn't a program's probe. */
static const char *probed_path(const struct event *event)
{
	return event->probe->kind == PROBE_TRACEPOINT ? NULL : event->probe->site->path;
}

/* Whether the event's own probe is where these maps have it. */
static bool agrees(const struct process *process, const struct event *event)
{
	const struct site *site = event->probe->site;
	const char *path = probed_path(event);

	/* a return probe tells the function's address, which is the site's too */
	if (!path || !event->ip)
		return true;
	for (unsigned i = 0; i < process->count; i++) {
		const struct mapping *mapping = &process->mappings[i];

		if (event->ip >= mapping->start && event->ip < mapping->end)
			return mapping->path[0] == '/' &&
			       event->ip - mapping->start + mapping->offset == site->offset;
	}
	return false;
}

/* "7f9b0386d000-7f9b039c3000 r-xp 00026000 fe:00 332835      /usr/lib/libc.so.6" */
static void read_line(struct process *process, const char *line)
{
	unsigned long long start, end, offset, inode;
	unsigned major, minor;
	char rights[5];
	int path = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, rights, &offset, &major, &minor,
		   &inode, &path) < 7 || !path || rights[2] != 'x')
		return;
	arena_append(&process->arena, process->mappings, process->count) = (struct mapping){
		.start = start,
		.end = end,
		.offset = offset,
		.inode = inode,
		.path = arena_strndup(&process->arena, line + path, strcspn(line + path, "\n")),
	};
}

static void read_maps(struct process *process, const struct event *event)
{
	char path[32], *line = NULL;
	size_t size = 0;
	FILE *file;

	process->mappings = NULL;
	process->count = 0;
	process->is_guess = false;
	process->time = event->time;
	arena_reset(&process->arena);
	snprintf(path, sizeof(path), "/proc/%d/maps", process->pid);
	file = fopen(path, "re");
	while (file && getline(&line, &size, file) > 0)
		read_line(process, line);
	free(line);
	if (file)
		fclose(file);
}

/* The probed file alone, from where its probe was hit. */
static void guess(struct process *process, const struct event *event)
{
	const char *path = probed_path(event);

	process->mappings = NULL;
	process->count = 0;
	process->is_guess = true;
	arena_reset(&process->arena);
	if (!path || !event->ip)
		return;
	arena_append(&process->arena, process->mappings, process->count) = (struct mapping){
		.start = event->ip - event->probe->site->offset,
		.end = event->ip - event->probe->site->offset + GUESS,
		.path = arena_strdup(&process->arena, path),
	};
}

static struct process *find(struct processes *processes, int pid)
{
	struct process *oldest = &processes->list[0];

	for (unsigned i = 0; i < PROCESSES_MAX; i++) {
		struct process *process = &processes->list[i];

		if (process->pid == pid)
			return process;
		if (process->used < oldest->used)
			oldest = process;
	}
	arena_reset(&oldest->arena);
	oldest->mappings = NULL;
	oldest->count = 0;
	oldest->time = 0;
	oldest->pid = 0;
	return oldest;
}

static struct mapping *look(const struct process *process, uint64_t address)
{
	for (unsigned i = 0; i < process->count; i++)
		if (address >= process->mappings[i].start && address < process->mappings[i].end)
			return &process->mappings[i];
	return NULL;
}

static struct process *process_of(struct processes *processes, const struct event *event)
{
	int pid = event->process > 0 ? event->process : event->pid;
	struct process *process = find(processes, pid);

	process->used = ++processes->lookups;
	if (process->pid == pid && agrees(process, event))
		return process;
	process->pid = pid;
	read_maps(process, event);
	if (!process->count || !agrees(process, event))
		guess(process, event);
	return process;
}

struct mapping *process_mapping(struct processes *processes, const struct event *event, uint64_t address)
{
	struct process *process = process_of(processes, event);
	struct mapping *mapping = look(process, address);

	if (mapping || process->is_guess || event->time - process->time < AGAIN_NS)
		return mapping;
	read_maps(process, event); /* a library may have been loaded since */
	if (!process->count || !agrees(process, event))
		guess(process, event);
	return look(process, address);
}

bool mapping_address(struct processes *processes, struct mapping *mapping, uint64_t address, uint64_t *ret)
{
	if (!mapping->image && mapping->path[0] == '/')
		mapping->image = image_open(&processes->images, mapping->path, mapping->inode);
	return mapping->image && mapping->image->frames &&
	       frames_address(mapping->image->frames, address - mapping->start + mapping->offset, ret);
}

void processes_free(struct processes *processes)
{
	for (unsigned i = 0; i < PROCESSES_MAX; i++)
		arena_deinit(&processes->list[i].arena);
	images_free(processes->images);
}
