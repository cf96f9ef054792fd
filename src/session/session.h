/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of session/, the only layer that changes the kernel. A session writes a plan's
 * definitions into its own group, enables them in its own instance, and undoes all of it, in
 * reverse, on every way out.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ktrace/buffers.h"
#include "ktrace/caps.h"
#include "ktrace/plan.h"
#include "ktrace/tracepoint.h"

/* Reads what this kernel's README says. Returns an error with a hint when tracefs isn't mounted
 * (this mounts nothing) or isn't built in, the user isn't root, or the kernel is locked down. */
struct error *caps_read(struct arena *arena, struct caps *ret) must_check;
/* Why this kernel can't count by BPF programs, or NULL. */
const char *programs_obstacle(struct arena *arena);
/* How many CPUs the running kernel can have. Returns 0 when unknown. */
unsigned possible_cpus(void);
/* Functions that the running kernel refuses to probe, and those that ftrace can trace: arrays
 * that end with NULL. Empty where the kernel doesn't tell. */
const char *const *blacklisted_functions(struct arena *arena);
const char *const *traceable_functions(struct arena *arena);

/* The systems (system: NULL) or one system's events that can be enabled, sorted, without those
 * of any ktrace. */
struct error *tracepoint_names(struct arena *arena, const char *system, const char ***ret,
			       unsigned *count) must_check;
/* Sets tracepoint->format, by its system and event; NULL when the event is gone. */
struct error *tracepoint_format(struct arena *arena, struct tracepoint *tracepoint) must_check;

struct session; /* opaque */

struct session_options {
	size_t buffer_kb;  /* per CPU */
	const pid_t *pids; /* only these processes without their children; pids as in our /proc */
	unsigned npids;    /* 0: all */
	const char *const *comms; /* only threads with one of these names */
	unsigned ncomms;   /* 0: all */
	bool follows;      /* only the process of session_follow() */
	bool wants_processes; /* record which process each thread belongs to */
};

/* Defines all probes (all or nothing, but for session_skipped), creates the instance, sets
 * buffer size, pid filter and event filters, and keeps this process out, but not the interrupts
 * that come while it runs. Enables nothing yet. On error everything is undone already. Until
 * session_close(), exit(3) undoes it too. Kernel refusals are ERROR_REFUSED, in error_log's words,
 * the caret moved to the
 * user's text by probe->fetches[].want_span or the spec's place span. */
struct error *session_open(struct arena *arena, const struct plan *plan,
			   const struct session_options *options,
			   struct session **ret) must_check;
/* Called by the process to follow: tells session_follow() the caller's pid as the kernel numbers
 * it, in any pid namespace. */
void session_mark(const struct session *session);
/* If options->follows: chooses the process that called session_mark() (before session_enable()),
 * and what it starts. That takes the kernel some milliseconds; nothing is recorded before
 * session_record(), which takes none. */
struct error *session_follow(struct session *session) must_check;
struct error *session_record(struct session *session) must_check;
/* Which processes of these are there still, as in our /proc; returns their number. */
unsigned session_followed(struct session *session, pid_t **ret);
/* Enables the events: they are recorded from now on, with options->follows only after
 * session_record(). */
struct error *session_enable(struct session *session) must_check;
/* tracing_on = 0 in the instance: nothing more is recorded. */
struct error *session_stop(struct session *session) must_check;
/* After session_stop(): disables the probes, so that the traced code no longer hits them. The
 * buffer stays. */
struct error *session_quiet(struct session *session) must_check;
/* Undoes everything and goes on past failures. Returns the first error, or NULL. Frees nothing
 * else. */
struct error *session_close(struct session *session) must_check;

/* switches.c: an error if somebody has switched off kprobes that the plan has: then hits are in no
 * count. session_open() asks, too. */
struct error *session_check_switches(const struct session *session) must_check;

/* Before session_settle(): an error if another program has switched off the session's recording or
 * one of its events. */
struct error *session_check_on(struct session *session) must_check;

/* Why plan->probes[i] isn't defined: the kernel refused one of several places of its spec.
 * Returns NULL when it is defined. */
const struct error *session_skipped(const struct session *session, unsigned probe);

/* What stream/ needs to read the trace. Owned by the session's arena. */
struct error *session_buffers(struct session *session, const struct buffers **ret) must_check;

/* Call before session_stop(). Where the total of hits can be known (see unrecorded.c), disables one
 * more probe, after which its every hit is recorded. Returns false when none is left, or it
 * can't be known. */
bool session_settle(struct session *session);
/* Hits and misses of all plan->probes[i], from kprobe_profile and uprobe_profile; 0 for a
 * tracepoint. */
struct probe_hits {
	uint64_t hits;
	uint64_t misses;
	/* after session_stop(): hits for which the program that counts was not run */
	uint64_t skipped;
	uint64_t unsure;  /* so many more may have been skipped */
};
struct error *session_hits(struct session *session, struct probe_hits **ret) must_check;
/* After session_settle() returned false: whether every hit of the probe must have a record. */
bool session_is_settled(const struct session *session, unsigned probe);

/* What the kernel has counted of a probe with `counting`, in the arena. */
struct error *session_counted(struct session *session, struct arena *arena, unsigned probe,
			      struct counted *ret) must_check;

/* The process that a group and its instances belong to. */
struct owner {
	pid_t pid;       /* in the owner's pid namespace; 0: not a ktrace's */
	unsigned number; /* above 1 where live owners in other pid namespaces have this pid */
};

/* Groups and instances whose owner is gone. */
struct leftover {
	struct owner owner;
	bool has_instance;
	unsigned nevents;
};
struct error *leftovers_find(struct arena *arena, struct leftover **ret,
			     unsigned *count) must_check;
/* *is_alive: a new ktrace took the name meanwhile, nothing was removed. */
struct error *leftovers_remove(struct arena *arena, const struct leftover *leftover,
			       bool *is_alive) must_check;

/* Every probe event of the system, other programs' included, for `ktrace list`. */
struct live_probe {
	const char *group;
	const char *event;
	const char *definition; /* the line of kprobe_events / uprobe_events */
	struct owner owner;
	bool owner_alive;
	bool owner_is_here;     /* alive, and in our pid namespace */
	bool enabled;           /* in the top instance or any other */
	uint64_t hits;
	uint64_t misses;
};
struct error *live_probes(struct arena *arena, struct live_probe **ret, unsigned *count) must_check;

#endif
