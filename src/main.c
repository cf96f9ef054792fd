// SPDX-License-Identifier: GPL-2.0-only
/* Runs ktrace and prints its error. Exit status: 0 done (or the command's own), 1 failed, 2
 * misuse. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/live/origin.h"
#include "cmd/live/signals.h"
#include "cmd/options.h"

#ifndef KTRACE_VERSION
#define KTRACE_VERSION "0.1"
#endif

/* Usually the user's own words; a glob's may have names in them, so they are escaped. */
static void put_caret(struct strbuf *out, const struct error *error)
{
	struct span span = error->span;
	size_t length = strlen(error->text), start;

	strbuf_printf(out, "  %s\n", error->text);
	if (span.end <= span.start || span.start > length)
		return;
	strbuf_puts(out, "  ");
	start = out->length;
	strbuf_printf(out, "%.*s", (int)span.start, error->text);
	for (size_t i = start; i < out->length; i++)
		out->data[i] = out->data[i] == '\t' ? '\t' : ' ';
	for (unsigned i = span.start; i < span.end; i++)
		strbuf_putc(out, '^');
	strbuf_putc(out, '\n');
}

static int print_error(struct arena *arena, const struct options *options,
		       const struct error *error)
{
	const char *hint = advice(arena, options, error);
	struct strbuf out = {0};

	strbuf_puts(&out, "ktrace: ");
	strbuf_shown(&out, error->message, strlen(error->message), "\n\t");
	strbuf_putc(&out, '\n');
	if (error->text)
		put_caret(&out, error);
	if (hint) {
		strbuf_puts(&out, "  ");
		strbuf_shown(&out, hint, strlen(hint), "\n\t");
		strbuf_putc(&out, '\n');
	}
	fputs(out.data, stderr);
	strbuf_deinit(&out);
	return error->code == ERROR_USAGE ? 2 : 1;
}

/* A trace that didn't begin says so in its output, too: where many hosts' outputs are merged,
 * silence would look like a host without events. */
static struct error *run_verb(struct arena *arena, const struct options *options)
{
	struct error *error = options->verb->run(arena, options);

	if (error && options->json && !options->output && options_are_live(options) &&
	    !*options->has_begun)
		put_refused(arena, error->message);
	return error;
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
		error = run_verb(arena, options);
	if (!error && (fflush(stdout) || ferror(stdout)) && errno != EPIPE)
		error = error_errno(arena, errno, "can't write to standard output");
	return error;
}

/* A missing standard descriptor would be taken by the next file opened: so it is opened on
 * /dev/null in the wrong direction, where using it still fails. */
static bool open_standard(void)
{
	static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	int fd = 0;

	for (; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct arena arena;
	struct error *error;
	bool has_begun = false;
	int status = 0;

	/* a reader that is gone ends the trace like anything else */
	options.ignores_pipe = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
	if (!open_standard())
		return 1;
	crash_init();
	signals_keep();
	arena_init(&arena);
	options.status = &status;
	options.has_begun = &has_begun;
	error = run(&arena, argc, argv, &options);
	if (error)
		status = print_error(&arena, &options, error);
	arena_deinit(&arena);
	return status;
}
