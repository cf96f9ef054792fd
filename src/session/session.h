/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door of session/: the only layer that changes the kernel. A session writes a plan's
 * definitions into a group of its own, enables them in an instance of its own, and undoes all of
 * it, in reverse, on every way out.
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

/* What this kernel's README says. Errors: ERROR_SYSTEM/ERROR_REFUSED with a hint: not root,
 * tracefs not mounted (mounts nothing), no kprobes configured, lockdown. */
struct error *caps_read(struct arena *arena, struct caps *ret) must_check;
/* How many CPUs the running kernel can have; 0: not to be known. */
unsigned possible_cpus(void);
/* Functions that the running kernel refuses to probe, and those that ftrace knows: names, and NULL behind the
 * last. Where it doesn't say, there are none. */
const char *const *blacklisted_functions(struct arena *arena);
const char *const *traceable_functions(struct arena *arena);

/* The systems (system: NULL) or a system's events that can be enabled, sorted; not another ktrace's. */
struct error *tracepoint_names(struct arena *arena, const char *system, const char ***ret,
			       unsigned *count) must_check;
/* Its format, from its system and event. */
struct error *tracepoint_format(struct arena *arena, struct tracepoint *tracepoint) must_check;

struct session; /* opaque */

struct session_options {
	size_t buffer_kb;  /* per CPU */
	const pid_t *pids; /* only these processes, none of their children; of /proc here */
	unsigned npids;    /* 0: all */
	const char *const *comms; /* only threads of one of these names */
	unsigned ncomms;   /* 0: all */
	bool follows;      /* nothing but session_follow()'s */
	bool wants_processes; /* threads' processes must be known */
};

/* Defines all probes (all or nothing, but for session_skipped), creates the instance, sets buffer, pid filter, event
 * filters, keeps this process out (set_event_notrace_pid). Nothing is enabled yet. On error
 * everything is undone already. Until session_close(), exit(3) undoes it too. Kernel refusals: ERROR_REFUSED, in error_log's words, the caret
 * moved to the user's text by probe->fetches[].want_span or the spec's place span. */
struct error *session_open(struct arena *arena, const struct plan *plan,
			   const struct session_options *options,
			   struct session **ret) must_check;
/* Tells the kernel's own number of the calling process, in any pid namespace, to session_follow(). */
void session_mark(const struct session *session);
/* Where options->follows: the process that called session_mark(), before session_enable(), is traced from now on, and what it starts. */
struct error *session_follow(struct session *session) must_check;
/* The last step before events flow, but those of whom is to be followed. */
struct error *session_enable(struct session *session) must_check;
/* tracing_on = 0 in the instance: what is in the buffer is all there is. */
struct error *session_stop(struct session *session) must_check;
/* Disables the probes of a stopped one: nobody meets them any more, and its buffer stays. */
struct error *session_quiet(struct session *session) must_check;
/* Undoes everything, goes on past failures, returns the first. Frees nothing else. */
struct error *session_close(struct session *session) must_check;

/* Why plan->probes[i] isn't there, or NULL: one of several places of its spec that the kernel does not
 * let be probed. */
const struct error *session_skipped(const struct session *session, unsigned probe);

/* For stream/. Valid as long as the arena. */
struct error *session_buffers(struct session *session, const struct buffers **ret) must_check;

/* Before session_stop: where the sum of hits can be known, disables one more of the probes, after which it has
 * no hit that isn't recorded. false: there is none left, or it can't be known (see account.c). */
bool session_settle(struct session *session);
/* Hits and misses of all plan->probes[i], from kprobe_profile and uprobe_profile; 0 of a tracepoint. */
struct probe_hits {
	uint64_t hits;
	uint64_t misses;
};
struct error *session_hits(struct session *session, struct probe_hits **ret) must_check;
/* Whether each hit of a probe must have had a record, after session_settle has returned false. */
bool session_is_settled(const struct session *session, unsigned probe);

/* Who a group and its instances belong to. */
struct owner {
	pid_t pid;       /* in the owner's pid namespace; 0: no ktrace's */
	unsigned number; /* 1, or more where another that lives has the pid in its own namespace */
};

/* Groups and instances whose owner is gone. */
struct leftover {
	struct owner owner;
	bool has_instance;
	unsigned nevents;
};
struct error *leftovers_find(struct arena *arena, struct leftover **ret,
			     unsigned *count) must_check;
/* *is_alive: a new one has the name meanwhile, so there is nothing to remove. */
struct error *leftovers_remove(struct arena *arena, const struct leftover *leftover,
			       bool *is_alive) must_check;

/* Every probe event there is, everybody's, for `ktrace list`. */
struct live_probe {
	const char *group;
	const char *event;
	const char *definition; /* the line of kprobe_events / uprobe_events */
	struct owner owner;
	bool owner_alive;
	bool owner_is_here;     /* alive, and of our pid namespace */
	bool enabled;           /* in the top instance or any other */
	uint64_t hits;
	uint64_t misses;
};
struct error *live_probes(struct arena *arena, struct live_probe **ret, unsigned *count) must_check;

#endif
