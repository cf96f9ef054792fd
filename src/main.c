// SPDX-License-Identifier: GPL-2.0-only
/* argv in, exit status out: the only place that prints errors. 0 done, 1 failed, 2 misuse. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/cmd.h"

#ifndef KTRACE_VERSION
#define KTRACE_VERSION "0.1"
#endif

static void print_caret(const struct error *error)
{
	struct span span = error->span;
	size_t length = strlen(error->text);

	fprintf(stderr, "  %s\n", error->text);
	if (span.end <= span.start || span.start > length)
		return;
	fputs("  ", stderr);
	for (unsigned i = 0; i < span.start; i++)
		fputc(error->text[i] == '\t' ? '\t' : ' ', stderr);
	for (unsigned i = span.start; i < span.end; i++)
		fputc('^', stderr);
	fputc('\n', stderr);
}

static int print_error(struct arena *arena, const struct options *options, const struct error *error)
{
	const char *hint = advice(arena, options, error);

	fprintf(stderr, "ktrace: %s\n", error->message);
	if (error->text)
		print_caret(error);
	if (hint)
		fprintf(stderr, "  %s\n", hint);
	return error->code == ERROR_USAGE ? 2 : 1;
}

static struct error *run(struct arena *arena, int argc, char **argv, struct options *options)
{
	struct error *error = options_parse(arena, argc, argv, options);

	if (error)
		return error;
	if (options->version)
		puts("ktrace " KTRACE_VERSION);
	else if (options->help)
		options_help(stdout, options->verb);
	else
		error = options->verb->run(arena, options);
	if (!error && (fflush(stdout) || ferror(stdout)) && errno != EPIPE)
		error = error_errno(arena, errno, "can't write to standard output");
	return error;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct arena arena;
	struct error *error;
	int status;

	signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an end like any other */
	arena_init(&arena);
	error = run(&arena, argc, argv, &options);
	status = error ? print_error(&arena, &options, error) : 0;
	arena_deinit(&arena);
	return status;
}
