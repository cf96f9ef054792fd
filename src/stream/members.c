// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether a thread belongs to one of the traced processes. The kernel also traces whatever a
 * traced thread starts, threads and processes alike; a record of task:task_newtask, which comes
 * before the new thread's own first record, says which of the two it is.
 */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream/internal.h"
#include "stream/threads.h"

#define MEMBERS_MIN 256u
#define MEMBERS_MAX (1u << 18) /* threads, most of them dead; then the table is emptied */

struct known {
	int tid; /* 0: free */
	bool is_member;
};

struct members {
	const pid_t *pids;
	unsigned npids;
	int id; /* of task_newtask */
	struct field pid;
	struct field flags;
	struct known *list; /* open addressing */
	unsigned count;
	unsigned room; /* a power of two */
};

/* The thread's entry, or the free one where it would be. */
static struct known *find(const struct members *members, int tid)
{
	unsigned at = (unsigned)tid * 0x9e3779b1u >> 8;

	while (members->list[at & (members->room - 1)].tid &&
	       members->list[at & (members->room - 1)].tid != tid)
		at++;
	return &members->list[at & (members->room - 1)];
}

static void forget(struct members *members)
{
	if (members->list)
		memset(members->list, 0, members->room * sizeof(*members->list));
	members->count = 0;
}

/* Makes room for one more. Returns false when out of memory; then /proc is asked each time. */
static bool grow(struct members *members)
{
	struct known *old = members->list;
	unsigned room = members->room;

	if (room >= MEMBERS_MAX && members->count >= room / 2)
		forget(members);
	if (members->count < room / 2)
		return true;
	members->list = calloc(room ? room * 2 : MEMBERS_MIN, sizeof(*old));
	members->room = members->list ? room ? room * 2 : MEMBERS_MIN : 0;
	members->count = members->list ? members->count : 0;
	for (unsigned i = 0; members->list && i < room; i++)
		if (old[i].tid)
			*find(members, old[i].tid) = old[i];
	free(old);
	return members->list;
}

static void set(struct members *members, int tid, bool is_member)
{
	struct known *member;

	if (tid <= 0 || !grow(members))
		return;
	member = find(members, tid);
	members->count += !member->tid;
	*member = (struct known){tid, is_member};
}

/* Adds the threads that exist now. */
static void list_threads(struct members *members)
{
	for (unsigned i = 0; i < members->npids; i++) {
		char path[64];
		struct dirent *entry;
		DIR *directory;

		snprintf(path, sizeof(path), "/proc/%d/task", (int)members->pids[i]);
		directory = opendir(path);
		while (directory && (entry = readdir(directory)))
			if (entry->d_name[0] != '.')
				set(members, atoi(entry->d_name), true);
		if (directory)
			closedir(directory);
	}
}

void members_lost(struct members *members)
{
	forget(members);
	list_threads(members);
}

static enum membership ask(struct members *members, int tid)
{
	char path[64];

	for (unsigned i = 0; i < members->npids; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)members->pids[i], tid);
		if (!access(path, F_OK))
			return MEMBER;
	}
	snprintf(path, sizeof(path), "/proc/%d", tid);
	return access(path, F_OK) ? MEMBER_UNKNOWN : MEMBER_NOT;
}

enum membership members_have(struct members *members, int tid)
{
	const struct known *member = members->list ? find(members, tid) : NULL;
	enum membership answer;

	if (member && member->tid)
		return member->is_member ? MEMBER : MEMBER_NOT;
	answer = ask(members, tid);
	if (answer != MEMBER_UNKNOWN)
		set(members, tid, answer == MEMBER);
	return answer;
}

/* Keeps nothing about processes that weren't asked for: the kernel doesn't trace them. */
void members_take(struct members *members, const uint8_t *data, uint32_t length)
{
	const struct record record = {.data = data, .length = length};
	uint64_t pid, flags;
	const struct known *parent;
	uint16_t type;

	if (length < sizeof(type))
		return;
	memcpy(&type, data, sizeof(type));
	if (type != members->id || !record_int(&record, &members->pid, &pid) ||
	    !record_int(&record, &members->flags, &flags) || !members->list)
		return;
	parent = find(members, record_pid(data));
	if (parent->tid || find(members, (int)pid)->tid)
		set(members, (int)pid, parent->is_member && flags & CLONE_THREAD);
}

struct error *members_new(struct arena *arena, const struct live_event *newtask, const pid_t *pids,
			  unsigned npids, struct members **ret)
{
	struct members *members = arena_new(arena, struct members);
	struct format format;
	struct error *error = format_read(arena, newtask->format, &format);

	if (error)
		return error;
	*ret = members;
	members->id = newtask->id;
	members->pids = pids;
	members->npids = npids;
	format_field(&format, "pid", &members->pid);
	format_field(&format, "clone_flags", &members->flags);
	list_threads(members);
	if (members->pid.kind != FIELD_INT || members->flags.kind != FIELD_INT)
		return error_new(arena, ERROR_SYSTEM,
				 "cannot make sense of the format of task:task_newtask");
	return NULL;
}

void members_free(struct members *members)
{
	if (members)
		free(members->list);
}
