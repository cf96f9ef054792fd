/* SPDX-License-Identifier: GPL-2.0-only */
/* What the verbs share: the command line as read, and the sources it names. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "resolve/resolve.h"

struct plan;
struct target;

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
	struct text_list events; /* -e */
	struct text_list filters; /* all must hold */
	struct text_list comms;   /* any */
	struct pid_list pids;
	const char *output;
	unsigned long count;
	unsigned long buffer_kb;
	unsigned long cpus;
	double seconds;
	double interval;    /* of tables */
	unsigned long top;
	unsigned long keys;
	const char *sort;
	bool dry_run;
	bool definition;
	bool json;
	bool verbose;
	bool quiet;
	bool externs;
	bool no_cache;
	bool all;
	bool help;
	bool version;
	const char *const *operands;
	unsigned noperands;
	char *const *command; /* after "--", NULL-terminated; or NULL */
	bool ignores_pipe;    /* SIGPIPE, when ktrace was started */
	int *status;          /* ktrace's where there is no error: 0, or the command's */
};

struct verb {
	const char *name;
	char letter; /* the flag that means the same, or 0 */
	const char *operands;
	const char *summary;
	unsigned bit; /* in option rows' verbs */
	struct error *(*run)(struct arena *arena, const struct options *options);
};

extern const struct verb verbs[];
extern const unsigned nverbs;

struct error *options_parse(struct arena *arena, int argc, char **argv,
			    struct options *ret) must_check;
void options_help(FILE *out, const struct verb *verb);

/* The targets and sources of one run: each opened once, when it is first needed. */
struct sources {
	struct arena *arena;
	const struct options *options;
	struct source *list;
	const char **names; /* of functions that the sources will be asked for */
	unsigned nnames;
};
void sources_init(struct sources *sources, struct arena *arena, const struct options *options);
void sources_deinit(struct sources *sources);
/* All is read that has to be: the bounds of memory for it end. */
void sources_unbound(const struct sources *sources);
/* Before the first sources_get(): a function, or NULL, that will be asked for. Debug information is searched
 * once for all of them, while it is being opened. */
void sources_expect(struct sources *sources, const char *function);
/* The resolver for a module, or (NULL) what the options name. `live`: the build-id must be that of
 * what runs here. */
struct error *sources_get(struct sources *sources, const char *module, bool live,
			  struct resolver **ret) must_check;

/* source_text.c: a file of the source, as the compiler was told its name, under DIR (-s) or, that NULL, where
 * it was. NULL: it isn't there, or must not be shown: *refused says why. */
const char *source_text(struct arena *arena, const struct target *target, const char *dir,
			const char *path, const char **refused);
/* package.c: the command that installs the debug information of a program, or of the running kernel; NULL:
 * none is known. */
const char *program_package(struct arena *arena, const char *path);
const char *kernel_package(struct arena *arena);

/* words.c: words: those of the command line from the verb on, NULL at the end. text: "-d", "--add=X". */
struct error *unknown_verb(struct arena *arena, char *const *words);
struct error *unknown_option(struct arena *arena, const char *text);

/* advice.c */
/* A command that works as it stands, with the options that name the target. operand: not quoted, or NULL. */
char *command_line(struct arena *arena, const struct options *options, const char *verb,
		   const char *operand);
/* `start` and the words, as a shell takes them. */
char *words_line(struct arena *arena, const char *start, char *const *words);
/* The error's hint as it is shown, or NULL. */
const char *advice(struct arena *arena, const struct options *options, const struct error *error);

struct error *cmd_probe(struct arena *arena, const struct options *options) must_check;
struct error *cmd_lines(struct arena *arena, const struct options *options) must_check;
struct error *cmd_vars(struct arena *arena, const struct options *options) must_check;
struct error *cmd_funcs(struct arena *arena, const struct options *options) must_check;
struct error *cmd_list(struct arena *arena, const struct options *options) must_check;
struct error *cmd_merge(struct arena *arena, const struct options *options) must_check;
struct error *cmd_clean(struct arena *arena, const struct options *options) must_check;

struct spec;
/* module.c: MODULE:FUNC of a module that this kernel can't have. */
struct error *check_module(struct arena *arena, const struct options *options,
			   const struct spec *spec) must_check;

#define TABLE_KEYS 100000u
#define TABLE_TOP  20u
struct table_options;
/* merge.c: what the options say, and how wide the output is, if it is the terminal. */
void table_settings(const struct options *options, bool is_terminal, struct table_options *ret);

struct plan_input;
struct tracepoint;
/* code.c: puts the functions that filters name into input->code. */
void find_code(struct arena *arena, const struct spec *spec, const struct tracepoint *tracepoints, unsigned count,
	       struct plan_input *input);
/* tracepoint.c: appends what each -e means. */
struct error *plan_events(struct arena *arena, const struct options *options,
			  const struct plan_input *input, struct plan *plan) must_check;

struct caps;
/* dry.c: what plans would do. All zero but for the options. */
struct dry_run {
	const struct options *options;
	struct strbuf text; /* what isn't in the file */
	FILE *file;         /* the text before it, or NULL */
	size_t written;     /* how much that is */
	bool is_full;       /* no more goes into it */
};
/* Empties the plan. */
void dry_run_print(struct dry_run *run, struct plan *plan);
/* All of it on standard output, unless there is an error; that, or one of its own. */
struct error *dry_run_end(struct dry_run *run, struct arena *arena,
			  struct error *error) must_check;
struct child;
/* live.c: does it. program: of -x, whose addresses get names; or NULL. */
struct error *run_live(struct arena *arena, const struct options *options,
		       const struct plan *plan, const struct target *program,
		       struct child *child) must_check;

#endif
