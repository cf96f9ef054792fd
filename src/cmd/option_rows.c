// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs and options, as tables that also make the help. To add an option: a row here, a field
 * in struct options, a line in man/ktrace.1.
 */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/dry.h"
#include "cmd/option_rows.h"

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

const struct option_row option_rows[] = {
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

const unsigned noption_rows = sizeof(option_rows) / sizeof(*option_rows);
_Static_assert(sizeof(option_rows) / sizeof(*option_rows) <= NROWS_MAX, "NROWS_MAX");

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
	for (unsigned i = 0; i < noption_rows; i++)
		if (option_rows[i].help && (!verb || option_rows[i].verbs & verb->bit))
			help_row(out, &option_rows[i]);
	fputs("SPEC is '[[GROUP/]EVENT=]PLACE [ARG...] [by KEY...]', ARG is VALUE or, for a table, "
	      "count(),\n"
	      "sum(VALUE), avg(VALUE), min(VALUE), max(VALUE) or hist(VALUE[,STEP]); PLACE is "
	      "FUNC, FUNC:LINE, FUNC+OFFSET,\n"
	      "FUNC%return, FUNC@FILE[:LINE], FILE:LINE, FUNC;PATTERN, FILE;PATTERN or 0xADDRESS;\n"
	      "see ktrace-spec(7).\n",
	      out);
}
