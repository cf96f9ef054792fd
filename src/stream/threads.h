/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's records say of threads: their names, and whose they are. */
#ifndef STREAM_THREADS_H
#define STREAM_THREADS_H

#include "base/error.h"
#include "stream/stream.h"

/* comm.c: for records without a comm of their own. */
struct comm_cache *comm_cache_new(struct arena *arena);
void comm_cache_forget(struct comm_cache *cache);
const char *comm_of(struct comm_cache *cache, int pid);
/* A thread's process, known after comm_names_begin(). Returns -1 when unknown. */
int process_of(const struct comm_cache *cache, int pid);
/* From now on the kernel records every thread that gets a name. comm_of is then exact, if it is
 * given these records in order with the others and none was lost. */
struct error *comm_names_begin(struct comm_cache *cache, struct arena *arena,
			       const struct buffers *buffers) must_check;
void comm_names_take(struct comm_cache *cache, const uint8_t *data, uint32_t length);
void comm_names_lost(struct comm_cache *cache);
void comm_cache_free(struct comm_cache *cache);

/* members.c: tells the threads of some processes, by the records of newtask. */
enum membership {
	MEMBER_NOT,
	MEMBER,
	MEMBER_UNKNOWN, /* after a loss: the thread is gone */
};
struct members;
struct error *members_new(struct arena *arena, const struct live_event *newtask, const pid_t *pids,
			  unsigned npids, struct members **ret) must_check;
void members_take(struct members *members, const uint8_t *data, uint32_t length);
void members_lost(struct members *members);
enum membership members_have(struct members *members, int tid);
void members_free(struct members *members);

#endif
