/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a live run besides its session and stream. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "base/strbuf.h"
#include "cmd/options.h"
#include "ktrace/event.h"
#include "session/session.h"
#include "sink/sink.h"
#include "stream/stream.h"

/* symbolize.c: names addresses in the current event. */
struct symbolizer {
	struct arena *arena;
	const struct target *program; /* or NULL */
	const struct event *event;    /* the one being printed */
	struct kernel_code *kernel;
	struct processes *processes;  /* whose stacks are named */
	struct arena frame_arena;     /* the frames of the stack that was named last */
	struct stack_frame *frames;
	unsigned nframes;
	bool keeps_symbols; /* doesn't turn them into names of functions */
	uint64_t named;     /* what `symbol` is of, in the program; 0: nothing */
	struct arena name_arena;
	char symbol[256];
};
/* cookie: the symbolizer. Valid until the next call. Returns NULL when the address has no name. */
const char *symbolize(void *cookie, uint64_t address);

/* stack_frames.c: the same for the frames of a stack. */
const struct stack_frame *stack_names(void *cookie, const struct value *value,
				      const struct datum *datum, unsigned *count);

/* The same for struct sink_context. */
uint64_t stack_memory(void *cookie, const struct event *event);

/* live.c: whether standard output is a terminal on which the cursor can be moved. */
bool is_smart_terminal(void);
/* Whether it is one that shows colours. */
bool is_colored(void);
/* Whether the terminal's text is UTF-8, as setlocale(3) decides it. */
bool is_utf8_locale(void);
unsigned terminal_columns(void); /* of the standard output; 0: it is no terminal */

/* table_view.c: shows tables while they grow. All zero where each event is shown. Times are
 * CLOCK_MONOTONIC, ns. */
struct table_view {
	struct tables *tables; /* NULL: each event is shown */
	struct table_options options;
	uint64_t interval; /* 0: shown at the end only */
	uint64_t begun;
	uint64_t shown;  /* time of the last showing; 0: none */
	uint64_t next;   /* time of the next; 0: none */
	unsigned height; /* of the tables on the terminal that the next ones replace, in lines */
	unsigned columns, lines; /* of the terminal, when they were shown */
	enum table_form form;
	bool is_terminal;
	bool is_redrawn; /* on it, in place */
};
/* How the options want tables to be written. */
enum table_form table_form(const struct options *options);
/* Sets *ret from the options. is_terminal: use the width of standard output. */
void table_settings(const struct options *options, bool is_terminal, struct table_options *ret);
/* Refuses options of tables where there are none; for a dry run as well. */
struct error *table_options_check(struct arena *arena, const struct options *options,
				  bool has_tables) must_check;
/* The same for those of pairs. */
struct error *pair_options_check(struct arena *arena, const struct options *options,
				 unsigned npairs) must_check;
struct error *table_view_open(struct table_view *view, struct arena *arena,
			      const struct options *options, const struct plan *plan,
			      const struct sink_context *context) must_check;
void table_view_begin(struct table_view *view, uint64_t time);
bool table_view_is_due(const struct table_view *view, uint64_t time);
/* Appends the tables; adds the times to *end. */
void table_view_show(struct table_view *view, struct strbuf *out, struct table_end *end,
		     uint64_t time);

/* follow.c */
struct follow *follow_open(struct arena *arena, const struct options *options,
			   const struct plan *plan, struct session *session,
			   const struct sink_context *context);

/* watch.c */
struct watched {
	const char *path;
	int number; /* inotify(7)'s; -1: it can't watch the file */
	int opening; /* inotify's number for its first opening; -1: it was opened, or isn't known */
	dev_t device;
	ino_t inode;
	bool is_overlay; /* on overlayfs, where a copy in the upper layer has the same number */
	struct timespec changed; /* its status, last */
};
struct watch {
	int fd; /* readable when a watched file was written to; -1: no watch */
	int opened; /* readable when one was opened; -1: no watch */
	struct watched *files; /* each probed file once */
	unsigned count;
};
void watch_open(struct watch *watch, struct arena *arena, const struct plan *plan);
/* The file that was written to. Returns NULL when there was none. */
const char *watch_read(const struct watch *watch);
/* Watches for openings from now on; the other reads what there was. */
void watch_openings(struct watch *watch);
void watch_read_openings(struct watch *watch);
void watch_close(struct watch *watch);

/* traced_ends.c: when the processes of -p end. */
struct pid_list;
struct traced {
	int fd;     /* readable when one has ended; -1: they aren't watched */
	int *fds;   /* by process; -1: it has ended, or can't be watched */
	unsigned count;
	unsigned left; /* not known to have ended */
};
void traced_open(struct traced *traced, struct arena *arena, const struct pid_list *pids);
/* Whether all have. */
bool traced_have_ended(struct traced *traced);
void traced_close(struct traced *traced);
/* command: what the trace waits for all the same, or NULL. */
void say_traced_ended(struct strbuf *out, const struct pid_list *pids, const char *command);

/* replaced.c: names the processes that run a file which has been replaced since: they don't hit its
 * probes. */
void say_replaced(struct strbuf *out, const struct watch *watch, const struct pid_list *pids);
void say_all_replaced(struct strbuf *out, const struct watch *watch);
/* not_mapped.c: a process that has no code of the file at all. */
void say_not_mapped(struct strbuf *out, const struct watched *file, const char *pid);
/* never_opened.c: files that the command can't have run, since no process has opened them. */
void say_never_opened(struct strbuf *out, struct watch *watch, const char *command);
/* Which files were replaced since the watch was opened. */
void say_just_replaced(struct strbuf *out, const struct watch *watch);

/* missed.c: hits that the kernel counted and no record shows. */
struct missed {
	bool is_unknown;
	uint64_t hits;
	uint64_t calls; /* calls that a return probe missed */
	/* of these: the probe was busy; a graph has counted the entry of each among `hits` */
	uint64_t busy;
	uint64_t unsure; /* hits that may have been missed besides: see session/bpf_programs.c */
	bool has_vague; /* of some of these calls the reason isn't known */
	const uint64_t *hits_of; /* by plan->probes[i]: what is in `hits` of it */
	uint64_t entries; /* misses of companions at a function's entry */
	uint64_t unrecorded; /* hits without a record, where known */
	const uint64_t *unrecorded_of; /* by plan->probes[i]; NULL: only the sum is known */
	uint64_t dropped; /* hits that the kernel had no room to count */
};
/* Returns an error when the counts can't be read; *ret is then all unknown. */
struct error *count_missed(struct arena *arena, const struct plan *plan, struct session *session,
			   const struct stream_counts *counts, struct missed *ret) must_check;
/* All that the kernel missed of what would have been shown. */
uint64_t missed_sum(const struct missed *missed);
void missed_say(struct strbuf *out, const struct options *options, const struct plan *plan,
		const struct missed *missed);
/* messages.c: prints messages on standard error. */
/* Says that the command keeps running after SIGTERM. */
struct child;
void say_goes_on(const struct child *child);
/* Says that processes which the command started outlive it. */
void say_left_running(struct strbuf *out, const char *command, const pid_t *pids, unsigned count);
void say_leftovers(struct strbuf *out, struct arena *arena, const struct options *options);
void say_ready(struct strbuf *out, const struct options *options, const struct plan *plan,
	       struct session *session);
void say_summary(struct strbuf *out, const struct options *options, const struct plan *plan,
		 uint64_t events, const struct stream_counts *counts, const struct missed *missed);

#endif
