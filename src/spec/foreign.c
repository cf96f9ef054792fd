// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises the words that other tools begin a place with, and says the same in ktrace's words. No
 * module has one of these names.
 */
#include "spec/parse.h"

#include <string.h>

enum rest {
	REST_FUNCTION, /* FUNC, MODULE:FUNC */
	REST_EVENT,    /* SYSTEM:EVENT */
	REST_PROGRAM,  /* PATH:FUNC */
	REST_NONE,     /* ktrace has nothing like it */
};

/* bpftrace's long and short words. */
static const struct {
	const char *words; /* with blanks around each */
	const char *what;
	enum rest rest;
	const char *suffix;
} rows[] = {
	{" kprobe k fentry kfunc ", "a function of the kernel", REST_FUNCTION, ""},
	{" kretprobe kr fexit kretfunc ", "a return from a function of the kernel", REST_FUNCTION,
	 "%return"},
	{" tracepoint t rawtracepoint rt ", "an event of the kernel's", REST_EVENT, ""},
	{" uprobe u ", "a function of a program", REST_PROGRAM, ""},
	{" uretprobe ur ", "a return from a function of a program", REST_PROGRAM, "%return"},
	{" usdt U ", "a static probe of a program", REST_NONE,
	 "ktrace has none of these; a function or line near it: -x PROGRAM FUNC"},
	{" profile interval i BEGIN END iter it ", "a clock or a loop of its own", REST_NONE,
	 "ktrace traces places and events, not times"},
	{" software s hardware h watchpoint w ", "a counter of the processor or kernel", REST_NONE,
	 "ktrace traces places and events; counters are perf's: perf stat -e EVENT"},
};

static const char *after_last_colon(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon ? colon + 1 : text;
}

static struct error *hint(const struct scan *scan, struct error *error, enum rest kind,
			  const char *rest, const char *suffix)
{
	const char *function = after_last_colon(rest);

	if (kind == REST_NONE)
		return error_hint(scan->arena, error, "%s", suffix);
	if (kind == REST_EVENT)
		return error_hint(scan->arena, error, "did you mean -e %s?", rest);
	if (kind == REST_FUNCTION)
		return error_hint(scan->arena, error, "did you mean '%s%s'?", rest, suffix);
	return error_hint(scan->arena, error, "did you mean -x %.*s '%s%s'?",
			  function > rest ? (int)(function - rest) - 1 : 7,
			  function > rest ? rest : "PROGRAM", function, suffix);
}

struct error *place_foreign(const struct scan *scan, struct span head)
{
	const char *word = arena_printf(scan->arena, " %s ", scan_copy(scan, head));
	const char *rest = scan_copy(scan, span_of(head.end + 1, scan->end));

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strstr(rows[i].words, word))
			return hint(scan,
				    scan_error(scan, span_of(head.start, head.end + 1),
					       "'%.*s:' is another tool's word for %s",
					       (int)span_length(head), scan->text + head.start,
					       rows[i].what),
				    rows[i].rest, rest, rows[i].suffix);
	return NULL;
}
