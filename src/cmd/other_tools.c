// SPDX-License-Identifier: GPL-2.0-only
/*
 * Says for an unknown verb or option what ktrace calls it: most come from perf, trace-cmd and
 * bpftrace.
 */
#include <string.h>

#include "cmd/live/child.h"
#include "cmd/options.h"
#include "resolve/resolve.h"

struct word {
	const char *text;
	const char *meaning;
};

static const struct word verb_words[] = {
	{"record",
	 "a trace is live: with -o FILE it goes to a file; what to trace: ktrace probe --help"},
	{"stream", "every trace is live: ktrace probe --help"},
	{"start", "a trace lasts as long as its ktrace does: ktrace probe --help"},
	{"trace", "what to trace: ktrace probe --help"},
	{"add", "no probe stays after its trace: ktrace probe --help"},
	{"stop", "Ctrl-C ends a trace and removes its probes; after a kill: ktrace clean"},
	{"del", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"delete", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"remove", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"reset", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"report", "events are printed as they come; --json is for programs: ktrace probe --help"},
	{"script", "events are printed as they come; --json is for programs: ktrace probe --help"},
	{"show", "the probes that are live: ktrace list"},
	{"stat", "a table of counts: ktrace probe -i 1 -e 'sched:* count()'"},
	{"top", "a table, updated every second: ktrace probe -i 1 'SPEC count() by comm'"},
	{"hist", "a histogram is a table: ktrace probe 'SPEC hist(VALUE)'"},
	{"count", "counts are a table: ktrace probe 'SPEC count() by KEY'"},
	{"status", "the probes that are live: ktrace list"},
	{"info", "what is in scope at a place: ktrace vars --help"},
	{"print", "what is in scope at a place: ktrace vars --help"},
	{"break", "a place is FILE:LINE or FUNC:LINE, and nothing stops: ktrace probe --help"},
	{"funccount", "counts are a table: ktrace probe 'SPEC count() by $function'"},
	{"funclatency", "times are a table: ktrace probe 'SPEC hist($duration)', at FUNC%return"},
	{"argdist", "a table: ktrace probe 'SPEC count() by VALUE', or hist(VALUE)"},
	{"stackcount", "counts are a table: ktrace probe 'SPEC count() by $kstack'"},
	{"version", "ktrace --version"},
	{"ls",
	 "events of the kernel: ktrace probe -n -e 'sched:*'; functions: ktrace funcs '*read*'"},
	{"extract", "events are printed as they come; --json is for programs: ktrace probe --help"},
	{"snapshot",
	 "events are printed as they come; --json is for programs: ktrace probe --help"},
	{"split", "a trace ends by time or number: -t SECONDS, -c N; see ktrace probe --help"},
	{"ftrace", "the calls that a function makes: ktrace graph --help; what to trace: "
		   "ktrace probe --help"},
	{"funcgraph", "the calls that a function makes: ktrace graph --help"},
	{"attach", "-p PID traces a process that runs already: ktrace probe --help"},
};

static const struct word option_words[] = {
	{"--add",
	 "there is nothing to add: ktrace probe SPEC traces at once; see ktrace probe --help"},
	{"-d", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"--del", "probes are removed when their ktrace ends; after a kill: ktrace clean"},
	{"--max-probes", "there is no such limit: leave it out"},
	{"-f", "what a COMMAND starts is traced in any case, and every name is free: leave it out"},
	{"--force", "every name is free: leave it out"},
	{"--no-inlines", "each inlined copy is an event of its own; one function's: FUNC@FILE"},
	{"--range", "an error says at which lines a variable has a value: leave it out"},
	{"--demangle", "C++ names are as in the source already: leave it out"},
	{"--symfs", "name the file itself: -k VMLINUX, -m FILE.ko, -x PROGRAM"},
	{"--target-ns", "the path of another mount namespace is -x /proc/PID/root/PATH"},
	{"-g", "a call stack is a value: add $kstack to the SPEC, $ustack for a program's"},
	{"--call-graph",
	 "a call stack is a value: add $kstack to the SPEC, $ustack for a program's"},
	{"--max-stack", "a call stack is a value, $kstack, which has all frames: leave it out"},
	{"--cache", "the index of debug information is always kept; --no-cache is without"},
	{"-R", "events are always printed as recorded: leave it out"},
	{"--lines", "ktrace lines FUNC, or -L; see ktrace lines --help"},
	{"-E",
	 "an event that is there already is -e SYSTEM:EVENT; list all: ktrace probe -n -e '*:*'"},
};

static const char *find_word(const struct word *words, size_t count, const char *text)
{
	size_t length = strcspn(text, "=");

	for (size_t i = 0; i < count; i++)
		if (strlen(words[i].text) == length && !strncmp(words[i].text, text, length))
			return words[i].meaning;
	return NULL;
}

/* The nearest verb ("prob": "probe"), or NULL. */
static const char *near_verb(struct arena *arena, const char *text)
{
	const char *names[16], *near;

	for (unsigned i = 0; i < nverbs; i++)
		names[i] = verbs[i].name;
	near = suggest_names(arena, text, names, nverbs);
	return near ? arena_strndup(arena, near, strcspn(near, ",")) : NULL;
}

struct error *unknown_verb(struct arena *arena, char *const *words)
{
	struct error *error = error_new(arena, ERROR_USAGE, "no verb '%s'", words[0]);
	const char *meaning =
		find_word(verb_words, sizeof(verb_words) / sizeof(*verb_words), words[0]);
	const char *verb = near_verb(arena, words[0]), *command = "";

	if (meaning)
		return error_hint(arena, error, "%s", meaning);
	if (verb)
		return error_hint(
			arena, error, "did you mean: %s",
			words_line(arena, arena_printf(arena, "ktrace %s", verb), words + 1));
	if (child_program(arena, words[0]))
		command = words_line(
			arena, "; to trace that program: ktrace probe -x PROGRAM SPEC --", words);
	if (strchr(words[0], '/') && *command)
		return error_hint(arena, error, "%s", command + strlen("; "));
	return error_hint(arena, error, "to probe it: %s%s; all verbs: ktrace --help",
			  words_line(arena, "ktrace probe", words), command);
}

struct error *unknown_option(struct arena *arena, const char *text, const char *const *names,
			     unsigned count)
{
	struct error *error = error_new(arena, ERROR_USAGE, "no option %s", text);
	const char *meaning = find_word(option_words, sizeof(option_words) / sizeof(*option_words),
					text),
		   *near = NULL;

	if (!strncmp(text, "--", 2))
		near = suggest_names(arena, arena_strndup(arena, text + 2, strcspn(text + 2, "=")),
				     names, count);
	if (meaning || !near)
		return error_hint(arena, error, "%s", meaning ?: "see ktrace --help");
	return error_hint(arena, error, "did you mean: --%.*s", (int)strcspn(near, ","), near);
}
