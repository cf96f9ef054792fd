/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line, parsed, and the messages about it. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

struct text_list {
	const char **texts;
	unsigned count;
};

struct pid_list {
	pid_t *numbers;
	unsigned count;
};

struct options {
	const struct verb *verb;
	const char *vmlinux;
	const char *module;
	const char *program;
	const char *source_dir;
	const char *pack;
	struct text_list only; /* globs */
	const char *debuginfo; /* its only kind; or NULL */
	struct text_list events; /* -e */
	struct text_list filters; /* all must hold */
	unsigned turns; /* of -e and --filter: -e, --filter, -e, --filter are 4 */
	struct text_list comms;   /* any */
	struct pid_list pids;
	const char *output;
	unsigned long count;
	unsigned long buffer_kb;
	unsigned long cpus;
	double seconds;
	double interval;    /* between tables, s */
	unsigned long top;
	unsigned long keys;
	unsigned long depth; /* of a call graph; 0: the default */
	unsigned long open; /* starts of a pair that wait; 0: the default */
	const char *sort;
	const char *flame;  /* a file */
	bool inlined;
	const char *calls; /* which calls are shown; or NULL */
	bool folded;
	bool dry_run;
	bool definition;
	bool plan;
	const char *text; /* --text: a plan */
	bool force;
	bool json;
	bool verbose;
	bool quiet;
	bool externs;
	bool no_cache;
	bool all;
	const char *in_kernel; /* NULL: the kernel doesn't count; "", "program" or "trigger" */
	bool help;
	bool version;
	char *const *words; /* the whole command line */
	const char *const *operands;
	unsigned noperands;
	char *const *command; /* after "--", NULL-terminated; or NULL */
	bool ignores_pipe;    /* SIGPIPE, when ktrace was started */
	int *status;          /* ktrace's where there is no error: 0, or the command's */
	bool *has_begun;      /* the trace has: its output isn't empty */
};

struct verb {
	const char *name;
	char letter; /* the option that means the same, or 0 */
	const char *operands;
	const char *summary;
	unsigned bit; /* its bit in option rows' verbs */
	struct error *(*run)(struct arena *arena, const struct options *options);
};

extern const struct verb verbs[];
extern const unsigned nverbs;

struct error *options_parse(struct arena *arena, int argc, char **argv,
			    struct options *ret) must_check;
void options_help(FILE *out, const struct verb *verb);
/* Whether they ask for a trace. */
bool options_are_live(const struct options *options);

/* other_tools.c: the command line from the verb on, ended by NULL, as words; "-d" or "--add=X" as
 * text. */
struct error *unknown_verb(struct arena *arena, char *const *words);
/* names: the long options, without --. */
struct error *unknown_option(struct arena *arena, const char *text, const char *const *names,
			     unsigned count);

/* advice.c */
/* A command that works as it stands, with the options that name the target. operand: unquoted,
 * or NULL. */
char *command_line(struct arena *arena, const struct options *options, const char *verb,
		   const char *operand);
/* `start` and the words, quoted for a shell. */
char *words_line(struct arena *arena, const char *start, char *const *words);
/* The error's hint as it is shown, or NULL. */
const char *advice(struct arena *arena, const struct options *options, const struct error *error);

#endif
