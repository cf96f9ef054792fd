/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of session/ share. */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include <stdint.h>

#include "session/session.h"
#include "session/tracefs.h"

/* A file that definitions are written to. */
struct event_file {
	const char *name;    /* "kprobe_events" */
	const char *profile; /* "kprobe_profile" */
	const char *subsystem; /* what error_log calls it */
};
extern const struct event_file event_files[2]; /* kprobes, uprobes */
extern const struct event_file dynamic_file;   /* event probes and synthetic events: no profile */

struct column {
	unsigned start;
	unsigned length;
};

/* A probe as this session writes it: in another group, with __comm. */
struct definition {
	const struct event_file *file; /* NULL: a tracepoint, nothing is written */
	const char *group;
	const char *event;      /* the plan's, its group filled in */
	const char *text;       /* the definition as written */
	const char **actions;   /* of plan->probes[i].actions: lines for its trigger file */
	const char *filter;     /* what the kernel tests, --comm included; or NULL */
	struct column head;
	struct column *fetches; /* of plan->probes[i].fetches */
	struct live_event live;
	/* why it isn't defined: the kernel refused its place, or that of the shown probe it
	 * serves; else NULL */
	struct error *skipped;
	bool is_settled; /* see session_is_settled() */
	/* the definition that plan->probes[i].host has, whose event is this probe's, too: nothing is
	 * written for this one; or NULL */
	struct definition *host;
	/* joint.c: the probe whose event this one's hits are, too, or that others use (then it is
	 * this one); else NULL. fields: see struct live_event. */
	struct definition *joint;
	bool is_made; /* of a joint: the kernel has the event, by one of its probes */
	bool is_filtered; /* of a joint */
	struct live_event shared; /* of a joint */
	const char **fields;
};

/* How to undo a step: write a text to a file, or remove an instance's directory. It is made
 * together with the step, since memory may have run out by the time it is needed. */
struct undo {
	const char *path; /* whole */
	const char *text; /* NULL: remove the directory */
	bool may_be_gone; /* another program may have undone it */
};

struct session {
	struct arena *arena;
	const struct plan *plan;
	const struct session_options *options;
	int lock;          /* held while this session lives */
	pid_t own;         /* this thread, as the kernel numbers it */
	const char *group; /* the instance has the same name */
	struct tracefs_instance *instance;
	struct tracefs_instance *names; /* the instance of comms.c, or NULL */
	struct definition *definitions;
	struct program **programs; /* of plan->probes[i], or NULL: see bpf_programs.c */
	const struct probe_hits *early; /* hits before recording began, or NULL */
	bool knows_settling; /* is_settleable is known */
	bool is_settleable;
	struct undo *undo;
	unsigned nundo;
	struct last_resort *last_resort;
};

/* undo.c. Push the undo before the step, since a signal may end the process right behind it; drop
 * it if the step fails. session_open makes room for all. */
struct undo undo_new(struct session *session, struct tracefs_instance *instance, const char *file,
		     const char *text);
void undo_push(struct session *session, struct undo undo);
void undo_drop(struct session *session);
/* Until last_resort_close(), the session is undone even where the process ends by exit(3). */
struct error *last_resort_open(struct session *session) must_check;
void last_resort_close(struct session *session);
/* Runs all, last first, and goes on past failures. Returns the first error, or NULL. */
struct error *undo_all(struct session *session) must_check;
/* The same, but the first `keep` steps stay done. */
struct error *undo_to(struct session *session, unsigned keep) must_check;

/* The path of a file of one event, below an instance: "events/GROUP/EVENT/FILE". */
const char *event_file(struct session *session, unsigned probe, const char *file);

/* enable.c: tracing_on of the instance, "0" or "1". */
struct error *set_recording(struct session *session, const char *on) must_check;
/* enable.c: enables one probe. An error points at its spec. */
struct error *enable_one(struct session *session, unsigned probe) must_check;

/* definition.c: makes the definitions, with the columns of their arguments. */
void definitions_init(struct session *session);
/* The event for libtracefs; sets the definition's text to what libtracefs writes. The caller
 * frees it. Returns NULL for a synthetic event, or when out of memory. */
struct tracefs_dynevent;
struct tracefs_dynevent *definition_event(struct session *session, unsigned probe);
/* joint.c: lets probes of a program share events. */
void joints_make(struct session *session);
/* define.c */
struct error *define_all(struct session *session) must_check;
/* buffers.c. event: "SYSTEM/EVENT" */
struct error *live_event_read(struct arena *arena, struct tracefs_instance *instance,
			      const char *event, struct live_event *ret) must_check;
/* setup.c: instance_open makes the instance; instance_setup does the rest but enabling. */
struct error *instance_open(struct session *session) must_check;
struct error *instance_setup(struct session *session) must_check;
/* Whether a probe's value is such a stack. */
bool session_has_stack(const struct session *session, enum stack_kind kind);
/* who.c: keeps this process out of the instance; only the processes that the options name are
 * traced. */
struct error *who_set(struct session *session) must_check;
/* What keeps this process's own hits out of the probe's event; NULL: who_set() does that. */
const char *who_own_clause(const struct session *session, unsigned probe);
/* Called once the process to follow is forked: from then on the kernel adds the children of
 * traced threads, and keeps out those of this process. */
struct error *who_follow_forks(struct session *session) must_check;
/* hist_triggers.c: histograms that the kernel keeps, of probes with `counting`: made paused,
 * started, and all of them paused again. */
struct error *counted_make(struct session *session, unsigned probe) must_check;
struct error *counted_start(struct session *session, unsigned probe) must_check;
struct error *counted_stop(struct session *session) must_check;
/* bpf_programs.c: BPF programs that keep a table, of probes with `counting` by program: made
 * switched off, all started, all stopped, closed. */
struct error *program_make(struct session *session, unsigned probe) must_check;
struct error *programs_start(struct session *session) must_check;
struct error *programs_stop(struct session *session) must_check;
void programs_close(struct session *session);
struct error *program_read(struct session *session, struct arena *arena, unsigned probe,
			   struct counted *ret) must_check;
/* After programs_stop(): sets what the program skipped. */
void program_skipped(const struct session *session, unsigned probe, struct probe_hits *ret);
/* Reads the text of an event's `hist` file. */
struct error *counted_read(struct arena *arena, const char *text, const struct counting *counting,
			   struct counted *ret) must_check;
/* comms.c: a separate instance that records what threads are called. */
#define COMMS_SUFFIX "_names"
struct error *comms_open(struct session *session) must_check;
/* Makes an instance and pushes its undo. */
struct error *instance_make(struct session *session, const char *name,
			    struct tracefs_instance **ret) must_check;

/* refusal.c */
struct refusal {
	const char *message; /* NULL: the kernel wrote nothing about it */
	int column;          /* in command; -1: unknown */
};
/* The newest entry about command in `log` that is not in `before`. */
void refusal_find(struct arena *arena, const char *log, const char *before, const char *command,
		  struct refusal *ret);
/* *is_place: the kernel refuses the place itself, not an argument. */
struct error *refusal_definition(struct session *session, unsigned probe, int err,
				 const char *before, bool *is_place) must_check;
struct error *refusal_filter(struct session *session, unsigned probe, int err, const char *filter,
			     unsigned prefix) must_check;

/* Whether records of its event are read: a companion's are where stream/ joins them. */
static inline bool is_recorded(enum role role)
{
	return !role_is_companion(role) || role == ROLE_MEMORY || role == ROLE_ENTRY;
}

/* profile.c: the probes of one file, in the file's order. */
struct profile {
	char kind;
	const char *group;
	const char *event;
	const char *definition;
	unsigned place; /* its PLACE_FIELD; 0: none */
	uint64_t hits;
	uint64_t misses;
};
struct error *profile_read(struct arena *arena, const struct event_file *file, struct profile **ret,
			   unsigned *count) must_check;

/* owner.c: parses "ktrace_PID", "ktrace_PID_NUMBER" and both with "_names". Returns false when
 * it isn't a ktrace's name. */
#define GROUP_PREFIX "ktrace_"
bool owner_parse(const char *group, struct owner *ret);
const char *owner_group(struct arena *arena, const struct owner *owner);
bool owner_alive(const struct owner *owner);
/* Whether the process with that pid in our own /proc holds the lock. */
bool owner_is_here(struct arena *arena, const struct owner *owner);
/* Takes the owner's lock, held until *fd is closed. *fd is -1 when another process holds it. */
struct error *owner_hold(struct arena *arena, const struct owner *owner, int *fd) must_check;
/* Takes the lock of the first free owner with this process's pid. */
struct error *owner_claim(struct arena *arena, struct owner *ret, int *fd) must_check;

/* leftovers.c: removes everything of a group. The caller holds its lock. */
struct error *group_remove(struct arena *arena, const char *group) must_check;

#endif
