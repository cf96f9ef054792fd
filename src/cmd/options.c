// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses argv into struct options, by one table of rows that also makes the help. To add an option:
 * a row here, a field in struct options, a line in man/ktrace.1.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/options.h"
#include "cmd/sources.h"

/* What an option takes. Giving it again adds to a list, does nothing for a flag, and is misuse
 * otherwise, since only one could count. */
enum kind {
	KIND_FLAG,
	KIND_TEXT,
	KIND_LIST,    /* of texts */
	KIND_PIDS,    /* lists of numbers with commas between */
	KIND_NUMBER,
	KIND_SIZE,    /* bytes with K, M, G; kept in KiB */
	KIND_SECONDS, /* with a fraction and s, m, h */
	KIND_VERB,
};

#define PROBE 1u
#define LINES 2u
#define VARS  4u
#define FUNCS 8u
#define LIST  16u
#define CLEAN 32u
#define MERGE 64u
#define PLAN  128u /* makes plans, as PROBE does */
#define RUN   256u /* streams, as PROBE does */
#define GRAPH 1024u
#define FOLLOW 2048u
#define PACK  4096u
#define ALL   63u
#define MAKES (PROBE | PLAN)
#define SHOWS (PROBE | RUN)
#define CALLS (GRAPH | FOLLOW)
#define LIVE  (SHOWS | CALLS) /* traces */
#define READS (MAKES | CALLS | LINES | VARS | FUNCS) /* debug information */

const struct verb verbs[] = {
	{"probe", 0, "SPEC... [-e EVENT...] [-- COMMAND [ARG...]]", "trace places and values, live",
	 PROBE, cmd_probe},
	{"plan", 0, "SPEC... [-e EVENT...]",
	 "write a plan, which needs no debug information to run", PLAN, cmd_plan},
	{"run", 0, "PLAN... [-- COMMAND [ARG...]]",
	 "trace by the plan that was made for this build", RUN, cmd_run},
	{"follow", 0, "FUNC[:RANGE] [VAR...] [-- COMMAND [ARG...]]",
	 "show calls line by line, with what each changes", FOLLOW, cmd_follow},
	{"graph", 0, "'FUNC [ARG...]'... [-- COMMAND [ARG...]]",
	 "what a function calls, as a tree with durations", GRAPH, cmd_graph},
	{"lines", 'L', "FUNC[@FILE][:RANGE] | FILE[:RANGE]", "the lines that can be probed", LINES,
	 cmd_lines},
	{"vars", 'V', "PLACE...", "the variables in scope at a place, and where they live", VARS,
	 cmd_vars},
	{"funcs", 'F', "[GLOB]", "the functions that can be probed", FUNCS, cmd_funcs},
	{"list", 'l', "", "list the live probes of all users and tools", LIST, cmd_list},
	{"merge", 0, "FILE...", "combine the JSON of several hosts: events by time, tables by sum",
	 MERGE, cmd_merge},
	{"pack", 0, "FILE...",
	 "distil debug information into a small file, for machines that have none", PACK, cmd_pack},
	{"clean", 0, "", "remove what a killed ktrace left behind", CLEAN, cmd_clean},
};
const unsigned nverbs = sizeof(verbs) / sizeof(*verbs);

struct option_row {
	char letter;
	const char *name;
	const char *argument;
	enum kind kind;
	size_t offset;
	unsigned verbs;
	const char *help;
};

#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{'k', "vmlinux", "FILE", KIND_TEXT, AT(vmlinux), READS,
	 "the kernel's vmlinux, with debug information"},
	{'m', "module", "NAME|FILE", KIND_TEXT, AT(module), READS,
	 "a module: its name, or its .ko file (also .xz, .zst, .gz)"},
	{'x', "exec", "PATH|NAME", KIND_TEXT, AT(program), READS | RUN,
	 "a program or library: its path, or its name in $PATH or ld.so.cache"},
	{0, "pack", "FILE|DIR", KIND_TEXT, AT(pack), READS,
	 "take debug information from this pack, or from one in this directory"},
	{0, "only", "GLOB", KIND_LIST, AT(only), PACK,
	 "pack only what functions and variables of these names need; may be repeated"},
	{'e', "event", "SYSTEM:EVENT", KIND_LIST, AT(events), MAKES,
	 "an event that is there already, or a glob of them: 'SYSTEM:EVENT [ARG...] [by KEY...]'"},
	{'n', "dry-run", NULL, KIND_FLAG, AT(dry_run), LIVE,
	 "resolve and print, change nothing; needs no root"},
	{'D', "definition", NULL, KIND_FLAG, AT(definition), LIVE,
	 "print the bare kernel definitions alone"},
	{0, "cpus", "N", KIND_NUMBER, AT(cpus), LIVE,
	 "for -n and -D: the number of CPUs, for per-CPU variables"},
	{0, "plan", NULL, KIND_FLAG, AT(plan), PROBE,
	 "for -n: print a plan, as 'ktrace plan' does"},
	{0, "text", "TEXT", KIND_TEXT, AT(text), RUN,
	 "the plan itself instead of a file's name, as -nv prints it"},
	{0, "force", NULL, KIND_FLAG, AT(force), RUN,
	 "run a plan of another build: values may be wrong, programs may crash"},
	{'c', "count", "N", KIND_NUMBER, AT(count), LIVE,
	 "stop after N events, or calls that are followed"},
	{'t', "time", "SECONDS", KIND_SECONDS, AT(seconds), LIVE, "stop after that time"},
	{'p', "pid", "PID[,PID...]", KIND_PIDS, AT(pids), LIVE,
	 "only these processes, all their threads, no children"},
	{'a', "all", NULL, KIND_FLAG, AT(all), LIVE,
	 "every process, not only COMMAND and what it starts"},
	{0, "comm", "NAME", KIND_LIST, AT(comms), LIVE,
	 "only threads of that name; may be repeated, any may match"},
	{0, "filter", "EXPR", KIND_LIST, AT(filters), SHOWS | PLAN,
	 "only events for which it holds: 'size > 1000 && pages == 3'; may be repeated, all must "
	 "hold"},
	{0, "calls", "EXPR", KIND_TEXT, AT(calls), FOLLOW,
	 "only calls for which it holds once they have ended: 'retval < 0', 'duration > 10ms'"},
	{0, "inlined", NULL, KIND_FLAG, AT(inlined), CALLS,
	 "also what is inlined into the functions: their lines, or in a graph their calls"},
	{'i', "interval", "SECONDS", KIND_SECONDS, AT(interval), SHOWS,
	 "show the table at this interval, with rates"},
	{0, "top", "N", KIND_NUMBER, AT(top), SHOWS | MERGE,
	 "show N rows of a table, 20 by default"},
	{0, "sort", "COLUMN", KIND_TEXT, AT(sort), SHOWS | MERGE,
	 "sort a table by this column, by its head: 'sum(size)', p99"},
	{0, "keys", "N", KIND_NUMBER, AT(keys), SHOWS | MERGE,
	 "keep N rows of a table, 100000 by default; the others are one row"},
	{0, "folded", NULL, KIND_FLAG, AT(folded), SHOWS | MERGE,
	 "write a table as flame graph tools read it: 'main;work;malloc 12'"},
	{0, "flame", "FILE", KIND_TEXT, AT(flame), SHOWS | MERGE,
	 "draw a table as a flame graph, an SVG file"},
	{0, "open", "N", KIND_NUMBER, AT(open), SHOWS,
	 "let N starts of a pair wait for their ends, 65536 by default"},
	{0, "in-kernel", "[=program|trigger]", KIND_TEXT, AT(in_kernel), SHOWS,
	 "the kernel keeps the tables, by a BPF program or a hist trigger: for the highest rates"},
	{'o', "output", "FILE", KIND_TEXT, AT(output), LIVE | PLAN | PACK,
	 "write the events, the plan or the pack to a file"},
	{'b', "buffer-size", "SIZE", KIND_SIZE, AT(buffer_kb), LIVE,
	 "ring buffer per CPU, as 512K or 32M"},
	{0, "depth", "N", KIND_NUMBER, AT(depth), GRAPH,
	 "N levels of calls, 2 by default: FUNC and what it calls"},
	{0, "externs", NULL, KIND_FLAG, AT(externs), VARS, "also the unit's global variables"},
	{0, "debuginfo", "KIND", KIND_TEXT, AT(debuginfo), READS,
	 "only this kind of debug information: dwarf, btf or symbols"},
	{0, "no-cache", NULL, KIND_FLAG, AT(no_cache), READS,
	 "neither use nor write the index of debug information"},
	{'s', "source", "DIR", KIND_TEXT, AT(source_dir), LINES | MAKES | FOLLOW | VARS,
	 "where the sources are"},
	{0, "json", NULL, KIND_FLAG, AT(json), LIVE | LINES | VARS | FUNCS | LIST | MERGE,
	 "one JSON object a line"},
	{'v', "verbose", NULL, KIND_FLAG, AT(verbose), ALL | MERGE | PLAN | RUN | CALLS | PACK,
	 "say what is done, and why"},
	{'q', "quiet", NULL, KIND_FLAG, AT(quiet), ALL | MERGE | PLAN | RUN | CALLS | PACK,
	 "events and errors only"},
	{'h', "help", NULL, KIND_FLAG, AT(help), ALL | MERGE | PLAN | RUN | CALLS | PACK, "this"},
	{0, "version", NULL, KIND_FLAG, AT(version), ALL | MERGE | PLAN | RUN | CALLS | PACK,
	 "the version"},
	{'L', "line", NULL, KIND_VERB, 0, ALL | PLAN | RUN | CALLS, NULL},
	{'V', "vars", NULL, KIND_VERB, 0, ALL | PLAN | RUN | CALLS, NULL},
	{'F', "funcs", NULL, KIND_VERB, 0, ALL | PLAN | RUN | CALLS, NULL},
	{'l', "list", NULL, KIND_VERB, 0, ALL | PLAN | RUN | CALLS, NULL},
};

enum { NROWS = sizeof(rows) / sizeof(*rows) };

static struct error *usage(struct arena *arena, const char *message)
{
	return error_hint(arena, error_new(arena, ERROR_USAGE, "%s", message),
			  "see ktrace --help");
}

static struct error *bad_value(struct arena *arena, const struct option_row *row, const char *text,
			       const char *what)
{
	return usage(arena, arena_printf(arena, "--%s takes %s, not '%s'", row->name, what, text));
}

static struct error *set_number(struct arena *arena, const struct option_row *row, const char *text,
				unsigned long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoul(text, &end, 10);
	if (errno || end == text || *end || !isdigit((unsigned char)text[0]) || !*ret)
		return bad_value(arena, row, text, "a whole number above 0");
	/* all but the number of events fit an int, in the kernel too */
	if (*ret > INT_MAX && row->offset != AT(count))
		return bad_value(arena, row, text, "a number up to 2147483647");
	return NULL;
}

static struct error *set_pids(struct arena *arena, const struct option_row *row, const char *text,
			      struct pid_list *list)
{
	for (;;) {
		unsigned long pid;
		size_t length = strcspn(text, ",");
		struct error *error =
			set_number(arena, row, arena_strndup(arena, text, length), &pid);

		if (error)
			return error;
		if (pid > INT_MAX)
			return bad_value(arena, row, text, "the number of a process");
		arena_append(arena, list->numbers, list->count) = (pid_t)pid;
		if (!text[length])
			return NULL;
		text += length + 1;
	}
}

static struct error *set_size(struct arena *arena, const struct option_row *row, const char *text,
			      unsigned long *ret)
{
	char *end;
	unsigned long size;
	unsigned shift = 0; /* against KiB */

	errno = 0;
	size = strtoul(text, &end, 10);
	if (tolower((unsigned char)*end) == 'm')
		shift = 10;
	else if (tolower((unsigned char)*end) == 'g')
		shift = 20;
	if (*end && strchr("kKmMgG", *end))
		end++;
	if (errno || end == text || *end || !isdigit((unsigned char)text[0]) || !size ||
	    size > (1ul << 30) >> shift)
		return bad_value(arena, row, text, "a size such as 512K or 8M");
	*ret = size << shift;
	return NULL;
}

static struct error *set_seconds(struct arena *arena, const struct option_row *row,
				 const char *text, double *ret)
{
	char *end;

	errno = 0;
	*ret = strtod(text, &end);
	if (*end == 'm' || *end == 'h')
		*ret *= *end == 'm' ? 60 : 3600;
	if (*end && strchr("smh", *end))
		end++;
	if (errno || end == text || *end || !(*ret > 0) || *ret > 1e9)
		return bad_value(arena, row, text, "a time such as 10, 0.5 or 2m");
	return NULL;
}

static const struct verb *verb_by_letter(char letter)
{
	for (unsigned i = 0; i < nverbs; i++)
		if (verbs[i].letter == letter)
			return &verbs[i];
	return NULL;
}

static struct error *set_verb(struct arena *arena, const struct option_row *row,
			      struct options *options)
{
	const struct verb *verb = verb_by_letter(row->letter);

	if (options->verb && options->verb != verb)
		return usage(arena, arena_printf(arena, "'%s' and -%c exclude each other",
						 options->verb->name, row->letter));
	options->verb = verb;
	return NULL;
}

static struct error *add(struct arena *arena, const char *text, struct text_list *list)
{
	arena_append(arena, list->texts, list->count) = text;
	return NULL;
}

static bool is_given(const struct option_row *row, const struct options *options)
{
	static const struct options none;

	return row->kind != KIND_VERB &&
	       memcmp((const char *)options + row->offset, (const char *)&none + row->offset,
		      row->kind == KIND_FLAG ? sizeof(bool) : sizeof(long)) != 0;
}

static bool may_come_again(enum kind kind)
{
	return kind == KIND_FLAG || kind == KIND_LIST || kind == KIND_PIDS || kind == KIND_VERB;
}

static void take_turn(const struct option_row *row, struct options *options)
{
	size_t due = options->turns % 2 ? offsetof(struct options, filters) :
					  offsetof(struct options, events);

	options->turns += row->offset == due;
}

static struct error *set(struct arena *arena, const struct option_row *row, const char *text,
			 struct options *options)
{
	void *field = (char *)options + row->offset;

	if (is_given(row, options) && !may_come_again(row->kind))
		return usage(arena, arena_printf(arena, "--%s is given twice", row->name));
	switch (row->kind) {
	case KIND_FLAG:
		*(bool *)field = true;
		return NULL;
	case KIND_TEXT:
		*(const char **)field = text ?: "";
		return NULL;
	case KIND_LIST:
		take_turn(row, options);
		return add(arena, text, field);
	case KIND_PIDS: return set_pids(arena, row, text, field);
	case KIND_NUMBER: return set_number(arena, row, text, field);
	case KIND_SIZE: return set_size(arena, row, text, field);
	case KIND_SECONDS: return set_seconds(arena, row, text, field);
	case KIND_VERB: return set_verb(arena, row, options);
	}
	return NULL;
}

static void make_getopt(char *letters, struct option *longs)
{
	*letters++ = ':'; /* a missing argument is reported as ':' */
	for (unsigned i = 0; i < NROWS; i++) {
		longs[i] = (struct option){
			.name = rows[i].name,
			.has_arg = !rows[i].argument	      ? no_argument :
				   rows[i].argument[0] == '[' ? optional_argument :
								required_argument,
			.val = 256 + (int)i,
		};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].argument)
			*letters++ = ':';
	}
	*letters = '\0';
}

static const struct option_row *find_row(int option)
{
	if (option >= 256)
		return &rows[option - 256];
	for (unsigned i = 0; i < NROWS; i++)
		if (rows[i].letter == option)
			return &rows[i];
	return NULL;
}

static struct error *take_verb(struct arena *arena, int argc, char **argv, struct options *ret)
{
	for (unsigned i = 0; argc > 1 && i < nverbs; i++)
		if (!strcmp(argv[1], verbs[i].name))
			ret->verb = &verbs[i];
	if (ret->verb || argc < 2 || argv[1][0] == '-')
		return NULL;
	if (!strcmp(argv[1], "help")) {
		ret->help = true;
		return argc > 2 ? take_verb(arena, argc - 1, argv + 1, ret) : NULL;
	}
	return unknown_verb(arena, argv + 1);
}

static bool is_debuginfo(const char *kind)
{
	return !strcmp(kind, "dwarf") || !strcmp(kind, "btf") || !strcmp(kind, "symbols");
}

bool options_are_live(const struct options *options)
{
	return (options->verb->bit & LIVE) && !options->dry_run && !options->definition;
}

static struct error *check_fit(struct arena *arena, const struct options *options)
{
	const struct verb *verb = options->verb;

	for (unsigned i = 0; i < NROWS; i++)
		if (is_given(&rows[i], options) && !(rows[i].verbs & verb->bit))
			return usage(arena, arena_printf(arena, "--%s is not for '%s'",
							 rows[i].name, verb->name));
	if (options->command && !options->command[0])
		return usage(arena, "a command is missing after --");
	if (options->all && options->pids.count)
		return usage(arena, "-a and -p exclude each other");
	if (options->command && !options_are_live(options))
		return usage(arena, "a command after -- is for a live trace only");
	if (options->plan && !options->dry_run)
		return usage(arena, "--plan is for -n; or write: ktrace plan");
	if (options->text && options->noperands)
		return usage(arena, "--text is the plan, and no file is read");
	if (options->cpus && !options->dry_run && !options->definition)
		return usage(arena, "--cpus is for -n and -D: a live run knows how many there are");
	if (options->folded && (options->json || options->interval > 0))
		return usage(arena, "--folded excludes --json and -i");
	if (options->turns >= 4) /* perf's filter is for the event before it */
		return error_hint(arena,
				  error_new(arena, ERROR_USAGE,
					    "a --filter is for every event, and all must hold: "
					    "'%s' has none of its own",
					    options->events.texts[options->events.count - 1]),
				  "trace it by another ktrace; if both are meant for all, write "
				  "them after the last -e");
	if (options->quiet && options->verbose)
		return usage(arena, "-q and -v exclude each other");
	if (options->program && (options->vmlinux || options->module))
		return usage(arena, arena_printf(arena, "-x and -%c exclude each other",
						 options->vmlinux ? 'k' : 'm'));
	if (options->debuginfo && !is_debuginfo(options->debuginfo))
		return usage(arena,
			     arena_printf(arena,
					  "--debuginfo takes dwarf, btf or symbols, not '%s'",
					  options->debuginfo));
	if (options->in_kernel && options->in_kernel[0] && strcmp(options->in_kernel, "program") &&
	    strcmp(options->in_kernel, "trigger"))
		return usage(arena,
			     arena_printf(arena, "--in-kernel takes program or trigger, not '%s'",
					  options->in_kernel));
	if (options->source_dir && is_debuginfo(options->source_dir) &&
	    access(options->source_dir, F_OK))
		return error_hint(arena,
				  error_new(arena, ERROR_USAGE,
					    "--source is the directory of source files; "
					    "'%s' doesn't exist",
					    options->source_dir),
				  "the source of debug information is chosen by: --debuginfo %s",
				  options->source_dir);
	if (options->program && !options->program[0])
		return usage(arena, "-x takes a path or a name");
	if (options->pack && options->debuginfo && strcmp(options->debuginfo, "dwarf"))
		return usage(
			arena,
			arena_printf(
				arena,
				"a pack has DWARF: --pack and --debuginfo %s exclude each other",
				options->debuginfo));
	if (verb->operands[0] == '\0' && options->noperands)
		return usage(arena, arena_printf(arena, "'%s' takes no operands", verb->name));
	if (verb->operands[0] && verb->operands[0] != '[' && !options->noperands &&
	    !options->events.count && !options->text)
		return usage(arena, arena_printf(arena, "'%s' needs an operand: ktrace %s %s",
						 verb->name, verb->name, verb->operands));
	return NULL;
}

/* Everything behind the first "--" is the command; getopt never sees it. */
static int split_command(int argc, char **argv, struct options *ret)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			ret->command = &argv[i + 1];
			return i;
		}
	return argc;
}

static struct error *unknown(struct arena *arena, const char *text, const struct option *longs)
{
	const char *names[NROWS];
	unsigned count = 0;

	for (; longs[count].name; count++)
		names[count] = longs[count].name;
	return unknown_option(arena, text, names, count);
}

struct error *options_parse(struct arena *arena, int argc, char **argv, struct options *ret)
{
	char letters[2 * NROWS + 2];
	struct option longs[NROWS + 1] = {0};
	struct error *error;
	char **args;
	int option;

	argc = split_command(argc, argv, ret);
	args = arena_grow(arena, argv, (size_t)argc * sizeof(*argv),
			  ((size_t)argc + 1) * sizeof(*argv));
	error = take_verb(arena, argc, args, ret);
	if (error)
		return error;
	make_getopt(letters, longs);
	optind = ret->verb ? 2 : 1;
	opterr = 0;
	while ((option = getopt_long(argc, args, letters, longs, NULL)) != -1) {
		const struct option_row *row = option == '?' ? NULL : find_row(option);

		if (option == ':')
			return usage(arena, arena_printf(arena, "%s needs an argument",
							 args[optind - 1]));
		if (!row)
			return unknown(arena,
				       optopt && optopt < 256 ? arena_printf(arena, "-%c", optopt) :
								args[optind - 1],
				       longs);
		error = set(arena, row, optarg, ret);
		if (error)
			return error;
	}
	ret->operands = (const char *const *)&args[optind];
	ret->noperands = (unsigned)(argc - optind);
	if (ret->help || ret->version)
		return NULL;
	if (!ret->verb && argc == 1)
		return usage(arena, "nothing to do");
	if (!ret->verb)
		ret->verb = &verbs[0];
	return check_fit(arena, ret);
}

static void help_row(FILE *out, const struct option_row *row)
{
	char text[64];

	snprintf(text, sizeof(text), row->letter ? "-%c, --%s%s%s" : "%.0d    --%s%s%s",
		 row->letter, row->name, row->argument && row->argument[0] != '[' ? " " : "",
		 row->argument ? row->argument : "");
	fprintf(out, "  %-26s %s\n", text, row->help);
}

void options_help(FILE *out, const struct verb *verb)
{
	fprintf(out, "usage: ktrace %s %s\n", verb ? verb->name : "VERB",
		verb ? verb->operands : "[OPTION...] [OPERAND...]");
	if (verb)
		fprintf(out, "%s\n", verb->summary);
	for (unsigned i = 0; !verb && i < nverbs; i++) {
		char flag[8] = "";

		if (verbs[i].letter)
			snprintf(flag, sizeof(flag), "-%c", verbs[i].letter);
		fprintf(out, "  %-6s %-3s %-36s %s\n", verbs[i].name, flag, verbs[i].operands,
			verbs[i].summary);
	}
	fputs("options:\n", out);
	for (unsigned i = 0; i < NROWS; i++)
		if (rows[i].help && (!verb || rows[i].verbs & verb->bit))
			help_row(out, &rows[i]);
	fputs("SPEC is '[[GROUP/]EVENT=]PLACE [ARG...] [by KEY...]', ARG is VALUE or, for a table, "
	      "count(),\n"
	      "sum(VALUE), avg(VALUE), min(VALUE), max(VALUE) or hist(VALUE[,STEP]); PLACE is "
	      "FUNC, FUNC:LINE, FUNC+OFFSET,\n"
	      "FUNC%return, FUNC@FILE[:LINE], FILE:LINE, FUNC;PATTERN, FILE;PATTERN or 0xADDRESS;\n"
	      "see ktrace-spec(7).\n",
	      out);
}
